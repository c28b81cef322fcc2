"use strict";

/* Members of JSON objects: one is there and of its kind, or a sentence says what is wrong. */

const Members = (() => {
  /** What a JSON value is, in words. */
  function kindOf(value) {
    if (Array.isArray(value) && value.length) {
      return `a list of ${[...new Set(value.map(plainKind))].join(" and ")}`;
    }
    return plainKind(value);
  }

  function plainKind(value) {
    if (value === null) return "null";
    if (value === true || value === false) return "true or false";
    if (typeof value === "number") return "a fraction";
    if (typeof value === "string") return "text";
    if (value instanceof Whole) return "a whole number";
    return Array.isArray(value) ? "a list" : "an object";
  }

  /** A member's value, or what is wrong with it. */
  function member(holder, name, expected, parse) {
    if (!holder.has(name)) {
      const meant = Near.match(name, [...holder.keys()]);
      const guess = meant === null ? "" : ` Is "${meant}" meant?`;
      return { found: `"${name}" is missing.${guess}`, expected };
    }
    const raw = holder.get(name);
    if (raw === null) return { found: `"${name}" is null.`, expected };
    const value = parse(raw);
    return value === null ? { found: `"${name}" is ${kindOf(raw)}.`, expected } : { value };
  }

  return { kindOf, member };
})();
