"use strict";

/* Checker of image captioning: one caption for every image with references. */

function checker(facts, options, rules) {
  const { IMAGE, CAPTION, OBJECTS, shown } = CaptionResults;
  const { asWhole, isFileName, key } = IdSpellings;
  const corrected = options.profile === "corrected";
  const quoted = (value) => (typeof value === "string" ? `"${value}"` : Text.written(value));

  const known = new Map(facts.images.map(asWhole).map((image) => [key(image), image]));

  const names = new IdSpellings.Known(facts.images.map((image, index) => [image, [image, facts.file_names[index]]]));

  function read(bytes, path) {
    const json = Json.read(bytes, path, Object.assign({}, rules, { notFinite: true }), true);
    const root = ProgramAnswers.read(json, bytes, path, rules, { id: IMAGE.name, text: CAPTION.name });
    root.file.defects = root.defects.map((one) => CaptionResults.surrogateDefect(one, corrected));
    if (root.value === undefined) return root.defects;
    const listed = CaptionResults.findEntries(root);
    if (listed === null) return root.defects;
    const entries = knownEntries(listed.elements().map(readEntry).filter((one) => one !== null));
    const captions = new Map();
    for (const entry of entries) checkEntry(entry, captions);
    if (entries.length === listed.value.length) reportMissing(root, captions);
    if (!Defects.hasErrors(root.defects)) checkCaptions(root, entries);
    return root.defects;
  }

  /** Return the entries with the images that they mean; report other spellings and unknown ids. */
  function knownEntries(entries) {
    const unread = entries.filter((one) => !known.has(key(one.image)));
    const meant = new Map(unread.map((one) => [one, names.find(one.image)]));
    const isRead = (one) => meant.get(one) !== undefined;
    const read = unread.filter(isRead);
    if (read.length) {
      const pairs = read.map((one) => `${quoted(one.image)} = ${quoted(meant.get(one))}`);
      const values = [counted(read.length, "entry", "entries"), nameList(pairs)];
      const found = read.every((one) => isFileName(one.image))
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
    CaptionResults.checkSeparators(entry.at("caption"), fill("The caption of image {image}", shown(image)), corrected);
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
