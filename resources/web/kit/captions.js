"use strict";

/* Checker of image captioning: one caption for every image with references. */

function checker(facts, options, rules) {
  const OBJECTS = 'A list of objects with "image_id" and "caption" is expected.';
  const SEPARATORS = { "\r": "CR", "\v": "VT", "\f": "FF", "\u2028": "U+2028", "\u2029": "U+2029" };
  const corrected = options.profile === "corrected";

  const EXTENSION = /\.(?:jpe?g|png|gif|bmp|tiff?|webp)$/i;
  const NUMBER = /(?:^(?=[0-9]{1,18}$)|_(?=[0-9]{12}$))0*([0-9]+)$/;
  const isId = (value) => typeof value === "string" || Number.isFinite(value) || value instanceof Whole;
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

  const asWhole = (image) => (Number.isInteger(image) ? new Whole(String(image)) : image);
  const known = new Map(facts.images.map(asWhole).map((image) => [key(image), image]));

  const names = new Map();
  facts.images.map(asWhole).forEach((image, index) => {
    for (const text of [Text.written(image), facts.file_names[index]]) {
      for (const one of spellings(text)) {
        if (!names.has(one)) names.set(one, new Map());
        names.get(one).set(key(image), image);
      }
    }
  });

  function read(bytes, path) {
    const root = Json.read(bytes, path, Object.assign({}, rules, { notFinite: true }), true);
    root.file.defects = root.defects.map(surrogateDefect);
    if (root.value === undefined) return root.defects;
    const listed = findEntries(root);
    if (listed === null) return root.defects;
    const entries = knownEntries(listed.elements().map(readEntry).filter((one) => one !== null));
    const captions = new Map();
    for (const entry of entries) checkEntry(entry, captions);
    if (entries.length === listed.value.length) reportMissing(root, captions);
    if (!Defects.hasErrors(root.defects)) checkCaptions(root, entries);
    return root.defects;
  }

  const isEntry = (value) => value instanceof Map && value.has("image_id") && value.has("caption");

  /** Return a cursor at the list of captions, or null; report another layout. */
  function findEntries(root) {
    if (root.isObject) {
      for (const [name, value] of root.value) {
        if (!Array.isArray(value) || !value.length || !value.every(isEntry)) continue;
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

  /** Return entries from captions by image: a text, or a list of one text or one object. */
  function byImage(value) {
    const entries = [];
    for (const [image, held] of value) {
      const one = Array.isArray(held) && held.length === 1 ? held[0] : held;
      const text = one instanceof Map ? one.get("caption") : one;
      if (typeof text !== "string") return [];
      const id = /^(?:0|[1-9][0-9]{0,17})$/.test(image) ? new Whole(image) : image;
      entries.push(new Map([["image_id", id], ["caption", text]]));
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

  /** Return the one image that an unknown id can mean; undefined for none or several. */
  function findImage(image) {
    const found = new Map();
    for (const one of spellings(Text.written(asWhole(image)))) {
      for (const [name, meant] of names.get(one) || []) found.set(name, meant);
    }
    return found.size === 1 ? [...found.values()][0] : undefined;
  }

  /** Return the entries with the images that they mean; report other spellings and unknown ids. */
  function knownEntries(entries) {
    const unread = entries.filter((one) => !known.has(key(one.image)));
    const meant = new Map(unread.map((one) => [one, findImage(one.image)]));
    const isRead = (one) => meant.get(one) !== undefined;
    const read = unread.filter(isRead);
    if (read.length) {
      const isFile = (one) => typeof one.image === "string" && EXTENSION.test(Text.strip(one.image));
      const pairs = read.map((one) => `${quoted(one.image)} = ${quoted(meant.get(one))}`);
      const values = [counted(read.length, "entry", "entries"), nameList(pairs)];
      const found = read.every(isFile)
        ? fill("{entries} with a file name as the image id: {names}.", ...values)
        : fill("{entries} with another spelling of the image id: {names}.", ...values);
      read[0].entry.at("image_id").note(found, "They were read as these images.", read.length);
    }
    const unknown = unread.filter((one) => !isRead(one));
    if (unknown.length) {
      const images = nameList(unknown.map((one) => quoted(one.image)));
      const count = counted(unknown.length, "caption");
      const found = fill("{captions} of images that are not in {named_by}: {names}.", count, facts.named_by, images);
      const hint = "Check that both files are of the same images.";
      unknown[0].entry.at("image_id").error(found, "Images of the annotations are expected.", hint);
    }
    return entries.map((one) => (isRead(one) ? Object.assign({}, one, { image: meant.get(one) }) : one));
  }

  /** Make a lone surrogate an error: the original program stops at it. */
  function surrogateDefect(defect) {
    if (corrected || !String(defect.found).includes("half of a surrogate pair")) return defect;
    const hint = joinMessages([defect.hint, "pycocoevalcap stops here; the corrected profile drops it."]);
    return Object.assign({}, defect, { severity: "error", hint, count: 1 });
  }

  function readEntry(entry) {
    if (!entry.isObject) {
      entry.error(fill("The element is {type}.", entry.describe()), OBJECTS);
      return null;
    }
    const [image, caption] = [IMAGE.of(entry), CAPTION.of(entry)];
    entry.reportInvalid([IMAGE, CAPTION], image === null ? "" : fill("Image {image}", shown(image)));
    return image === null || caption === null ? null : { entry, image, caption };
  }

  function checkEntry({ entry, image, caption }, captions) {
    const name = key(image);
    if (captions.has(name)) {
      const found = fill("Image {image} already has a caption at [{index}].", shown(image), captions.get(name).index);
      entry.error(found, "One caption is expected.", "Keep one of them.");
      return;
    }
    captions.set(name, entry);
    checkSeparators(entry.at("caption"), image);
  }

  function checkSeparators(caption, image) {
    const text = caption.value.replace(/\n/g, " ").replace(/\r$/, "");
    const signs = text.match(/[\r\v\f\u2028\u2029]/g);
    if (!signs) return;
    const names = nameList([...new Set(signs.map((sign) => SEPARATORS[sign]))]);
    const count = counted(signs.length, "line separator");
    const found = fill("{whose_phrase} contains {line_separators} ({names}).", fill("The caption of image {image}", shown(image)), count, names);
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
    const found = fill("{images} without a caption: {names}.", counted(images.length, "image"), nameList(images));
    const hint = "Add them, or score only the images of the results (--images results).";
    root.error(found, fill("A caption is expected for every image of {named_by}.", facts.named_by), hint);
  }

  function checkCaptions(root, entries) {
    const first = entries[0].caption;
    if (entries.length > 1 && entries.every((one) => one.caption === first)) {
      const found = fill("All {entries:,} captions are the same.", entries.length);
      root.warning(found, "A caption for each image is expected.");
    }
    const empty = entries.filter((one) => !Text.strip(one.caption));
    if (empty.length) {
      const found = fill("{empty_captions}.", counted(empty.length, "empty caption"));
      empty[0].entry.at("caption").note(found, "They are scored.", empty.length);
    }
  }

  return read;
}
