"use strict";

/* Other spellings of ids: of spreadsheets, paths, pictures' files, and numbers with zeros. */

const IdSpellings = (() => {
  const EXTENSION = /\.(?:jpe?g|png|gif|bmp|tiff?|webp)$/i;
  const NUMBER = /(?:^(?=[0-9]{1,18}$)|_(?=[0-9]{12}$))0*([0-9]+)$/;
  const OF_A_SHEET = /^(?:="([^"]*)"|'([^\n]+?)'?|([0-9]{1,18})[.,]0+)$/;

  /** Return the key of an id, compared as in Python: 2 equals 2.0 but not "2". */
  function key(value) {
    if (typeof value === "string") return `"${value}`;
    const digits = value instanceof Whole ? value.text : String(value);
    return digits === "-0" ? "0" : digits;
  }

  const asWhole = (id) => (Number.isInteger(id) ? new Whole(String(id)) : id);

  /** Return an id without blanks and what a spreadsheet adds. */
  function plain(text) {
    const name = Text.strip(text);
    const found = OF_A_SHEET.exec(name);
    return (found && found.slice(1).find((one) => one)) || name;
  }

  /** Return a name, its plain form, the last part of that, its stem, and the number at its end. */
  function of(text) {
    const name = plain(text);
    const base = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
    const stem = base.replace(EXTENSION, "");
    const number = NUMBER.exec(stem);
    return [...new Set([Text.strip(text), name, base, stem, number ? number[1] : ""])].filter((one) => one);
  }

  /** Return the digits of a whole number, also of another spelling; null for anything else. */
  function number(value) {
    if (typeof value !== "string") return Attribute.wholeNumber(value);
    const found = of(value).map(Attribute.wholeNumber).find((one) => one !== null);
    return found === undefined ? null : found;
  }

  /** Note ids of the entries that are read, written as text or as fractions. */
  function noteNumbers(root, isRead) {
    const odd = [];
    for (const entry of root.elements()) {
      if (!isRead(entry)) continue;
      for (const name of ["image_id", "round_id"]) {
        const id = entry.at(name);
        if (!(id.value instanceof Whole)) odd.push(id);
      }
    }
    if (!odd.length) return;
    const found = fill("Text or a fraction as an id: {times}.", counted(odd.length, "time"));
    odd[0].note(found, "It is read as a whole number.", odd.length);
  }

  const isFileName = (id) => typeof id === "string" && EXTENSION.test(Text.strip(id));

  /** Ids, each with its names, by every spelling of them. */
  class Known {
    constructor(named) {
      this.ids = new Map();
      for (const [id, names] of named.map(([one, all]) => [asWhole(one), all])) {
        for (const name of names) for (const one of of(Text.written(asWhole(name)))) this.add(one, id);
      }
    }

    add(name, id) {
      if (!this.ids.has(name)) this.ids.set(name, new Map());
      this.ids.get(name).set(key(id), id);
    }

    /** Return the one id that an unknown one can mean; undefined for none or several. */
    find(id) {
      const found = new Map();
      for (const one of of(Text.written(asWhole(id)))) {
        for (const [name, meant] of this.ids.get(one) || []) found.set(name, meant);
      }
      return found.size === 1 ? [...found.values()][0] : undefined;
    }
  }

  return { Known, asWhole, isFileName, key, noteNumbers, number, of, plain };
})();
