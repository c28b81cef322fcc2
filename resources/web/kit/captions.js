"use strict";

/* Checker of image captioning: one caption for every image with references. */

function checker(facts, options, rules) {
  const OBJECTS = 'A list of objects with "image_id" and "caption" is expected.';
  const SEPARATORS = { "\r": "CR", "\v": "VT", "\f": "FF", "\u2028": "U+2028", "\u2029": "U+2029" };
  const corrected = options.profile === "corrected";

  const isId = (value) => typeof value === "string" || typeof value === "number" || value instanceof Whole;
  const IMAGE = new Attribute("image_id", "A number or text is expected.", (value) => (isId(value) ? value : null));
  const CAPTION = new Attribute("caption", "Text is expected.", Attribute.text);
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
    const root = Json.read(bytes, path, rules, true);
    root.file.defects = root.defects.map(surrogateDefect);
    if (root.value === undefined) return root.defects;
    if (!Array.isArray(root.value) || !root.value.length) {
      const isEmpty = Array.isArray(root.value);
      root.error(isEmpty ? "The list is empty." : `The file holds ${root.describe()}.`, OBJECTS);
      return root.defects;
    }
    const entries = root.elements().map(readEntry).filter((one) => one !== null);
    const captions = new Map();
    for (const entry of entries) checkEntry(entry, captions);
    if (entries.length === root.value.length) reportMissing(root, captions);
    if (!Defects.hasErrors(root.defects)) checkCaptions(root, entries);
    return root.defects;
  }

  /** Make a lone surrogate an error: the original program stops at it. */
  function surrogateDefect(defect) {
    if (corrected || !defect.found.includes("half of a surrogate pair")) return defect;
    const hint = `${defect.hint} pycocoevalcap stops here; the corrected profile drops it.`;
    return Object.assign({}, defect, { severity: "error", hint, count: 1 });
  }

  function readEntry(entry) {
    if (!entry.isObject) {
      entry.error(`The element is ${entry.describe()}.`, OBJECTS);
      return null;
    }
    const [image, caption] = [IMAGE.of(entry), CAPTION.of(entry)];
    entry.reportInvalid([IMAGE, CAPTION], image === null ? "" : `Image ${shown(image)}`);
    return image === null || caption === null ? null : { entry, image, caption };
  }

  function checkEntry({ entry, image, caption }, captions) {
    const name = key(image);
    if (captions.has(name)) {
      const found = `Image ${shown(image)} already has a caption at ${captions.get(name).path}.`;
      entry.error(found, "One caption is expected.", "Keep one of them.");
      return;
    }
    captions.set(name, entry);
    if (known.has(name)) {
      checkSeparators(entry.at("caption"), image);
      return;
    }
    const other = swapType(image);
    const isMistyped = other !== null && known.has(key(other));
    const hint = isMistyped ? `Write the id as in the annotations: ${quoted(other)}.` : "Remove the entry.";
    const found = `Image ${quoted(image)} is not in ${facts.named_by}.`;
    entry.at("image_id").error(found, "An image of the annotations is expected.", hint);
  }

  /** Return a number id as text, or a text id as a number if it is one. */
  function swapType(image) {
    if (typeof image !== "string") return Text.written(image);
    return /^[0-9]{1,18}$/.test(image) ? new Whole(image.replace(/^0+(?=[0-9])/, "")) : null;
  }

  function checkSeparators(caption, image) {
    const text = caption.value.replace(/\n/g, " ").replace(/\r$/, "");
    const signs = text.match(/[\r\v\f\u2028\u2029]/g);
    if (!signs) return;
    const names = Text.listing([...new Set(signs.map((sign) => SEPARATORS[sign]))]);
    const count = Text.counted(signs.length, "line separator");
    const found = `The caption of image ${shown(image)} contains ${count} (${names}).`;
    if (corrected) {
      caption.note(found, "It counts as a space.");
      return;
    }
    const effect = "The published profile scores all later captions of the file for the wrong images.";
    const hint = "Replace it with a space, or use the corrected profile, which reads it as one.";
    caption.warning(found, effect, hint);
  }

  function reportMissing(root, captions) {
    if (options.images === "results") return;
    const images = [...known].filter(([name]) => !captions.has(name)).map(([, image]) => quoted(image));
    if (!images.length) return;
    const found = `${Text.counted(images.length, "image")} without a caption: ${Text.listing(images)}.`;
    const hint = "Add them, or score only the images of the results (--images results).";
    root.error(found, `A caption is expected for every image of ${facts.named_by}.`, hint);
  }

  function checkCaptions(root, entries) {
    const first = entries[0].caption;
    if (entries.length > 1 && entries.every((one) => one.caption === first)) {
      const found = `All ${Text.thousands(entries.length)} captions are the same.`;
      root.warning(found, "A caption for each image is expected.");
    }
    const empty = entries.filter((one) => !Text.strip(one.caption));
    if (empty.length) {
      const found = `${Text.counted(empty.length, "empty caption")}.`;
      empty[0].entry.at("caption").note(found, "They are scored.", empty.length);
    }
  }

  return read;
}
