"use strict";

/** The errors of a piece of a file: the first are told one by one, the others are counted. */
class TrecWrong {
  constructor(path) {
    this.path = path;
    this.errors = [];
    this.more = 0;
  }

  add(line, found, expected, hint) {
    if (this.errors.length > TrecWrong.TOLD) this.more += 1;
    else this.errors.push(Defects.error(Defects.place(this.path, line), found, expected, hint));
  }

  /** Every error, the last one standing for all that were only counted. */
  told() {
    if (!this.more) return this.errors;
    const last = this.errors[this.errors.length - 1];
    return [...this.errors.slice(0, -1), TrecWrong.others(last.place, 1 + this.more)];
  }

  /** At most `TOLD` defects one by one, and how many more there are. */
  static bounded(defects, path) {
    if (defects.length <= TrecWrong.TOLD) return defects;
    const others = defects.slice(TrecWrong.TOLD);
    const count = others.reduce((sum, one) => sum + (one.severity === "error" ? one.count : 1), 0);
    return [...defects.slice(0, TrecWrong.TOLD), TrecWrong.others(Defects.place(path, others[0].place.line), count)];
  }

  static others(place, count) {
    const found = `${Text.thousands(count)} more defects follow from here.`;
    return Defects.made("error", place, found, "", "Fix the first ones and check again.", count);
  }
}
TrecWrong.TOLD = 1000;
