"use strict";

/* Reader of the JSON layouts of captioned boxes. */
const Shapes = (() => {
  const FORMATS = ["xywh", "xcycwh", "xyxy"];
  const LISTS = ["detections", "ground_truth", "annotations", "regions", "records"];
  const CAPTIONS = ["caption", "object_descriptions", "phrase", "cap", "captions", "description"];
  const SCORES = ["score", "confidence", "logprob", "log_prob", "scores"];
  const FIRST = 100;
  const SIDES = ["x", "y", "width", "height"];
  const BOX_SIDES = [
    [["x", "y", "w", "h"], "xywh"], // beside these, width and height are those of the image
    [SIDES, "xywh"],
    [["x1", "y1", "x2", "y2"], "xyxy"],
    [["xmin", "ymin", "xmax", "ymax"], "xyxy"],
  ];
  const MAX_SIDE = 2147483648;
  const EXPECTED = 'A list of {"image_id", "box", "caption"} is expected, or an object with "images" or "results".';
  const COLUMNS = {
    images: {
      image: "image_id", format: "xcycwh", inside: "detections",
      lists: { box: "boxes", caption: "captions", score: "logprobs" },
    },
    results: {
      image: "img_name", format: "xywh", inside: "",
      lists: { box: "boxes", caption: "captions", score: "scores" },
    },
  };

  /** Return empty lists with one entry per region; `owners` are indices of images. */
  const layout = (format) => ({
    format, images: [], owners: [], boxes: [], captions: [], scores: [], sizes: new Map(),
    path: () => "",
  });

  const member = (holder, name, otherwise) => (holder.has(name) ? holder.get(name) : otherwise);
  const orNull = (holder, name) => member(holder, name, null);
  const isMap = (value) => value instanceof Map;
  const isName = (value) => typeof value === "string" || typeof value === "boolean" || value instanceof Whole;

  function layOut(root, profile) {
    const data = root.value;
    const holder = isMap(data) ? data : new Map();
    const program = holder.size ? programFile(root, profile) : null;
    if (program) return program;
    const shape = Object.keys(COLUMNS).find((key) => Array.isArray(holder.get(key)));
    const format = member(holder, "box_format", shape ? COLUMNS[shape].format : "xywh");
    if (FORMATS.indexOf(format) < 0) {
      const found = fill('"box_format" is {box_format}.', Text.quoted(Text.head(Text.written(format), 40)));
      root.at("box_format").error(found, "xywh, xcycwh or xyxy is expected.");
      return layout("xywh");
    }
    const entries = isMap(data) ? regionsByImage(data) : null;
    if (entries) {
      root.note("The regions have another layout.", "They were read as a list of regions.");
      return byRegion(root.moved("", entries), member(holder, "box_format", "xywh"));
    }
    if (shape) return byImage(root.moved(shape, holder.get(shape)), COLUMNS[shape], format);
    for (const key of LISTS) {
      if (Array.isArray(holder.get(key))) return byRegion(root.moved(key, holder.get(key)), format);
    }
    if (Array.isArray(data)) {
      const isNested = isMap(data[0]) && data[0].has("regions");
      if (isNested) return visualGenome(root);
      if (!areWithoutBoxes(data) || boxSides(data)) return byRegion(root, format);
      root.elements()[0].reportMissing("box", EXPECTED);
      return layout("xywh");
    }
    root.error("The file contains no list of captioned boxes.", EXPECTED);
    return layout("xywh");
  }

  /** Return the regions of a program's own file; null for any other. */
  function programFile(root, profile) {
    const members = [...root.value.values()];
    const annotations = root.value.get("annotations");
    const isSegmented = Array.isArray(annotations) && annotations.length > 0
      && annotations.every((one) => isMap(one) && one.has("segmentation"))
      && annotations.some((one) => one.has("extra_info"));
    if (isSegmented) return segmented(root, annotations, profile);
    if (members.every((one) => isMap(one) && one.has("boxes") && one.has("captions"))) return listsByName(root);
    const regions = members.every(Array.isArray) ? [].concat(...members) : [];
    const isDescribed = regions.length && regions.every((one) => isMap(one) && one.has("box") && one.has("cap"));
    return isDescribed ? describedPictures(root) : null;
  }

  /** Read ControlCap's file, whose boxes are segmentations. */
  function segmented(root, annotations, profile) {
    const [made, places] = [layout("xyxy"), []];
    const numbers = new Map();
    const numberOfImage = (name) => {
      if (!numbers.has(name)) numbers.set(name, numbers.size);
      return numbers.get(name);
    };
    const images = root.value.get("images");
    (Array.isArray(images) ? images : []).forEach((image, number) => {
      const identity = isMap(image) ? orNull(image, "id") : null;
      if (!isName(identity)) return reportId(root.moved(`images[${number}].id`), identity);
      numberOfImage(Text.written(identity));
      addSize(made, Text.written(identity), image);
    });
    annotations.forEach((one, place) => {
      const info = one.get("extra_info");
      const predicted = isMap(info) ? orNull(info, "pred_result") : null;
      if (!isMap(predicted)) return;
      const identity = orNull(one, "image_id");
      if (!isName(identity)) reportId(root.moved(`annotations[${place}].image_id`), identity);
      const box = boxOf(one.get("segmentation")) || one.get("segmentation");
      const owner = numberOfImage(Text.written(identity));
      add(made, owner, box, firstOf(orNull(predicted, "caption")), scoreOf(info, predicted, profile));
      places.push(place);
    });
    made.images = [...numbers.keys()];
    root.note("The boxes are those of the segmentations.", "ControlCap's file has corners in its bbox.");
    const missing = annotations.length - places.length;
    if (missing) root.note(fill("{missing:,} annotations have no pred_result.", missing), "They are not detections.");
    const fields = { box: "segmentation", caption: "extra_info.pred_result.caption", score: "extra_info.pred_result.score" };
    made.path = (region, what) => `annotations[${places[region]}].${fields[what]}`;
    return made;
  }

  function firstOf(value) {
    return Array.isArray(value) && value.length ? value[0] : value;
  }

  function scoreOf(info, predicted, profile) {
    let score = member(predicted, "score", orNull(predicted, "scores"));
    const grit = info.get("grit_result");
    if (profile === "dynrefer" && isMap(grit) && grit.size) score = member(grit, "score", score);
    score = firstOf(score);
    return score === null && ["controlcap", "dynrefer"].includes(profile) ? 1 : score;
  }

  /** Return x1, y1, x2, y2 around all points, or of the first and last pixels; null if invalid. */
  function boxOf(segmentation) {
    if (isMap(segmentation)) return boxOfRuns(segmentation.get("size"), segmentation.get("counts"));
    if (!Array.isArray(segmentation)) return null;
    const rings = segmentation.some(Array.isArray) ? segmentation : [segmentation];
    const isRing = (ring) => Array.isArray(ring) && ring.length % 2 === 0
      && ring.every((side) => typeof side === "number" || side instanceof Whole);
    if (!rings.every(isRing)) return null;
    if (!rings.some((ring) => ring.length)) return null;
    const extremes = (start) => {
      const values = [].concat(...rings.map((ring) => ring.filter((_, i) => i % 2 === start)));
      return [
        values.reduce((one, other) => (numberOf(other) < numberOf(one) ? other : one)),
        values.reduce((one, other) => (numberOf(other) > numberOf(one) ? other : one)),
      ];
    };
    const [[left, right], [top, bottom]] = [extremes(0), extremes(1)];
    return [left, top, right, bottom];
  }

  function boxOfRuns(size, counts) {
    if (!Array.isArray(size) || size.length !== 2 || !size.every((side) => side instanceof Whole)) return null;
    const runs = typeof counts === "string" ? decompressed(counts) : counts;
    const [height, width] = size.map(numberOf);
    if (!Array.isArray(runs) || height < 1 || runs.length > 1000000) return null;
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    let position = 0;
    for (const [number, one] of runs.entries()) {
      if (!(one instanceof Whole) || numberOf(one) < 0) return null;
      const run = numberOf(one);
      if (number % 2 && run) {
        const [start, end] = [position, position + run - 1];
        const [left, right] = [Math.floor(start / height), Math.floor(end / height)];
        const [top, bottom] = left === right ? [start % height, end % height] : [0, height - 1];
        [left, top].forEach((side, i) => { box[i] = Math.min(box[i], side); });
        [right, bottom].forEach((side, i) => { box[i + 2] = Math.max(box[i + 2], side); });
      }
      position += run;
    }
    if (box[0] === Infinity || position > height * width) return null;
    return box.map((side) => new Whole(String(side)));
  }

  /** Return the runs of COCO's compressed text: digits of five bits, differences from the third. */
  function decompressed(text) {
    const runs = [];
    let [value, digits] = [0, 0];
    for (const letter of text) {
      const code = letter.codePointAt(0) - 48;
      if (code < 0 || code >= 64 || digits === 7) return null;
      value += (code & 31) * 32 ** digits;
      digits += 1;
      if (code & 32) continue;
      if (code & 16) value -= 32 ** digits;
      runs.push(runs.length > 2 ? value + runs[runs.length - 2] : value);
      [value, digits] = [0, 0];
    }
    return digits ? null : runs.map((run) => new Whole(String(run)));
  }

  /** Read JIVC's results: lists by image. */
  function listsByName(root) {
    const columns = {
      image: "image_id", format: "xyxy", inside: "",
      lists: { box: "boxes", caption: "captions", score: "logprobs" },
    };
    const [made, blocks, starts] = [layout("xyxy"), [], []];
    for (const [image, entry] of root.value) {
      const start = made.boxes.length;
      const named = new Map([...entry, ["image_id", image]]);
      if (addImage(made, named, root.moved(image, named), columns)) {
        blocks.push(image);
        starts.push(start);
      }
    }
    made.path = (region, what) => {
      const image = made.owners[region];
      return `${blocks[image]}.${columns.lists[what]}[${region - starts[image]}]`;
    };
    return made;
  }

  /** Read densecap-pytorch's descriptions of pictures. */
  function describedPictures(root) {
    const [made, places] = [layout("xyxy"), []];
    for (const [image, regions] of root.value) {
      const owner = made.images.push(image) - 1;
      regions.forEach((region, number) => {
        add(made, owner, region.get("box"), region.get("cap"), orNull(region, "score"));
        places.push(`${image}[${number}]`);
      });
    }
    root.note("Boxes and scores are rounded to two decimals.", "Tied scores are in the order of the program's sort.");
    const fields = { box: "box", caption: "cap", score: "score" };
    made.path = (region, what) => `${places[region]}.${fields[what]}`;
    return made;
  }

  /** Return an image's id without folders and the suffix of a picture. */
  function pictureStem(image) {
    const name = image.replace(/\\/g, "/").split("/").pop();
    const stem = name.replace(/\.(?:jpg|jpeg|png)$/i, "");
    return stem && stem !== name ? stem : image;
  }

  function byImage(images, columns, format) {
    const [made, blocks, starts] = [layout(format), [], []];
    for (const image of images.elements()) {
      const block = image.moved(columns.inside ? `${image.path}.${columns.inside}` : image.path, image.value);
      const start = made.boxes.length;
      if (addImage(made, image.value, block, columns)) {
        blocks.push(block.path);
        starts.push(start);
      }
    }
    made.path = (region, what) => {
      const image = made.owners[region];
      return `${blocks[image]}.${columns.lists[what]}[${region - starts[image]}]`;
    };
    return made;
  }

  /** Add the regions of one image; report an error at its block and return false if it is invalid. */
  function addImage(made, entry, block, columns) {
    const names = Object.values(columns.lists);
    const holder = columns.inside && isMap(entry) ? orNull(entry, columns.inside) : entry;
    if (!isMap(holder)) {
      const wanted = names.map((name) => `"${name}"`).join(", ");
      block.error("The value is not an object.", fill("An object with {members} is expected.", wanted));
      return false;
    }
    const lists = names.map((name) => orNull(holder, name));
    const absent = lists.findIndex((values) => !Array.isArray(values));
    if (absent >= 0) {
      block.error(fill('"{invalid}" is not a list.', names[absent]), "A list with an entry for each box is expected.");
      return false;
    }
    if (lists.some((values) => values.length !== lists[0].length)) {
      const lengths = names.map((name, i) => fill('{values:,} in "{name}"', lists[i].length, name));
      block.error(fill("The lists differ in length: {counted}.", joinMessages(lengths, ", ")), "Lists with an entry for each box are expected.");
      return false;
    }
    const identity = member(entry, columns.image, member(entry, "image_id", orNull(entry, "id")));
    if (identity !== null && !isName(identity)) {
      reportId(block, identity);
      return false;
    }
    let image = identity === null ? `image ${made.images.length + 1}` : Text.written(identity);
    if (columns.image === "img_name") image = image.replace(/\.(?:jpg|jpeg|png)$/i, "");
    const owner = made.images.push(image) - 1;
    lists[0].forEach((box, i) => add(made, owner, box, lists[1][i], lists[2][i]));
    addSize(made, image, entry);
    return true;
  }

  function addSize(made, image, entry) {
    const size = [entry.get("width"), entry.get("height")].map(numberOf);
    if (size.every((side) => side > 0 && side < MAX_SIDE)) made.sizes.set(image, size);
  }

  function reportId(place, identity) {
    const found = identity === null ? "The id of the image is missing."
      : fill("The id of the image is {type}.", JsonCursor.describe(identity));
    place.error(found, "An image id is expected, text or an integer.");
  }

  function add(made, owner, box, caption, score) {
    made.owners.push(owner);
    made.boxes.push(box);
    made.captions.push(caption);
    made.scores.push(score);
  }

  const only = (value) => (Array.isArray(value) && value.length === 1 ? value[0] : value);

  /** Return regions with their image's id, from lists of regions by image; else null. */
  function regionsByImage(holder) {
    const entries = [];
    for (const [image, regions] of holder) {
      if (!Array.isArray(regions) || !regions.every(isRegion)) return null;
      for (const region of regions) entries.push(new Map([["image_id", image], ...region]));
    }
    return entries.length ? entries : null;
  }

  const hasAny = (value, names) => names.some((name) => value.has(name));

  /** Return whether objects are no regions at all, as those of whole images or files. */
  function areWithoutBoxes(entries) {
    return entries.length > 0 && entries.every(isMap) && !entries.some((one) => hasAny(one, ["box", "bbox"]));
  }

  function isRegion(value) {
    return isMap(value) && hasAny(value, ["box", "bbox"]) && hasAny(value, CAPTIONS) && !value.has("image_id");
  }

  /** Return the members that are the sides of the boxes, with their format; null for none. */
  function boxSides(regions) {
    const some = regions.slice(0, FIRST);
    if (!some.length || some.some((one) => hasAny(one, ["box", "bbox"]))) return null;
    return BOX_SIDES.find(([names]) => some.every((one) => names.every((name) => one.has(name)))) || null;
  }

  /** Return the first name that regions have, with a note if it is not the usual one. */
  function chosenName(root, regions, names) {
    const some = regions.slice(0, FIRST);
    const name = names.find((one) => some.some((region) => region.has(one))) || names[0];
    if (name !== names[0]) root.note(fill('"{name}" is read as "{usual}".', name, names[0]));
    return name;
  }

  /** Read one object per region: `image_id`, `box`, `caption` and `score`. */
  function byRegion(entries, format) {
    const [places, numbers] = [[], new Map()];
    reportNonObjects(entries);
    const regions = entries.value.filter(isMap);
    const sides = boxSides(regions);
    const made = layout(sides ? sides[1] : format);
    if (sides) entries.note(fill("The boxes are read from {names}.", nameList(sides[0], 4)));
    const caption = chosenName(entries, regions, CAPTIONS);
    const score = chosenName(entries, regions, SCORES);
    const names = { caption, score };
    const memberOf = (entry, name, usual) => (name === usual ? orNull(entry, name) : only(orNull(entry, name)));
    made.path = (region, what) => `${entries.path}[${places[region]}].${names[what] || what}`;
    entries.value.forEach((entry, index) => {
      if (!isMap(entry)) return;
      const identity = orNull(entry, "image_id");
      const name = Text.written(identity);
      const region = places.push(index) - 1;
      if (!isName(identity)) reportId(entries.moved(made.path(region, "image_id")), identity);
      if (!numbers.has(name)) numbers.set(name, made.images.push(name) - 1);
      const box = sides ? sides[0].map((side) => orNull(entry, side)) : member(entry, "box", orNull(entry, "bbox"));
      add(made, numbers.get(name), box, memberOf(entry, caption, "caption"), memberOf(entry, score, "score"));
    });
    return made;
  }

  function reportNonObjects(entries) {
    entries.value.forEach((entry, number) => {
      if (!isMap(entry)) entries.at(number).error("The element is not an object.", EXPECTED);
    });
  }

  /** Read Visual Genome's region descriptions: an object per image with a list of regions. */
  function visualGenome(root) {
    const [made, places] = [layout("xywh"), []];
    const fields = { box: "x", caption: "phrase", score: "score" };
    reportNonObjects(root);
    for (const image of root.elements()) {
      const regions = image.at("regions");
      if (!Array.isArray(regions.value) || !regions.value.every(isMap)) {
        regions.error('"regions" is missing or not a list of objects.', EXPECTED);
        continue;
      }
      const first = regions.value.length ? orNull(regions.value[0], "image_id") : null;
      const identity = member(image.value, "id", member(image.value, "image_id", first));
      if (!isName(identity)) reportId(image.at("id"), identity);
      const owner = made.images.push(Text.written(identity)) - 1;
      regions.value.forEach((region, i) => {
        const box = SIDES.map((side) => orNull(region, side));
        add(made, owner, box, orNull(region, "phrase"), orNull(region, "score"));
        places.push(`${regions.path}[${i}]`);
      });
    }
    made.path = (region, what) => `${places[region]}.${fields[what]}`;
    return made;
  }

  /** Return the value of a number; NaN for anything else. */
  function numberOf(value) {
    if (value instanceof Whole) return Number(value.text);
    return typeof value === "number" ? value : NaN;
  }

  return { layOut, numberOf, pictureStem };
})();
