"use strict";

/* JSON parser with the limits and messages of Python's `json`. */

class JsonSyntaxError extends Error {
  constructor(said, position) { super(String(said)); Object.assign(this, { said, position }); }
}

class JsonTooDeep extends Error {}
class IntegerTooLong extends Error {}

/** Counterpart of Python's `json` parser: same values, and same errors at the same characters. */
class Parser {
  constructor(text, rules) {
    this.text = text;
    this.rules = rules;
    this.repeated = [];
    this.foreign = 0;
    this.areLines = false;
    this.starts = new Map();
  }

  parse() {
    let [value, end] = this.value(this.space(0), 0);
    const stop = end;
    end = this.space(end);
    if (end === this.text.length) return value;
    const isLine = this.text.slice(stop, end).includes("\n") && this.text[end] === "{";
    if (!(value instanceof Map && isLine)) throw new JsonSyntaxError(translatable("extra data"), end);
    return this.lines(value, end);
  }

  /** Return the objects of JSON Lines, of which the first was read up to `end`. */
  lines(first, end) {
    const values = [first];
    while (end < this.text.length) {
      let value;
      [value, end] = this.value(end, 0);
      values.push(value);
      end = this.space(end);
    }
    this.areLines = true;
    return values;
  }

  space(at) {
    const text = this.text;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
      at += 1;
    }
  }

  value(at, depth) {
    const text = this.text;
    const sign = text[at];
    if ((sign >= "0" && sign <= "9") || (sign === "-" && text[at + 1] !== "I")) return this.number(at);
    if (sign === '"') return this.string(at + 1);
    if (sign === "{" || sign === "[") {
      if (depth >= this.rules.deepest) throw new JsonTooDeep();
      return sign === "{" ? this.object(at + 1, depth) : this.array(at + 1, depth, null);
    }
    for (const [word, value] of [["null", null], ["true", true], ["false", false]]) {
      if (text.substr(at, word.length) === word) return [value, at + word.length];
    }
    for (const [word, value] of [["NaN", NaN], ["Infinity", Infinity], ["-Infinity", -Infinity]]) {
      if (text.substr(at, word.length) === word) {
        this.foreign += 1;
        return [value, at + word.length];
      }
    }
    return this.number(at);
  }

  number(at) {
    const text = this.text;
    const digit = (i) => text.charCodeAt(i) >= 48 && text.charCodeAt(i) <= 57;
    let end = text[at] === "-" ? at + 1 : at;
    if (!digit(end)) throw new JsonSyntaxError(translatable("expecting value"), at);
    if (text[end] === "0") end += 1;
    else while (digit(end)) end += 1;
    const whole = end;
    if (text[end] === "." && digit(end + 1)) {
      end += 1;
      while (digit(end)) end += 1;
    }
    if (text[end] === "e" || text[end] === "E") {
      const start = text[end + 1] === "+" || text[end + 1] === "-" ? end + 2 : end + 1;
      if (digit(start)) {
        end = start;
        while (digit(end)) end += 1;
      }
    }
    const written = text.slice(at, end);
    if (end > whole) return [Number(written), end];
    if (written.replace("-", "").length > this.rules.digits) throw new IntegerTooLong();
    return [new Whole(written), end];
  }

  string(at) {
    const text = this.text;
    const parts = [];
    const begin = at - 1;
    let from = at;
    for (;;) {
      const code = text.charCodeAt(at);
      if (at >= text.length) throw new JsonSyntaxError(translatable("unterminated string"), begin);
      if (code === 34) break;
      if (code < 32) throw new JsonSyntaxError(translatable("invalid control character"), at);
      if (code !== 92) { at += 1; continue; }
      parts.push(text.slice(from, at));
      if (at + 1 >= text.length) throw new JsonSyntaxError(translatable("unterminated string"), begin);
      if (text[at + 1] === "u") {
        parts.push(String.fromCharCode(this.unit(at + 2)));
        at += 6;
      } else {
        const meant = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
        const letter = text[at + 1];
        if (!Object.prototype.hasOwnProperty.call(meant, letter)) {
          throw new JsonSyntaxError(translatable("invalid \\escape"), at);
        }
        parts.push(meant[letter]);
        at += 2;
      }
      from = at;
    }
    parts.push(text.slice(from, at));
    return [parts.join(""), at + 1];
  }

  unit(at) {
    if (at + 4 >= this.text.length) throw new JsonSyntaxError(translatable("invalid \\uXXXX escape"), at);
    const digits = this.text.substr(at, 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new JsonSyntaxError(translatable("invalid \\uXXXX escape"), at - 1);
    return parseInt(digits, 16);
  }

  object(at, depth) {
    const text = this.text;
    const found = new Map();
    const names = [];
    at = this.space(at);
    if (text[at] !== "}") {
      for (;;) {
        if (text[at] !== '"') {
          throw new JsonSyntaxError(translatable("expecting property name enclosed in double quotes"), at);
        }
        let [name, end] = this.string(at + 1);
        at = this.space(end);
        if (text[at] !== ":") throw new JsonSyntaxError(translatable("expecting ':' delimiter"), at);
        at = this.space(at + 1);
        const starts = depth === 0 && text[at] === "[" ? [] : null;
        let value;
        [value, at] = starts ? this.array(at + 1, 1, starts) : this.value(at, depth + 1);
        if (depth === 0) this.starts.set(name, starts || []);
        if (found.has(name)) names.push(name);
        found.set(name, value);
        at = this.space(at);
        if (text[at] === "}") break;
        if (text[at] !== ",") throw new JsonSyntaxError(translatable("expecting ',' delimiter"), at);
        const comma = at;
        at = this.space(at + 1);
        if (text[at] === "}" && this.rules.commas) {
          throw new JsonSyntaxError(translatable("illegal trailing comma before end of object"), comma);
        }
      }
    }
    if (names.length) {
      for (const name of found.keys()) {
        if (names.indexOf(name) >= 0) { this.repeated.push(name); break; }
      }
    }
    return [found, at + 1];
  }

  array(at, depth, starts) {
    const text = this.text;
    const found = [];
    at = this.space(at);
    if (text[at] !== "]") {
      for (;;) {
        if (starts) starts.push(at);
        let value;
        [value, at] = this.value(at, depth + 1);
        found.push(value);
        at = this.space(at);
        if (text[at] === "]") break;
        if (text[at] !== ",") throw new JsonSyntaxError(translatable("expecting ',' delimiter"), at);
        const comma = at;
        at = this.space(at + 1);
        if (text[at] === "]" && this.rules.commas) {
          throw new JsonSyntaxError(translatable("illegal trailing comma before end of array"), comma);
        }
      }
    }
    return [found, at + 1];
  }
}
