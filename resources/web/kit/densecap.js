"use strict";

/* Checker of dense captioning: a system's captioned boxes. */

function checker(facts, options, rules) {
  const MAX_CAPTION = 100000;
  const MAX_COORDINATE = "85070591730234615865843651857942052864"; // 2 ** 126
  const FLOAT32_MAX = "340282346638528859811704183484516925440";
  const BOX = "Four finite numbers are expected, the last two not negative.";
  const CORNERS = "Two corners are expected, the left upper one first.";
  const OTHER_FORMAT = "If its last two are width and height, set the box format to xywh.";
  const sizes = new Map(facts.sizes.map(([name, ...size]) => [name, size]));
  const asked = imageIndex(facts.images);

  function read(bytes, path) {
    const root = Json.read(bytes, path, Object.assign({}, rules, { notFinite: true }), false);
    if (root.value === undefined) return root.defects;
    const found = Shapes.layOut(root, options.profile);
    if (options.box_format !== "auto") found.format = options.box_format;
    checkBoxes(root, found);
    each(root, found, "caption", found.captions, checkCaption);
    each(root, found, "score", found.scores, checkScore);
    reportRepeated(root, found);
    if (!Defects.hasErrors(root.defects) && hasKnownIds(root, found)) reportUnmatched(root, found);
    return root.defects;
  }

  /** Report every value for which `check` returns what is found and expected. */
  function each(root, found, key, values, check) {
    values.forEach((value, region) => {
      const problem = check(value);
      if (problem) root.moved(found.path(region, key)).error(...problem);
    });
  }

  /** Return true for a number whose size is at most the integer with these digits, compared exactly. */
  function upTo(value, digits) {
    const size = Math.abs(Shapes.numberOf(value));
    if (size !== Number(digits) || !(value instanceof Whole)) return size <= Number(digits);
    return value.text.replace("-", "") <= digits;
  }

  const isBox = (box) => Array.isArray(box) && box.length === 4;

  /** Convert a box to (xc, yc, w, h), rounded to float32. */
  function centered([a, b, c, d], format) {
    if (format === "xywh") return [a + c / 2, b + d / 2, c, d].map(Math.fround);
    if (format === "xyxy") return [(a + c) / 2, (b + d) / 2, c - a, d - b].map(Math.fround);
    return [a, b, c, d].map(Math.fround);
  }

  function checkBoxes(root, found) {
    const flat = [];
    const sound = found.boxes.every((box, region) => {
      const sides = isBox(box) ? box.map(Shapes.numberOf) : [NaN];
      if (!sides.every((side) => Math.abs(side) <= Number(MAX_COORDINATE))) return false;
      const [, , width, height] = centered(sides, found.format);
      if (width === 0 || height === 0) flat.push(region);
      return width >= 0 && height >= 0;
    });
    if (!sound) {
      each(root, found, "box", found.boxes, (box) => checkBox(box, found.format));
    } else if (flat.length) {
      const message = fill("Zero width or height: {boxes}.", counted(flat.length, "box", "boxes"));
      root.moved(found.path(flat[0], "box")).warning(message, "They are scored unchanged.", "", flat.length);
    }
  }

  function checkBox(box, format) {
    if (box === null) return ["The box is missing.", BOX];
    if (!Array.isArray(box)) return [fill("The box is {box}.", JsonCursor.describe(box)), BOX];
    if (!isBox(box) || !box.every((side) => upTo(side, MAX_COORDINATE))) {
      return [fill("The box is {box}.", Text.head(Text.written(box), 60)), BOX];
    }
    const [, , width, height] = centered(box.map(Shapes.numberOf), format);
    if (width >= 0 && height >= 0) return null;
    const found = fill("The {box_format} box {box} has a negative size.", format, Text.written(box));
    return format === "xyxy" ? [found, CORNERS, OTHER_FORMAT] : [found, BOX];
  }

  function checkCaption(caption) {
    if (caption === null) return ["The caption is missing.", 'Text is expected; "" for no caption.'];
    if (typeof caption !== "string") return [fill("The caption is {type}.", JsonCursor.describe(caption)), "Text is expected."];
    if (caption.length <= MAX_CAPTION || Text.length(caption) <= MAX_CAPTION) return null;
    const found = fill("The caption has {caption:,} characters.", Text.length(caption));
    return [found, fill("At most {max_caption:,} are allowed.", MAX_CAPTION)];
  }

  function checkScore(score) {
    if (score === null) return ["The score is missing.", "The log-probability of the detection is expected."];
    if (upTo(score, FLOAT32_MAX)) return null;
    const isNumber = typeof score === "number" || score instanceof Whole;
    const type = isNumber ? JsonCursor.shorten(Text.written(score)) : JsonCursor.describe(score);
    return [fill("The score is {score}.", type), "A finite number is expected."];
  }

  function reportRepeated(root, found) {
    const seen = new Set();
    const repeated = found.images.filter((image) => seen.size === seen.add(image).size);
    if (!repeated.length) return;
    const message = fill("Repeated ids: {images} ({name_list}).", counted(repeated.length, "image"), nameList(repeated));
    root.warning(message, "Each occurrence is scored as a separate image.", "", repeated.length);
  }

  /** Return every image by its id and the number of earlier occurrences. */
  function imageIndex(images) {
    const [seen, places] = [new Map(), new Map()];
    for (const image of images) {
      const before = seen.get(image) || 0;
      seen.set(image, before + 1);
      places.set(`${before} ${image}`, image);
    }
    return places;
  }

  /** Give images the kit's ids, where both differ in folder and suffix only; false after an error. */
  function hasKnownIds(root, found) {
    const known = new Set(facts.images);
    const byStem = new Map(facts.images.map((image) => [Shapes.pictureStem(image), image]));
    const wanted = (image) => (known.has(image) ? image : byStem.get(Shapes.pictureStem(image)) || image);
    const images = found.images.map(wanted);
    const changed = found.images.filter((image, i) => image !== images[i]);
    if (!changed.length) return true;
    const place = new Map();
    images.forEach((image) => place.set(image, (place.get(image) || 0) + 1));
    const twice = changed.filter((image) => place.get(wanted(image)) > 1);
    if (twice.length) {
      root.error(fill("Files with one name in several folders: {names}.", nameList(twice)), "A file name for each image is expected.");
      return false;
    }
    root.note(fill("File names are read as image ids: {first} as {id}.", changed[0], wanted(changed[0])), "", changed.length);
    found.images = images;
    return true;
  }

  function effectOfMissing() {
    const program = { "densecap-pytorch": "densecap-pytorch", "densecap-pytorch-1.4": "densecap-pytorch", jivc: "JIVC's program" }[options.profile];
    if (program) return fill("{program} stops at such images; Jurydesk counts all of their objects as missed.", program);
    const leaving = { controlcap: "ControlCap", dynrefer: "DynRefer" }[options.profile];
    if (leaving) return fill("{program} leaves such images out: their objects do not count.", leaving);
    return "All of their objects count as missed.";
  }

  function reportUnmatched(root, found) {
    const given = imageIndex(found.images);
    const absent = [...asked.keys()].filter((key) => !given.has(key)).map((key) => asked.get(key));
    const unknown = [...given.keys()].filter((key) => !asked.has(key)).map((key) => given.get(key));
    if (given.size && absent.length === asked.size) {
      const ids = [found.images, facts.images].map((names) => nameList(names));
      const message = fill("No image id is in the ground truth: {detected}; ground truth: {expected}.", ...ids);
      root.error(message, "Image ids of the ground truth are expected.");
      return;
    }
    if (absent.length) {
      const count = counted(absent.length, "image");
      const message = fill("No entry for {images} of the ground truth: {names}.", count, nameList(absent));
      root.warning(message, effectOfMissing(), "", absent.length);
    }
    if (unknown.length) {
      const count = counted(unknown.length, "image");
      root.warning(fill("Not in the ground truth: {images} ({names}).", count, nameList(unknown)), "They are not scored.", "", unknown.length);
    }
    checkBounds(root, found);
  }

  /** Warn of boxes more than a pixel outside their image. */
  function checkBounds(root, found) {
    const outside = new Set();
    found.boxes.forEach((box, region) => {
      const image = found.images[found.owners[region]];
      const size = sizes.get(image) || found.sizes.get(image) || [Infinity, Infinity];
      if (isOutside(centered(box.map(Shapes.numberOf), found.format), size)) outside.add(found.owners[region]);
    });
    if (!outside.size) return;
    const names = [...outside].sort((one, other) => one - other).map((image) => found.images[image]);
    const message = fill("Boxes extend beyond {images}: {name_list}.", counted(names.length, "image"), nameList(names));
    root.warning(message, "They are scored unchanged.", "", names.length);
  }

  /** Return true for a box outside its image, with edges computed step by step in float32. */
  function isOutside([x, y, width, height], size) {
    return [[x, width, size[0]], [y, height, size[1]]].some(([center, extent, side]) => {
      const half = Math.fround(Math.fround(extent - 1) / 2);
      return Math.fround(center - half) < -1 || Math.fround(center + half) > side + 1;
    });
  }

  return read;
}
