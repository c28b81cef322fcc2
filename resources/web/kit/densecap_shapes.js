"use strict";

/* Reader of the JSON layouts of captioned boxes. */
const Shapes = (() => {
  const FORMATS = ["xywh", "xcycwh", "xyxy"];
  const LISTS = ["detections", "ground_truth", "annotations", "regions", "records"];
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

  /** Read one object per region: `image_id`, `box`, `caption` and `score`. */
  function byRegion(entries, format) {
    const [made, places, numbers] = [layout(format), [], new Map()];
    reportNonObjects(entries);
    made.path = (region, what) => `${entries.path}[${places[region]}].${what}`;
    entries.value.forEach((entry, index) => {
      if (!isMap(entry)) return;
      const identity = orNull(entry, "image_id");
      const name = Text.written(identity);
      const region = places.push(index) - 1;
      if (!isName(identity)) reportId(entries.moved(made.path(region, "image_id")), identity);
      if (!numbers.has(name)) numbers.set(name, made.images.push(name) - 1);
      const box = member(entry, "box", orNull(entry, "bbox"));
      add(made, numbers.get(name), box, orNull(entry, "caption"), orNull(entry, "score"));
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
