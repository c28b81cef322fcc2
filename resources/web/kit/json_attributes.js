"use strict";

/* Typed access to members of JSON objects, with a message if one is missing or of another type. */

const JsonAttributes = (() => {
  /** Return the type of a JSON value in words. */
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

  /** Return `value` of a member, or `found` and `expected` if it is invalid. */
  function member(holder, name, expected, parse) {
    if (!holder.has(name)) {
      const meant = CloseMatch.match(name, [...holder.keys()]);
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
