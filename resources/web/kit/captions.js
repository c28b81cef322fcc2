"use strict";

/* Image captioning: one caption for every image that counts. */

function checker(facts, options, rules) {
  const { error, warning, note } = Defects;
  const { kindOf, member } = Members;
  const OBJECTS = 'A list of objects with "image_id" and "caption" is expected.';
  const ID = "The image's id is expected, a number or text.";
  const CAPTION = "The caption is expected, as text.";
  const SEPARATORS = { "\r": "CR", "\v": "VT", "\f": "FF", "\u2028": "U+2028", "\u2029": "U+2029" };
  const corrected = options.profile === "corrected";

  const isId = (value) => typeof value === "string" || typeof value === "number" || value instanceof Whole;
  const identifier = (value) => (isId(value) ? value : null);
  const text = (value) => (typeof value === "string" ? value : null);
  const shown = (value) => (typeof value === "string" ? value : Text.written(value));
  const quoted = (value) => (typeof value === "string" ? `"${value}"` : Text.written(value));

  /** What an id is compared by, as Python compares: 2 and 2.0 are the same, "2" is another. */
  function key(value) {
    if (typeof value === "string") return `"${value}`;
    const digits = value instanceof Whole ? value.text : String(value);
    return digits === "-0" ? "0" : digits;
  }

  const counted = (image) => (Number.isInteger(image) ? new Whole(String(image)) : image);
  const known = new Map(facts.images.map(counted).map((image) => [key(image), image]));

  function read(bytes, path) {
    const file = Json.read(bytes, path, rules, true);
    const defects = file.defects.map(half);
    if (file.data === undefined) return defects;
    if (!Array.isArray(file.data) || !file.data.length) {
      const empty = Array.isArray(file.data);
      const found = empty ? "The list is empty." : `The file holds ${kindOf(file.data)}.`;
      return [...defects, error(file.place(), found, OBJECTS)];
    }
    const entries = entriesOf(file, defects);
    const captions = new Map();
    for (const entry of entries) look(file, entry, captions, defects);
    if (entries.length === file.data.length) defects.push(...missing(file, captions));
    const refused = defects.some((one) => one.severity === "error");
    return refused ? defects : [...defects, ...remarks(file, entries)];
  }

  /** A lone surrogate, at which the original stops, is an error. */
  function half(defect) {
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
      const whose = image.found ? "" : `Image ${shown(image.value)}: `;
      for (const [name, outcome] of [["image_id", image], ["caption", caption]]) {
        if (!outcome.found) continue;
        defects.push(error(file.place(`[${index}].${name}`), whose + outcome.found, outcome.expected));
      }
      if (!image.found && !caption.found) entries.push({ index, image: image.value, caption: caption.value });
    });
    return entries;
  }

  function look(file, entry, captions, defects) {
    const name = key(entry.image);
    if (captions.has(name)) {
      const found = `Image ${shown(entry.image)} has two captions, here and at [${captions.get(name).index}].`;
      defects.push(error(file.place(`[${entry.index}]`), found, "One caption is expected.", "Keep one of them."));
      return;
    }
    captions.set(name, entry);
    if (known.has(name)) {
      separators(file, entry, defects);
      return;
    }
    const other = otherKind(entry.image);
    const meant = other !== null && known.has(key(other));
    const hint = meant ? `Is ${quoted(other)} meant? Write the id as the annotations do.` : "Leave it out.";
    const found = `Image ${quoted(entry.image)} is not in ${facts.named_by}.`;
    const where = file.place(`[${entry.index}].image_id`);
    defects.push(error(where, found, "An image of the annotations is expected.", hint));
  }

  /** A number for text and text for a number. */
  function otherKind(image) {
    if (typeof image !== "string") return Text.written(image);
    return /^[0-9]{1,18}$/.test(image) ? new Whole(image.replace(/^0+(?=[0-9])/, "")) : null;
  }

  function separators(file, entry, defects) {
    const caption = entry.caption.replace(/\n/g, " ").replace(/\r$/, "");
    const signs = caption.match(/[\r\v\f\u2028\u2029]/g);
    if (!signs) return;
    const names = Text.listing([...new Set(signs.map((sign) => SEPARATORS[sign]))]);
    const found = `The caption of image ${shown(entry.image)} holds ${Text.counted(signs.length, "line separator")} (${names}).`;
    const where = file.place(`[${entry.index}].caption`);
    if (corrected) {
      defects.push(note(where, found, "It counts as a blank."));
      return;
    }
    const effect = "All later captions of the file are scored for the wrong images, as published.";
    const hint = "Replace it with a blank, or use the corrected profile, which reads it as one.";
    defects.push(warning(where, found, effect, hint));
  }

  function missing(file, captions) {
    if (options.images === "results") return [];
    const images = [...known].filter(([name]) => !captions.has(name)).map(([, image]) => quoted(image));
    if (!images.length) return [];
    const found = `${Text.counted(images.length, "image")} without a caption: ${Text.listing(images)}.`;
    const hint = "Add them, or score only the images of the results (--images results).";
    return [error(file.place(), found, `${facts.named_by} asks for them.`, hint)];
  }

  function remarks(file, entries) {
    const told = [];
    const first = entries[0].caption;
    if (entries.length > 1 && entries.every((one) => one.caption === first)) {
      const found = `All ${Text.thousands(entries.length)} captions are the same.`;
      told.push(warning(file.place(), found, "A caption for each image is expected."));
    }
    const empty = entries.filter((one) => !Text.strip(one.caption));
    if (empty.length) {
      const where = file.place(`[${empty[0].index}].caption`);
      told.push(note(where, `${Text.counted(empty.length, "empty caption")}.`, "They are scored.", empty.length));
    }
    return told;
  }

  return read;
}
