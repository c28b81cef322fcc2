"use strict";

/** Bounded collection of errors: the first are stored, the others counted. */
class BoundedDefects {
  constructor(path) {
    this.path = path;
    this.errors = [];
    this.more = 0;
  }

  add(line, found, expected, hint) {
    if (this.errors.length > BoundedDefects.LIMIT) this.more += 1;
    else this.errors.push(Defects.error(Defects.place(this.path, line), found, expected, hint));
  }

  /** Return the errors; the last one represents all that were only counted. */
  defects() {
    if (!this.more) return this.errors;
    const last = this.errors[this.errors.length - 1];
    return [...this.errors.slice(0, -1), BoundedDefects.remainder(last.place, 1 + this.more)];
  }

  /** Return at most `LIMIT` defects, and one that represents the rest. */
  static limit(defects, path) {
    if (defects.length <= BoundedDefects.LIMIT) return defects;
    const others = defects.slice(BoundedDefects.LIMIT);
    const count = others.reduce((sum, one) => sum + (one.severity === "error" ? one.count : 1), 0);
    return [...defects.slice(0, BoundedDefects.LIMIT), BoundedDefects.remainder(Defects.place(path, others[0].place.line), count)];
  }

  /** Return the first defects of each cause, and one that counts and places the others.

  Defects have one cause if they differ only in names in quotation marks, or words with digits. */
  static condense(defects) {
    const alike = BoundedDefects.ALIKE;
    const kinds = new Map();
    for (const one of defects) {
      const cause = BoundedDefects.cause(one);
      if (!kinds.has(cause)) kinds.set(cause, []);
      kinds.get(cause).push(one);
    }
    const others = new Map();
    const hidden = new Set();
    for (const kind of kinds.values()) {
      if (kind.length <= alike + 1) continue;
      others.set(kind[alike], kind.slice(alike));
      kind.slice(alike + 1).forEach((one) => hidden.add(one));
    }
    const shown = defects.filter((one) => !hidden.has(one));
    return shown.map((one) => (others.has(one) ? BoundedDefects.summary(others.get(one)) : one));
  }

  static cause(one) {
    const path = (one.place.json_path || "").replace(/[0-9]+/g, "#");
    const texts = [one.found, one.expected].map((text) => String(text).replace(/"[^"]*"|[^ "]*[0-9][^ "]*/g, "#"));
    return JSON.stringify([one.severity, path, ...texts]);
  }

  static summary(alike) {
    const count = alike.reduce((sum, one) => sum + one.count, 0);
    const lines = alike.filter(({ place }) => place.line !== null).map(({ place }) => String(place.line));
    const paths = alike.map(({ place }) => place.json_path).filter((one) => one);
    let found = fill("There are {count:,} more of this kind.", count);
    if (lines.length) found = fill("There are {count:,} more of this kind, on lines {names}.", count, nameList(lines));
    else if (paths.length) found = fill("There are {count:,} more of this kind, at {names}.", count, nameList(paths));
    const { severity, place } = alike[0];
    return Defects.made(severity, place, found, "", "Fix the first ones and check again.", count);
  }

  static remainder(place, count) {
    const found = fill("{count:,} more defects follow from here.", count);
    return Defects.made("error", place, found, "", "Fix the first ones and check again.", count);
  }
}
BoundedDefects.LIMIT = 1000;
BoundedDefects.ALIKE = 10;
