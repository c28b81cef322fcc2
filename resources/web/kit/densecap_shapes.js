"use strict";

/* Reader of the JSON layouts of captioned boxes. */
const Shapes = (() => {
  const FORMATS = ["xywh", "xcycwh", "xyxy"];
  const LISTS = ["detections", "ground_truth", "annotations", "regions", "records"];
  const CAPTIONS = ["caption", "object_descriptions", "phrase", "cap", "captions", "description"];
  const SCORES = ["score", "confidence", "logprob", "log_prob", "scores"];
  const FIRST = 100;
  const SIDES = ["x", "y", "width", "height"];
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

  function layOut(root) {
    const data = root.value;
    const holder = isMap(data) ? data : new Map();
    const shape = Object.keys(COLUMNS).find((key) => Array.isArray(holder.get(key)));
    const format = member(holder, "box_format", shape ? COLUMNS[shape].format : "xywh");
    if (FORMATS.indexOf(format) < 0) {
      const found = fill('"box_format" is {box_format}.', Text.quoted(Text.head(Text.written(format), 40)));
      root.at("box_format").error(found, "xywh, xcycwh or xyxy is expected.");
      return layout("xywh");
    }
    const entries = isMap(data) ? regionsByImage(data) || predictedObjects(data) : null;
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
      return isNested ? visualGenome(root) : byRegion(root, format);
    }
    root.error("The file contains no list of captioned boxes.", EXPECTED);
    return layout("xywh");
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
    const size = [entry.get("width"), entry.get("height")].map(numberOf);
    if (size.every((side) => side > 0 && side < MAX_SIDE)) made.sizes.set(image, size);
    return true;
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

  function isRegion(value) {
    return isMap(value) && hasAny(value, ["box", "bbox"]) && hasAny(value, CAPTIONS) && !value.has("image_id");
  }

  /** Return the regions of ControlCap's COCO file, whose boxes are segmentations; else null. */
  function predictedObjects(holder) {
    const annotations = holder.get("annotations");
    if (!Array.isArray(annotations) || !annotations.length || !annotations.every(isMap)) return null;
    if (!annotations.every((one) => one.has("segmentation") && one.has("extra_info"))) return null;
    return annotations.map((one) => {
      const info = one.get("extra_info");
      const predicted = isMap(info) ? orNull(info, "pred_result") : null;
      const members = isMap(predicted) ? predicted : new Map();
      return new Map([
        ["image_id", orNull(one, "image_id")], ["box", boundingBox(only(one.get("segmentation")))],
        ["caption", orNull(members, "caption")], ["score", only(orNull(members, "scores"))],
      ]);
    });
  }

  /** Return x, y, width and height of a rectangle's corners; anything else unchanged. */
  function boundingBox(corners) {
    if (!Array.isArray(corners) || corners.length !== 8) return corners;
    if (!corners.every((side) => typeof side === "number" || side instanceof Whole)) return corners;
    const sidesOf = (start) => {
      const sides = corners.filter((_, i) => i % 2 === start);
      const least = sides.reduce((one, other) => (numberOf(other) < numberOf(one) ? other : one));
      const most = sides.reduce((one, other) => (numberOf(other) > numberOf(one) ? other : one));
      const extent = numberOf(most) - numberOf(least);
      const isWhole = least instanceof Whole && most instanceof Whole;
      return [least, isWhole ? new Whole(String(extent)) : extent];
    };
    const [[left, width], [top, height]] = [sidesOf(0), sidesOf(1)];
    return [left, top, width, height];
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
    const [made, places, numbers] = [layout(format), [], new Map()];
    reportNonObjects(entries);
    const regions = entries.value.filter(isMap);
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
      const box = member(entry, "box", orNull(entry, "bbox"));
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

  return { layOut, numberOf };
})();
