"use strict";

/* A user's JSON file: its value, and everything that is wrong with it, place by place. */

class Stopped extends Error {
  constructor(message, position) { super(message); this.position = position; }
}

class TooDeep extends Error {}
class TooLong extends Error {}

/** The parser of Python's `json`: the same values, the same complaints at the same characters. */
class Parser {
  constructor(text, rules) {
    this.text = text;
    this.rules = rules;
    this.repeated = [];
    this.foreign = 0;
    this.starts = new Map();
  }

  parse() {
    let [value, end] = this.value(this.space(0), 0);
    end = this.space(end);
    if (end !== this.text.length) throw new Stopped("Extra data", end);
    return value;
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
      if (depth >= this.rules.deepest) throw new TooDeep();
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
    if (!digit(end)) throw new Stopped("Expecting value", at);
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
    if (written.replace("-", "").length > this.rules.digits) throw new TooLong();
    return [new Whole(written), end];
  }

  string(at) {
    const text = this.text;
    const parts = [];
    const begin = at - 1;
    let from = at;
    for (;;) {
      const code = text.charCodeAt(at);
      if (at >= text.length) throw new Stopped("Unterminated string starting at", begin);
      if (code === 34) break;
      if (code < 32) throw new Stopped("Invalid control character at", at);
      if (code !== 92) { at += 1; continue; }
      parts.push(text.slice(from, at));
      if (at + 1 >= text.length) throw new Stopped("Unterminated string starting at", begin);
      if (text[at + 1] === "u") {
        parts.push(String.fromCharCode(this.unit(at + 2)));
        at += 6;
      } else {
        const meant = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
        const letter = text[at + 1];
        if (!Object.prototype.hasOwnProperty.call(meant, letter)) {
          throw new Stopped("Invalid \\escape", at);
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
    if (at + 4 >= this.text.length) throw new Stopped("Invalid \\uXXXX escape", at);
    const digits = this.text.substr(at, 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new Stopped("Invalid \\uXXXX escape", at - 1);
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
          throw new Stopped("Expecting property name enclosed in double quotes", at);
        }
        let [name, end] = this.string(at + 1);
        at = this.space(end);
        if (text[at] !== ":") throw new Stopped("Expecting ':' delimiter", at);
        at = this.space(at + 1);
        const starts = depth === 0 && text[at] === "[" ? [] : null;
        let value;
        [value, at] = starts ? this.array(at + 1, 1, starts) : this.value(at, depth + 1);
        if (depth === 0) this.starts.set(name, starts || []);
        if (found.has(name)) names.push(name);
        found.set(name, value);
        at = this.space(at);
        if (text[at] === "}") break;
        if (text[at] !== ",") throw new Stopped("Expecting ',' delimiter", at);
        const comma = at;
        at = this.space(at + 1);
        if (text[at] === "}" && this.rules.commas) {
          throw new Stopped("Illegal trailing comma before end of object", comma);
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
        if (text[at] !== ",") throw new Stopped("Expecting ',' delimiter", at);
        const comma = at;
        at = this.space(at + 1);
        if (text[at] === "]" && this.rules.commas) {
          throw new Stopped("Illegal trailing comma before end of array", comma);
        }
      }
    }
    return [found, at + 1];
  }
}

/** A file that was read: `data` (undefined after an error), defects, and places in it. */
class JsonFile {
  constructor(path, defects, text, parser) {
    Object.assign(this, { path, defects, text, starts: parser ? parser.starts : new Map() });
    this.lines = new Map();
  }

  place(name, index, deeper) {
    if (name === undefined) return Defects.place(this.path);
    if (index === undefined) return Defects.place(this.path, null, null, name + (deeper || ""));
    return Defects.place(this.path, this.line(name, index), null, `${name}[${index}]${deeper || ""}`);
  }

  /** The line where an element of a list of the outermost object begins. */
  line(name, index) {
    if (!this.lines.has(name)) {
      let [line, counted] = [1, 0];
      this.lines.set(name, (this.starts.get(name) || []).map((start) => {
        for (; counted < start; counted += 1) if (this.text.charCodeAt(counted) === 10) line += 1;
        return line;
      }));
    }
    const lines = this.lines.get(name);
    return index < lines.length ? lines[index] : null;
  }
}

/** UTF-8 as Unicode recommends: every part that is no character becomes one U+FFFD. */
const Utf8 = {
  decode(bytes) {
    const whole = this.whole(bytes);
    if (whole !== null) return { text: whole, first: -1, wrong: 0, before: "" };
    const parts = [];
    let units = [];
    let [first, wrong, before] = [-1, 0, ""];
    for (let i = 0; i < bytes.length;) {
      if (units.length > 8000) { parts.push(String.fromCharCode(...units)); units = []; }
      const lead = bytes[i];
      if (lead < 0x80) { units.push(lead); i += 1; continue; }
      let [needed, low, high] = [0, 0x80, 0xbf];
      if (lead >= 0xc2 && lead <= 0xdf) needed = 1;
      else if (lead >= 0xe0 && lead <= 0xef) needed = 2;
      else if (lead >= 0xf0 && lead <= 0xf4) needed = 3;
      if (lead === 0xe0) low = 0xa0;
      if (lead === 0xed) high = 0x9f;
      if (lead === 0xf0) low = 0x90;
      if (lead === 0xf4) high = 0x8f;
      let code = lead & (needed === 1 ? 0x1f : needed === 2 ? 0x0f : 0x07);
      let taken = 0;
      while (taken < needed && bytes[i + 1 + taken] >= low && bytes[i + 1 + taken] <= high) {
        code = (code << 6) | (bytes[i + 1 + taken] & 0x3f);
        [low, high] = [0x80, 0xbf];
        taken += 1;
      }
      if (!needed || taken < needed) {
        if (first < 0) {
          first = i;
          before = parts.join("") + String.fromCharCode(...units);
        }
        wrong += 1;
        code = 0xfffd;
      }
      if (code < 0x10000) units.push(code);
      else units.push(0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
      i += 1 + taken;
    }
    parts.push(String.fromCharCode(...units));
    return { text: parts.join(""), first, wrong, before };
  },

  /** The text as the browser itself reads it, which is quick; null where a byte is wrong. */
  whole(bytes) {
    if (typeof TextDecoder === "undefined") return null;
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (fault) {
      return null;
    }
  },
};

const Json = (() => {
  const REPLACEMENT = "\ufffd";
  const HALF = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|[^])/g;
  const FOREIGN = /"(?:[^"\\]|\\[^])*"|(-?Infinity|NaN)/g;
  const { error, warning, note, place } = Defects;

  /** Read the bytes of a file named `path`; `rules` are those of the organiser's Python.

  With `notFinite` among them, NaN and Infinity are read, for a checker that refuses each itself. */
  function read(bytes, path, rules, replace) {
    const decoded = textOf(bytes, path, rules, replace);
    if (decoded.text === null) return new JsonFile(path, decoded.defects, "");
    const [text, half] = withoutHalves(decoded.text, path);
    const parser = new Parser(text, rules);
    const defects = [...decoded.defects, ...half];
    let data;
    try {
      data = parser.parse();
    } catch (fault) {
      return new JsonFile(path, [...defects, refusal(fault, text, path)], text, parser);
    }
    if (parser.foreign && !rules.notFinite) {
      return new JsonFile(path, [...defects, foreign(text, path)], text, parser);
    }
    const file = new JsonFile(path, [...defects, ...repeated(parser.repeated, path)], text, parser);
    file.data = data;
    return file;
  }

  function textOf(bytes, path, rules, replace) {
    const refused = (...told) => ({ text: null, defects: [error(place(path), ...told)] });
    if (bytes.length > rules.bytes) {
      const size = Text.thousands(Math.round(rules.bytes / 1048576));
      return refused(`The file holds more than ${size} MiB of text.`, "", "Check that it is the right file.");
    }
    const blank = [9, 10, 11, 12, 13, 32];
    if (bytes.every((one) => blank.indexOf(one) >= 0)) return refused("The file is empty.");
    if ((bytes[0] === 255 && bytes[1] === 254) || (bytes[0] === 254 && bytes[1] === 255)) {
      return refused("The text is UTF-16.", "UTF-8 is expected.", "Save it as UTF-8.");
    }
    const marked = bytes[0] === 239 && bytes[1] === 187 && bytes[2] === 191;
    const body = marked ? bytes.subarray(3) : bytes;
    const marks = marked ? [note(place(path), "The byte order mark at the start was skipped.")] : [];
    const decoded = Utf8.decode(body);
    if (decoded.first < 0) return { text: decoded.text, defects: marks };
    const [line, column] = lineAndColumn(decoded.before, decoded.before.length);
    const where = place(path, line, column);
    const byte = body[decoded.first].toString(16).toUpperCase().padStart(2, "0");
    const found = `The byte 0x${byte} is not UTF-8.`;
    if (!replace) {
      const told = error(where, found, "UTF-8 is expected.", "Save the file as UTF-8.");
      return { text: null, defects: [...marks, told] };
    }
    const expected = `It was read as the replacement character U+FFFD (${Text.thousands(decoded.wrong)} in all).`;
    const told = warning(where, found, expected, "Save the file as UTF-8.", decoded.wrong);
    return { text: decoded.text, defects: [...marks, told] };
  }

  /** The line and the column, in characters, of a place in a text; both from 1. */
  function lineAndColumn(text, position) {
    const before = text.slice(0, position);
    const start = before.lastIndexOf("\n") + 1;
    return [before.split("\n").length, Text.length(before.slice(start)) + 1];
  }

  function withoutHalves(text, path) {
    const halves = [];
    const whole = text.replace(HALF, (found, half, position) => {
      if (half === undefined) return found;
      halves.push([found, position]);
      return "\\ufffd";
    });
    if (!halves.length) return [text, []];
    const [found, position] = halves[0];
    const told = warning(
      place(path, ...lineAndColumn(text, position)),
      `The escape ${found} is one half of a character.`,
      `It was read as the replacement character U+FFFD (${Text.thousands(halves.length)} in all).`,
      "Write both halves.", halves.length,
    );
    return [whole, [told]];
  }

  function refusal(fault, text, path) {
    if (fault instanceof TooDeep) {
      const found = "The JSON is nested too deeply to be read.";
      return error(place(path), found, "A few levels are expected.");
    }
    if (fault instanceof TooLong) {
      return error(place(path), "The JSON holds a whole number of thousands of digits.");
    }
    if (!(fault instanceof Stopped)) throw fault;
    const message = fault.message.replace(/ at$/, "").replace(/ starting$/, "");
    const shown = Text.strip(Text.head(text.slice(fault.position), 40).split("\n")[0]);
    const rest = Text.characters(shown).map((one) => (Text.printable(one) ? one : REPLACEMENT)).join("");
    let there = rest ? `here stands: ${rest}` : "the line ends here.";
    if (fault.position >= Text.stripRight(text).length) there = "the file ends here.";
    return error(
      place(path, ...lineAndColumn(text, fault.position)),
      `The JSON is invalid: ${message.slice(0, 1).toLowerCase()}${message.slice(1)}, but ${there}`,
      "", "Nothing after this place was read: mend it and check again.",
    );
  }

  function foreign(text, path) {
    FOREIGN.lastIndex = 0;
    let match = FOREIGN.exec(text);
    while (match[1] === undefined) match = FOREIGN.exec(text);
    const where = place(path, ...lineAndColumn(text, match.index));
    const found = `The JSON is invalid: ${match[1]} is no JSON value.`;
    return error(where, found, "A finite number or null is expected.");
  }

  function repeated(names, path) {
    if (!names.length) return [];
    const which = Text.listing([...new Set(names)].map((name) => `"${name}"`));
    const found = `${Text.counted(names.length, "object")} with a member that is there twice: ${which}.`;
    return [warning(place(path), found, "The last one counts.", "", names.length)];
  }

  return { read };
})();
