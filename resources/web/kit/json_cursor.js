"use strict";

/* Cursor in a JSON file: a value, its path, and the defects found there. */

/** Content of a JSON file: its defects, and the lines of the elements of its top-level lists. */
class JsonFile {
  constructor(path, defects, text, starts) {
    Object.assign(this, { path, defects, text, starts, lines: new Map() });
  }

  /** Return the line on which an element of a list of the outermost object begins.

  Null if all of them are on the same line. */
  line(name, index) {
    if (!this.lines.has(name)) {
      let [line, counted] = [1, 0];
      const lines = (this.starts.get(name) || []).map((start) => {
        for (; counted < start; counted += 1) if (this.text.charCodeAt(counted) === 10) line += 1;
        return line;
      });
      const isUseful = lines.length === 1 ? lines[0] > 1 : new Set(lines).size > 1;
      this.lines.set(name, isUseful ? lines : []);
    }
    const lines = this.lines.get(name);
    return index < lines.length ? lines[index] : null;
  }
}

/** Value of a JSON file with its path, which reports what is wrong with it.

The value is null if there is none, and undefined for a file that cannot be read. */
class JsonCursor {
  constructor(file, value, path, key, index) {
    this.file = file;
    this.value = value;
    this.path = path || "";
    this.key = key || "";
    this.index = index === undefined ? null : index;
  }

  /** Defects of the file as its reader returns them. */
  get defects() { return BoundedDefects.of(this.file.defects); }

  get isObject() { return this.value instanceof Map; }

  /** Return a cursor at a member of this object, or at an element of this list. */
  at(step) {
    if (typeof step === "number") {
      const index = this.path === this.key ? step : this.index;
      return new JsonCursor(this.file, this.value[step], `${this.path}[${step}]`, this.key, index);
    }
    const value = this.isObject && this.value.has(step) ? this.value.get(step) : null;
    if (!this.path) return new JsonCursor(this.file, value, step, step, this.index);
    return new JsonCursor(this.file, value, `${this.path}.${step}`, this.key, this.index);
  }

  /** Return a cursor at another path, whose place has no line. */
  moved(path, value) { return new JsonCursor(this.file, value === undefined ? null : value, path); }

  elements() { return this.value.map((one, index) => this.at(index)); }

  get place() {
    const isListed = this.key && this.index !== null;
    const line = isListed ? this.file.line(this.key, this.index) : null;
    return Defects.place(this.file.path, line, null, this.path || null);
  }

  /** Return an error at this value without reporting it. */
  fault(found, expected, hint) { return Defects.error(this.place, found, expected, hint); }

  error(found, expected, hint) { this.file.defects.push(this.fault(found, expected, hint)); }

  warning(found, expected, hint, count) {
    this.file.defects.push(Defects.warning(this.place, found, expected, hint, count));
  }

  note(found, hint, count) { this.file.defects.push(Defects.note(this.place, found, hint, count)); }

  /** Return a cursor at a list of the file's object; report an error if there is none. */
  topList(attribute, expected) {
    if (!this.isObject) {
      this.error(fill("The file holds {type}.", this.describe()), expected);
      return null;
    }
    if (this.value.size && !this.value.has(attribute.name)) {
      this.reportMissing(attribute.name, attribute.expected);
      return null;
    }
    this.reportInvalid([attribute]);
    return attribute.of(this) === null ? null : this.at(attribute.name);
  }

  /** Report a member that the file's object lacks, with those that it has instead. */
  reportMissing(name, expected) {
    let found = this.describeFault(name);
    const names = [...this.value.keys()];
    if (CloseMatch.match(name, names) === null) {
      const has = nameList(names.map((one) => `"${Text.head(one, 40)}"`));
      found = joinMessages([found, fill("Its members are {names}.", has)]);
    }
    this.at(name).error(found, expected);
  }

  /** Report the invalid ones among the members of this object, named by `phrase`. */
  reportInvalid(attributes, phrase) {
    for (const attribute of attributes) {
      if (attribute.of(this) !== null) continue;
      const fault = this.describeFault(attribute.name);
      this.at(attribute.name).error(phrase ? fill("{phrase}: {fault}", phrase, fault) : fault, attribute.expected);
    }
  }

  describeFault(name) {
    if (this.value.has(name)) return fill('"{name}" is {type}.', name, this.at(name).describe());
    const meant = CloseMatch.match(name, [...this.value.keys()]);
    const found = fill('"{name}" is missing.', name);
    return meant === null ? found : joinMessages([found, fill('Is "{meant}" meant?', meant)]);
  }

  describe() { return JsonCursor.describe(this.value); }

  /** Describe a value in a few words: a scalar by type and value, a list by its types. */
  static describe(value) {
    if (value === true || value === false) return value ? "true" : "false";
    if (typeof value === "string") return fill('the text "{shown}"', JsonCursor.shorten(value));
    if (typeof value === "number" || value instanceof Whole) {
      return fill("the number {value}", JsonCursor.shorten(Text.written(value)));
    }
    if (!Array.isArray(value) || !value.length) return JsonCursor.kind(value);
    const [first, second, ...more] = [...new Set(value.map(JsonCursor.typeName))].map(translatable);
    if (!second) return fill("a list of {phrase}", first);
    if (!more.length) return fill("a list of {phrase} and {second_phrase}", first, second);
    const rest = joinMessages(more, " and ");
    return fill("a list of {phrase} and {second_phrase} and {third_phrase}", first, second, rest);
  }

  static shorten(text) { return Text.length(text) <= 40 ? text : `${Text.head(text, 40)}…`; }

  static kind(value) { return translatable(JsonCursor.typeName(value)); }

  static typeName(value) {
    if (value === null) return "null";
    if (typeof value === "boolean") return "true or false";
    if (typeof value === "number") return "a fraction";
    if (typeof value === "string") return "text";
    if (value instanceof Whole) return "a whole number";
    return Array.isArray(value) ? "a list" : "an object";
  }
}

/** Required member of an object; `parse` returns null for a value of another type. */
class Attribute {
  constructor(name, expected, parse) { Object.assign(this, { name, expected, parse }); }

  /** Return the attribute's value; null if it is missing or invalid. */
  of(holder) { return this.parse(holder.at(this.name).value); }

  static text(value) { return typeof value === "string" ? value : null; }

  static id(value) { return value instanceof Whole ? value.text : Attribute.text(value); }

  static ids(value) {
    const ids = Array.isArray(value) ? value.map(Attribute.id) : null;
    return ids && ids.every((one) => one !== null) ? ids : null;
  }

  /** Return the digits of a whole number, also from text or a fraction. */
  static wholeNumber(value) {
    if (value instanceof Whole) return value.text;
    if (typeof value === "string") return /^[0-9]{1,9}$/.test(value) ? String(Number(value)) : null;
    return Number.isInteger(value) && Math.abs(value) <= 9007199254740992 ? String(value) : null;
  }

  static list(value) { return Array.isArray(value) ? value : null; }
}
