"use strict";

/* Dense captioning: a system's captioned boxes in the images of the ground truth. */

function checker(facts, options, rules) {
  const { error, warning, hasErrors, place } = Defects;
  const MOST_LETTERS = 100000;
  const FARTHEST = "85070591730234615865843651857942052864"; // 2 ** 126
  const FLOAT32_MAX = "340282346638528859811704183484516925440";
  const BOX = "Four finite numbers are expected, the last two not negative.";
  const sizes = new Map(facts.sizes.map(([name, ...size]) => [name, size]));
  const asked = placesOf(facts.images);

  function read(bytes, path) {
    const file = Json.read(bytes, path, Object.assign({}, rules, { notFinite: true }), false);
    if (file.data === undefined) return file.defects;
    const found = Shapes.layOut(file.data, path);
    if (options.box_format !== "auto") found.format = options.box_format;
    const told = [
      ...file.defects, ...found.defects, ...wrongBoxes(found, path),
      ...each(found, "caption", found.captions, path, captionFault),
      ...each(found, "score", found.scores, path, scoreFault), ...repeated(found, path),
    ];
    return hasErrors(told) ? told : [...told, ...unpaired(found, path)];
  }

  /** An error for every value in which `fault` finds one. */
  function each(found, what, values, path, fault) {
    const told = [];
    values.forEach((value, region) => {
      const wrong = fault(value);
      if (wrong) told.push(error(place(path, null, null, found.path(region, what)), ...wrong));
    });
    return told;
  }

  /** Whether a value is a number up to the one with these digits, as exactly as whole numbers are. */
  function upTo(value, digits) {
    const size = Math.abs(Shapes.numberOf(value));
    if (size !== Number(digits) || !(value instanceof Whole)) return size <= Number(digits);
    return value.text.replace("-", "") <= digits;
  }

  const isBox = (box) => Array.isArray(box) && box.length === 4;
  const shown = (value) => Text.head(Text.written(value), 60);

  /** Four numbers as (xc, yc, w, h), rounded to 32 bits. */
  function centered([a, b, c, d], format) {
    if (format === "xywh") return [a + c / 2, b + d / 2, c, d].map(Math.fround);
    if (format === "xyxy") return [(a + c) / 2, (b + d) / 2, c - a, d - b].map(Math.fround);
    return [a, b, c, d].map(Math.fround);
  }

  function wrongBoxes(found, path) {
    const flat = [];
    const sound = found.boxes.every((box, region) => {
      const sides = isBox(box) ? box.map(Shapes.numberOf) : [NaN];
      if (!sides.every((side) => Math.abs(side) <= Number(FARTHEST))) return false;
      const [, , width, height] = centered(sides, found.format);
      if (width === 0 || height === 0) flat.push(region);
      return width >= 0 && height >= 0;
    });
    if (!sound) return each(found, "box", found.boxes, path, (box) => boxFault(box, found.format));
    if (!flat.length) return [];
    const said = `No width or no height: ${Text.counted(flat.length, "box", "boxes")}.`;
    const where = place(path, null, null, found.path(flat[0], "box"));
    return [warning(where, said, "It is scored all the same.", "", flat.length)];
  }

  function boxFault(box, format) {
    if (box === null) return ["The box is missing.", BOX];
    if (!isBox(box) || !box.every((side) => upTo(side, FARTHEST))) return [`The box is ${shown(box)}.`, BOX];
    const [, , width, height] = centered(box.map(Shapes.numberOf), format);
    if (width >= 0 && height >= 0) return null;
    return [`The ${format} box ${Text.written(box)} has a negative size.`, BOX];
  }

  function captionFault(caption) {
    if (caption === null) return ["The caption is missing.", 'Text is expected; "" where there is none.'];
    if (typeof caption !== "string") return [`The caption is ${shown(caption)}.`, "Text is expected."];
    if (caption.length <= MOST_LETTERS || Text.length(caption) <= MOST_LETTERS) return null;
    const found = `The caption has ${Text.thousands(Text.length(caption))} characters.`;
    return [found, `At most ${Text.thousands(MOST_LETTERS)} are read.`];
  }

  function scoreFault(score) {
    if (score === null) return ["The score is missing.", "The log-probability of the detection is expected."];
    if (upTo(score, FLOAT32_MAX)) return null;
    return [`The score is ${shown(score)}.`, "A finite number is expected."];
  }

  function repeated(found, path) {
    const seen = new Set();
    const twice = found.images.filter((image) => seen.size === seen.add(image).size);
    if (!twice.length) return [];
    const said = `An id that came before: ${Text.counted(twice.length, "image")} (${Text.listing(twice)}).`;
    return [warning(place(path), said, "Each is scored as an image of its own.", "", twice.length)];
  }

  /** Every image by its id and how often that id came before. */
  function placesOf(images) {
    const [seen, places] = [new Map(), new Map()];
    for (const image of images) {
      const before = seen.get(image) || 0;
      seen.set(image, before + 1);
      places.set(`${before} ${image}`, image);
    }
    return places;
  }

  function unpaired(found, path) {
    const given = placesOf(found.images);
    const silent = [...asked.keys()].filter((key) => !given.has(key)).map((key) => asked.get(key));
    const strange = [...given.keys()].filter((key) => !asked.has(key)).map((key) => given.get(key));
    if (given.size && silent.length === asked.size) {
      const ids = `${Text.listing(found.images)} here, ${Text.listing(facts.images)} in the ground truth`;
      return [error(place(path), `No image is in both files: ${ids}.`, "Image ids must be the same.")];
    }
    const told = [];
    if (silent.length) {
      const said = `No entry for ${Text.counted(silent.length, "image")} of the ground truth: ${Text.listing(silent)}.`;
      told.push(warning(place(path), said, "All of their objects count as missed.", "", silent.length));
    }
    if (strange.length) {
      const said = `Not in the ground truth: ${Text.counted(strange.length, "image")} (${Text.listing(strange)}).`;
      told.push(warning(place(path), said, "They are left out.", "", strange.length));
    }
    return [...told, ...outside(found, path)];
  }

  /** Boxes that leave their image by more than a pixel. */
  function outside(found, path) {
    const leaving = new Set();
    found.boxes.forEach((box, region) => {
      const image = found.images[found.owners[region]];
      const size = sizes.get(image) || found.sizes.get(image) || [Infinity, Infinity];
      if (leaves(centered(box.map(Shapes.numberOf), found.format), size)) leaving.add(found.owners[region]);
    });
    if (!leaving.size) return [];
    const names = [...leaving].sort((one, other) => one - other).map((image) => found.images[image]);
    const said = `Boxes leave ${Text.counted(names.length, "picture")}: ${Text.listing(names)}.`;
    return [warning(place(path), said, "They are scored as they are.", "", names.length)];
  }

  /** The edges are reckoned in 32 bits, step by step, as everything of the boxes is. */
  function leaves([x, y, width, height], size) {
    return [[x, width, size[0]], [y, height, size[1]]].some(([center, extent, side]) => {
      const half = Math.fround(Math.fround(extent - 1) / 2);
      return Math.fround(center - half) < -1 || Math.fround(center + half) > side + 1;
    });
  }

  return read;
}
