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

  static remainder(place, count) {
    const found = `${Text.thousands(count)} more defects follow from here.`;
    return Defects.made("error", place, found, "", "Fix the first ones and check again.", count);
  }
}
BoundedDefects.LIMIT = 1000;
