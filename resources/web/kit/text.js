"use strict";

/* Text and values as counted and formatted by the organiser's program in Python. */

/** Integer of any size, as its digits. */
class Whole {
  constructor(text) { this.text = text === "-0" ? "0" : text; }
}

const Text = (() => {
  const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
  const STRIP_LEFT = new RegExp(`^[${SPACE}]+`);
  const ONLY_SPACE = new RegExp(`^[${SPACE}]$`);
  const HIGH = (code) => code >= 0xd800 && code < 0xdc00;
  const LOW = (code) => code >= 0xdc00 && code < 0xe000;
  let ranges = { hidden: [], letters: [] };

  /** Set the ranges of unprintable characters and of word characters: pairs of first and last. */
  function use(found) { ranges = found; }

  /** Return the characters of a text; a surrogate pair is one. */
  function characters(text) {
    const found = [];
    for (let i = 0; i < text.length; i += 1) {
      const pair = HIGH(text.charCodeAt(i)) && i + 1 < text.length && LOW(text.charCodeAt(i + 1));
      found.push(pair ? text.substr(i, 2) : text[i]);
      if (pair) i += 1;
    }
    return found;
  }

  function length(text) {
    let pairs = 0;
    for (let i = 0; i + 1 < text.length; i += 1) {
      if (HIGH(text.charCodeAt(i)) && LOW(text.charCodeAt(i + 1))) { pairs += 1; i += 1; }
    }
    return text.length - pairs;
  }

  /** Return the first `count` characters. */
  const head = (text, count) => characters(text.substr(0, 2 * count)).slice(0, count).join("");

  function stripRight(text) {
    let end = text.length;
    while (end > 0 && ONLY_SPACE.test(text[end - 1])) end -= 1;
    return text.slice(0, end);
  }

  const strip = (text) => stripRight(text.replace(STRIP_LEFT, ""));

  /** Return true for a number in one of the sorted ranges [first, last, first, last, ...]. */
  function within(found, code) {
    let [low, high] = [0, found.length / 2];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (found[2 * middle + 1] < code) low = middle + 1; else high = middle;
    }
    return 2 * low < found.length && found[2 * low] <= code;
  }

  function codeOf(character) {
    const code = character.charCodeAt(0);
    if (character.length === 1) return code;
    return (code - 0xd800) * 0x400 + character.charCodeAt(1) - 0xdc00 + 0x10000;
  }

  const printable = (character) => !within(ranges.hidden, codeOf(character));
  const ofWord = (character) => character === "_" || within(ranges.letters, codeOf(character));

  /** Count the characters outside ASCII. */
  const beyondAscii = (text) => length(text.replace(/[\x00-\x7f]+/g, ""));

  /** Format a count with thousands separators: 1,938. */
  const thousands = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

  /** Format a float as Python does. */
  function fraction(value) {
    if (value !== value) return "nan";
    if (value === Infinity || value === -Infinity) return value > 0 ? "inf" : "-inf";
    if (value === 0) return 1 / value < 0 ? "-0.0" : "0.0";
    const [digits, exponent] = value.toExponential().split("e");
    const power = Number(exponent);
    if (power < -4 || power >= 16) {
      return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
    }
    const plain = String(value);
    return plain.indexOf(".") < 0 ? `${plain}.0` : plain;
  }

  /** Format a JSON value as Python does in a message; a text is unchanged. */
  const written = (value) => (typeof value === "string" ? value : represented(value));

  function represented(value) {
    if (value === null) return "None";
    if (value === true || value === false) return value ? "True" : "False";
    if (typeof value === "number") return fraction(value);
    if (typeof value === "string") return quoted(value);
    if (value instanceof Whole) return value.text;
    if (Array.isArray(value)) return `[${value.map(represented).join(", ")}]`;
    const members = [];
    value.forEach((one, name) => members.push(`${quoted(name)}: ${represented(one)}`));
    return `{${members.join(", ")}}`;
  }

  const ESCAPES = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

  function quoted(text) {
    const mark = text.indexOf("'") >= 0 && text.indexOf('"') < 0 ? '"' : "'";
    const inside = characters(text).map((one) => {
      if (one === mark) return `\\${one}`;
      if (ESCAPES[one] !== undefined) return ESCAPES[one];
      if (printable(one)) return one;
      const code = codeOf(one);
      const hex = code.toString(16);
      if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
      return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
    });
    return `${mark}${inside.join("")}${mark}`;
  }

  /** Compare two texts by code points. */
  function compare(one, other) {
    const [left, right] = [characters(one).map(codeOf), characters(other).map(codeOf)];
    for (let i = 0; i < left.length && i < right.length; i += 1) {
      if (left[i] !== right[i]) return left[i] - right[i];
    }
    return left.length - right.length;
  }

  return {
    use, characters, length, head, strip, stripRight, printable, ofWord, beyondAscii,
    thousands, written, quoted, compare,
  };
})();
