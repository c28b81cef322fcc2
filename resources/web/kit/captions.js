"use strict";

/* Checker of image captioning: one caption for every image with references. */

function checker(facts, options, rules) {
  const { error, warning, note } = Defects;
  const { kindOf, member } = JsonAttributes;
  const OBJECTS = 'A list of objects with "image_id" and "caption" is expected.';
  const ID = "A number or text is expected.";
  const CAPTION = "Text is expected.";
  const SEPARATORS = { "\r": "CR", "\v": "VT", "\f": "FF", "\u2028": "U+2028", "\u2029": "U+2029" };
  const corrected = options.profile === "corrected";

  const isId = (value) => typeof value === "string" || typeof value === "number" || value instanceof Whole;
  const identifier = (value) => (isId(value) ? value : null);
  const text = (value) => (typeof value === "string" ? value : null);
  const shown = (value) => (typeof value === "string" ? value : Text.written(value));
  const quoted = (value) => (typeof value === "string" ? `"${value}"` : Text.written(value));

  /** Return the key of an id, compared as in Python: 2 equals 2.0 but not "2". */
  function key(value) {
    if (typeof value === "string") return `"${value}`;
    const digits = value instanceof Whole ? value.text : String(value);
    return digits === "-0" ? "0" : digits;
  }

  const counted = (image) => (Number.isInteger(image) ? new Whole(String(image)) : image);
  const known = new Map(facts.images.map(counted).map((image) => [key(image), image]));

  function read(bytes, path) {
    const file = Json.read(bytes, path, rules, true);
    const defects = file.defects.map(surrogateDefect);
    if (file.data === undefined) return defects;
    if (!Array.isArray(file.data) || !file.data.length) {
      const empty = Array.isArray(file.data);
      const found = empty ? "The list is empty." : `The file holds ${kindOf(file.data)}.`;
      return [...defects, error(file.place(), found, OBJECTS)];
    }
    const entries = entriesOf(file, defects);
    const captions = new Map();
    for (const entry of entries) checkEntry(file, entry, captions, defects);
    if (entries.length === file.data.length) defects.push(...missing(file, captions));
    const hasErrors = defects.some((one) => one.severity === "error");
    return hasErrors ? defects : [...defects, ...checkCaptions(file, entries)];
  }

  /** Make a lone surrogate an error: the original program stops at it. */
  function surrogateDefect(defect) {
    if (corrected || !defect.found.includes("half of a surrogate pair")) return defect;
    const hint = `${defect.hint} pycocoevalcap stops here; the corrected profile drops it.`;
    return Object.assign({}, defect, { severity: "error", hint, count: 1 });
  }

  function entriesOf(file, defects) {
    const entries = [];
    file.data.forEach((value, index) => {
      if (!(value instanceof Map)) {
        defects.push(error(file.place(`[${index}]`), `The element is ${kindOf(value)}.`, OBJECTS));
        return;
      }
      const image = member(value, "image_id", ID, identifier);
      const caption = member(value, "caption", CAPTION, text);
      const prefix = image.found ? "" : `Image ${shown(image.value)}: `;
      for (const [name, outcome] of [["image_id", image], ["caption", caption]]) {
        if (!outcome.found) continue;
        defects.push(error(file.place(`[${index}].${name}`), prefix + outcome.found, outcome.expected));
      }
      if (!image.found && !caption.found) entries.push({ index, image: image.value, caption: caption.value });
    });
    return entries;
  }

  function checkEntry(file, entry, captions, defects) {
    const name = key(entry.image);
    if (captions.has(name)) {
      const found = `Image ${shown(entry.image)} already has a caption at [${captions.get(name).index}].`;
      defects.push(error(file.place(`[${entry.index}]`), found, "One caption is expected.", "Keep one of them."));
      return;
    }
    captions.set(name, entry);
    if (known.has(name)) {
      separators(file, entry, defects);
      return;
    }
    const other = swapType(entry.image);
    const isMistyped = other !== null && known.has(key(other));
    const hint = isMistyped ? `Write the id as in the annotations: ${quoted(other)}.` : "Remove the entry.";
    const found = `Image ${quoted(entry.image)} is not in ${facts.named_by}.`;
    const where = file.place(`[${entry.index}].image_id`);
    defects.push(error(where, found, "An image of the annotations is expected.", hint));
  }

  /** Return a number id as text, or a text id as a number if it is one. */
  function swapType(image) {
    if (typeof image !== "string") return Text.written(image);
    return /^[0-9]{1,18}$/.test(image) ? new Whole(image.replace(/^0+(?=[0-9])/, "")) : null;
  }

  function separators(file, entry, defects) {
    const caption = entry.caption.replace(/\n/g, " ").replace(/\r$/, "");
    const signs = caption.match(/[\r\v\f\u2028\u2029]/g);
    if (!signs) return;
    const names = Text.listing([...new Set(signs.map((sign) => SEPARATORS[sign]))]);
    const count = Text.counted(signs.length, "line separator");
    const found = `The caption of image ${shown(entry.image)} contains ${count} (${names}).`;
    const where = file.place(`[${entry.index}].caption`);
    if (corrected) {
      defects.push(note(where, found, "It counts as a space."));
      return;
    }
    const effect = "The published profile scores all later captions of the file for the wrong images.";
    const hint = "Replace it with a space, or use the corrected profile, which reads it as one.";
    defects.push(warning(where, found, effect, hint));
  }

  function missing(file, captions) {
    if (options.images === "results") return [];
    const images = [...known].filter(([name]) => !captions.has(name)).map(([, image]) => quoted(image));
    if (!images.length) return [];
    const found = `${Text.counted(images.length, "image")} without a caption: ${Text.listing(images)}.`;
    const hint = "Add them, or score only the images of the results (--images results).";
    const expected = `A caption is expected for every image of ${facts.named_by}.`;
    return [error(file.place(), found, expected, hint)];
  }

  function checkCaptions(file, entries) {
    const defects = [];
    const first = entries[0].caption;
    if (entries.length > 1 && entries.every((one) => one.caption === first)) {
      const found = `All ${Text.thousands(entries.length)} captions are the same.`;
      defects.push(warning(file.place(), found, "A caption for each image is expected."));
    }
    const empty = entries.filter((one) => !Text.strip(one.caption));
    if (empty.length) {
      const where = file.place(`[${empty[0].index}].caption`);
      defects.push(note(where, `${Text.counted(empty.length, "empty caption")}.`, "They are scored.", empty.length));
    }
    return defects;
  }

  return read;
}
