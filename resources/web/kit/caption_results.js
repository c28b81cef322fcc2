"use strict";

/* Caption results of images or regions: their entries, and what is wrong with their texts. */

const CaptionResults = (() => {
  const OBJECTS = 'A list of objects with "image_id" and "caption" is expected.';
  const SEPARATORS = { "\r": "CR", "\v": "VT", "\f": "FF", "\u2028": "U+2028", "\u2029": "U+2029" };
  const isId = (value) => typeof value === "string" || Number.isFinite(value) || value instanceof Whole;
  const IMAGE = new Attribute("image_id", "A number or text is expected.", (value) => (isId(value) ? value : null));
  const CAPTION = new Attribute("caption", "Text is expected.", Attribute.text);
  const shown = (value) => (typeof value === "string" ? value : Text.written(value));

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
      if (lists.length) {
        const names = nameList(lists.map(([name]) => `"${name}"`));
        root.error(fill("Several lists of captions: {names}.", names), OBJECTS, "Give the list of one system as the file.");
        return null;
      }
    }
    if (Array.isArray(root.value) && root.value.length) return root;
    root.error(Array.isArray(root.value) ? "The list is empty." : fill("The file holds {type}.", root.describe()), OBJECTS);
    return null;
  }

  /** Return the caption of an object, also the only one of Florence-2's tasks. */
  function captionOf(value) {
    const known = ["caption", ...ProgramAnswers.CAPTION_TOKENS].filter((name) => value.has(name));
    return known.length === 1 ? value.get(known[0]) : null;
  }

  /** Return entries from captions by image: a text, or a list of one text or one object. */
  function byImage(value) {
    const entries = [];
    for (const [image, held] of value) {
      const one = Array.isArray(held) && held.length === 1 ? held[0] : held;
      const text = one instanceof Map ? captionOf(one) : one;
      if (typeof text !== "string") return [];
      entries.push(new Map([["image_id", ProgramAnswers.written(image)], ["caption", text]]));
    }
    return entries;
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

  return { IMAGE, CAPTION, OBJECTS, checkSeparators, findEntries, isId, shown, surrogateDefect };
})();
