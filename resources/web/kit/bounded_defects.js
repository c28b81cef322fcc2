"use strict";

/** Bounded collection of defects: the first are stored, the others counted by cause. */
class BoundedDefects {
  constructor(path) {
    this.path = path;
    this.stored = [];
    this.alike = new Map(); // by cause: the first one beyond those stored, and the number of all
  }

  /** Return a list of defects; of a long one, each cause beyond the first with its count. */
  static of(defects) {
    if (defects.length <= BoundedDefects.LIMIT) return defects;
    const all = new BoundedDefects();
    defects.forEach((one) => all.append(one));
    return all.defects();
  }

  get isEmpty() { return !this.stored.length; }

  add(line, found, expected, hint) {
    this.append(Defects.error(Defects.place(this.path, line), found, expected, hint));
  }

  append(defect) {
    if (this.stored.length < BoundedDefects.LIMIT) this.stored.push(defect);
    else this.count(BoundedDefects.cause(defect), defect, defect.count);
  }

  count(given, defect, count) {
    const isKnown = this.alike.has(given) || this.alike.size < BoundedDefects.CAUSES;
    const cause = isKnown ? given : BoundedDefects.OTHERS;
    if (!this.alike.has(cause)) this.alike.set(cause, { first: defect, count: 0 });
    const known = this.alike.get(cause);
    known.count += count;
    const weight = (one) => BoundedDefects.WEIGHTS.indexOf(one.severity);
    if (weight(defect) > weight(known.first)) known.first = defect;
  }

  /** Append what another collection has stored and counted. */
  join(other) {
    other.stored.forEach((defect) => this.append(defect));
    other.alike.forEach(({ first, count }, cause) => this.count(cause, first, count));
  }

  /** Return the stored defects; if others were counted, each cause with the count of all. */
  defects() {
    if (!this.alike.size) return this.stored.slice();
    const stored = new Map();
    for (const one of this.stored) {
      const cause = BoundedDefects.cause(one);
      stored.set(cause, (stored.get(cause) || 0) + 1);
    }
    const [begun, others] = [[], []];
    this.alike.forEach(({ first, count }, cause) => {
      if (stored.get(cause) > BoundedDefects.ALIKE) begun.push(Object.assign({}, first, { count }));
      else if (cause === BoundedDefects.OTHERS) others.push(BoundedDefects.remainder(first, count));
      else others.push(BoundedDefects.first(first, count));
    });
    return [...BoundedDefects.condense([...this.stored, ...begun]), ...others];
  }

  /** Return the first defect of a cause, with a sentence that counts the others. */
  static first(defect, count) {
    const more = count - defect.count;
    if (!more) return defect;
    const others = fill("There are {count:,} more of this kind.", more);
    return Object.assign({}, defect, { found: joinMessages([defect.found, others]), count });
  }

  /** Return the first defects of each cause, and one that counts and places the others.

  Defects have one cause if they differ only in names in quotation marks, or words with digits.
  Those that count others already stay as they are. */
  static condense(defects) {
    const alike = BoundedDefects.ALIKE;
    const kinds = new Map();
    for (const one of defects) {
      if (String(one.hint) === BoundedDefects.HINT) continue;
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
    if (lines.length) found = fill("There are {count:,} more of this kind, on lines {names}.", count, nameList(lines, 3, count));
    else if (paths.length) found = fill("There are {count:,} more of this kind, at {names}.", count, nameList(paths, 3, count));
    const { severity, place } = alike[0];
    return Defects.made(severity, place, found, "", BoundedDefects.HINT, count);
  }

  static remainder({ severity, place }, count) {
    const found = fill("{count:,} more defects were found.", count);
    return Defects.made(severity, place, found, "", BoundedDefects.HINT, count);
  }
}
BoundedDefects.LIMIT = 10000;
BoundedDefects.CAUSES = 1000;
BoundedDefects.ALIKE = 10;
BoundedDefects.OTHERS = "";
BoundedDefects.WEIGHTS = ["note", "warning", "error"];
BoundedDefects.HINT = "Fix the first ones and check again.";
