"use strict";

/* Caption results of images or regions: their entries, and other spellings of ids. */

const CaptionResults = (() => {
  const OBJECTS = 'A list of objects with "image_id" and "caption" is expected.';
  const SEPARATORS = { "\r": "CR", "\v": "VT", "\f": "FF", "\u2028": "U+2028", "\u2029": "U+2029" };
  const EXTENSION = /\.(?:jpe?g|png|gif|bmp|tiff?|webp)$/i;
  const NUMBER = /(?:^(?=[0-9]{1,18}$)|_(?=[0-9]{12}$))0*([0-9]+)$/;
  const isId = (value) => typeof value === "string" || Number.isFinite(value) || value instanceof Whole;
  const IMAGE = new Attribute("image_id", "A number or text is expected.", (value) => (isId(value) ? value : null));
  const CAPTION = new Attribute("caption", "Text is expected.", Attribute.text);
  const shown = (value) => (typeof value === "string" ? value : Text.written(value));

  /** Return the key of an id, compared as in Python: 2 equals 2.0 but not "2". */
  function key(value) {
    if (typeof value === "string") return `"${value}`;
    const digits = value instanceof Whole ? value.text : String(value);
    return digits === "-0" ? "0" : digits;
  }

  const asWhole = (image) => (Number.isInteger(image) ? new Whole(String(image)) : image);

  const isEntry = (value) => value instanceof Map && value.has("image_id") && value.has("caption");

  /** Return a cursor at the list of captions, or null; report another layout. */
  function findEntries(root) {
    if (root.isObject) {
      const isList = ([, value]) => Array.isArray(value) && value.length && value.every(isEntry);
      const lists = [...root.value].filter(isList);
      if (lists.length === 1) {
        const [name] = lists[0];
        root.note(fill('The captions are in the member "{name}".', name), "They were read as a list of results.");
        return root.at(name);
      }
      const entries = byImage(root.value);
      if (entries.length) {
        const found = "The file is an object of captions by image id, not a list of results.";
        root.note(found, "It was read as such a list.");
        return root.moved("", entries);
      }
    }
    if (Array.isArray(root.value) && root.value.length) return root;
    root.error(Array.isArray(root.value) ? "The list is empty." : fill("The file holds {type}.", root.describe()), OBJECTS);
    return null;
  }

  /** Return an entry of the results; an id that is written as a whole number is one. */
  function entry(image, caption) {
    const id = /^(?:0|[1-9][0-9]{0,17})$/.test(image) ? new Whole(image) : image;
    return new Map([["image_id", id], ["caption", caption]]);
  }

  /** Return entries from captions by image: a text, or a list of one text or one object. */
  function byImage(value) {
    const entries = [];
    for (const [image, held] of value) {
      const one = Array.isArray(held) && held.length === 1 ? held[0] : held;
      const text = one instanceof Map ? one.get("caption") : one;
      if (typeof text !== "string") return [];
      entries.push(entry(image, text));
    }
    return entries;
  }

  /** Return a name, its last part, that without its extension, and the number at its end. */
  function spellings(text) {
    const name = Text.strip(text);
    const base = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
    const stem = base.replace(EXTENSION, "");
    const number = NUMBER.exec(stem);
    return [...new Set([name, base, stem, number ? number[1] : ""])].filter((one) => one);
  }

  /** Images, each an id and a file name, by every spelling of them. */
  class Names {
    constructor(images) {
      this.images = new Map();
      for (const [image, name] of images.map(([id, file]) => [asWhole(id), file])) {
        for (const text of [Text.written(image), name]) for (const one of spellings(text)) this.add(one, image);
      }
    }

    add(name, image) {
      if (!this.images.has(name)) this.images.set(name, new Map());
      this.images.get(name).set(key(image), image);
    }

    /** Return the one image that an unknown id can mean; undefined for none or several. */
    find(image) {
      const found = new Map();
      for (const one of spellings(Text.written(asWhole(image)))) {
        for (const [name, meant] of this.images.get(one) || []) found.set(name, meant);
      }
      return found.size === 1 ? [...found.values()][0] : undefined;
    }
  }

  /** Make a lone surrogate an error: the original program stops at it. */
  function surrogateDefect(defect, corrected) {
    if (corrected || !String(defect.found).includes("half of a surrogate pair")) return defect;
    const hint = joinMessages([defect.hint, "pycocoevalcap stops here; the corrected profile drops it."]);
    return Object.assign({}, defect, { severity: "error", hint, count: 1 });
  }

  /** Report it if the tokenizer would start a new line inside a caption. */
  function checkSeparators(caption, phrase, corrected) {
    const text = caption.value.replace(/\n/g, " ").replace(/\r$/, "");
    const signs = text.match(/[\r\v\f\u2028\u2029]/g);
    if (!signs) return;
    const names = nameList([...new Set(signs.map((sign) => SEPARATORS[sign]))]);
    const count = counted(signs.length, "line separator");
    const found = fill("{whose_phrase} contains {line_separators} ({names}).", phrase, count, names);
    if (corrected) {
      caption.note(found, "It counts as a space.");
      return;
    }
    const effect = "The published profile scores all later captions of the file for the wrong images.";
    const hint = "Replace it with a space, or use the corrected profile, which reads it as one.";
    caption.warning(found, effect, hint);
  }

  return { EXTENSION, IMAGE, CAPTION, OBJECTS, Names, asWhole, checkSeparators, entry, findEntries, isId, key, shown, surrogateDefect };
})();
