"use strict";

/* Reader of the JSON layouts of captioned boxes. */
const Shapes = (() => {
  const { error, place } = Defects;
  const FORMATS = ["xywh", "xcycwh", "xyxy"];
  const LISTS = ["detections", "ground_truth", "annotations", "regions", "records"];
  const SIDES = ["x", "y", "width", "height"];
  const MAX_SIDE = 2147483648;
  const EXPECTED = 'A list of {"image_id", "box", "caption"} is expected, or an object with "images" or "results".';
  const NO_ID = '"id" is missing or neither text nor a number.';
  const IMAGE_ID = "An image id is expected, text or an integer.";
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
    format, images: [], owners: [], boxes: [], captions: [], scores: [], sizes: new Map(), defects: [],
    path: () => "",
  });

  const member = (holder, name, otherwise) => (holder.has(name) ? holder.get(name) : otherwise);
  const orNull = (holder, name) => member(holder, name, null);
  const isMap = (value) => value instanceof Map;
  const isName = (value) => typeof value === "string" || typeof value === "boolean" || value instanceof Whole;

  function layOut(data, path) {
    const holder = isMap(data) ? data : new Map();
    const shape = Object.keys(COLUMNS).find((key) => Array.isArray(holder.get(key)));
    const format = member(holder, "box_format", shape ? COLUMNS[shape].format : "xywh");
    if (FORMATS.indexOf(format) < 0) {
      const found = `"box_format" is ${Text.quoted(Text.head(Text.written(format), 40))}.`;
      return refused(place(path, null, null, "box_format"), found, "xywh, xcycwh or xyxy is expected.");
    }
    if (shape) return byImage(holder.get(shape), shape, path, format);
    for (const key of LISTS) {
      if (Array.isArray(holder.get(key))) return byRegion(holder.get(key), path, key, format);
    }
    if (Array.isArray(data)) {
      const nested = isMap(data[0]) && data[0].has("regions");
      return nested ? visualGenome(data, path) : byRegion(data, path, "", format);
    }
    return refused(place(path), "The file contains no list of captioned boxes.", EXPECTED);
  }

  function refused(where, found, expected) {
    const made = layout("xywh");
    made.defects.push(error(where, found, expected));
    return made;
  }

  function byImage(images, key, path, format) {
    const columns = COLUMNS[key];
    const [made, blocks, starts] = [layout(format), [], []];
    images.forEach((entry, number) => {
      const block = `${key}[${number}]${columns.inside ? `.${columns.inside}` : ""}`;
      const start = made.boxes.length;
      const fault = addImage(made, entry, columns);
      if (fault) {
        made.defects.push(error(place(path, null, null, block), ...fault));
      } else {
        blocks.push(block);
        starts.push(start);
      }
    });
    made.path = (region, what) => {
      const image = made.owners[region];
      return `${blocks[image]}.${columns.lists[what]}[${region - starts[image]}]`;
    };
    return made;
  }

  /** Add the regions of one image; if invalid, return what was found and what is expected. */
  function addImage(made, entry, columns) {
    const names = Object.values(columns.lists);
    const holder = columns.inside && isMap(entry) ? orNull(entry, columns.inside) : entry;
    if (!isMap(holder)) {
      const wanted = names.map((name) => `"${name}"`).join(", ");
      return ["The value is not an object.", `An object with ${wanted} is expected.`];
    }
    const lists = names.map((name) => orNull(holder, name));
    const absent = lists.findIndex((values) => !Array.isArray(values));
    if (absent >= 0) {
      return [`"${names[absent]}" is not a list.`, "A list with an entry for each box is expected."];
    }
    if (lists.some((values) => values.length !== lists[0].length)) {
      const counted = names.map((name, i) => `${Text.thousands(lists[i].length)} in "${name}"`).join(", ");
      return [`The lists differ in length: ${counted}.`, "Lists with an entry for each box are expected."];
    }
    const identity = member(entry, columns.image, member(entry, "image_id", orNull(entry, "id")));
    if (identity !== null && !isName(identity)) {
      return ["The id of the image is neither text nor an integer.", IMAGE_ID];
    }
    let image = identity === null ? `image ${made.images.length + 1}` : Text.written(identity);
    if (columns.image === "img_name") image = image.replace(/\.(?:jpg|jpeg|png)$/i, "");
    const owner = made.images.push(image) - 1;
    lists[0].forEach((box, i) => add(made, owner, box, lists[1][i], lists[2][i]));
    const size = [entry.get("width"), entry.get("height")].map(numberOf);
    if (size.every((side) => side > 0 && side < MAX_SIDE)) made.sizes.set(image, size);
    return null;
  }

  function add(made, owner, box, caption, score) {
    made.owners.push(owner);
    made.boxes.push(box);
    made.captions.push(caption);
    made.scores.push(score);
  }

  /** Read one object per region: `image_id`, `box`, `caption` and `score`. */
  function byRegion(entries, path, key, format) {
    const [made, places, numbers] = [layout(format), [], new Map()];
    reportNonObjects(made, entries, path, key);
    made.path = (region, what) => `${key}[${places[region]}].${what}`;
    entries.forEach((entry, index) => {
      if (!isMap(entry)) return;
      const identity = orNull(entry, "image_id");
      const name = Text.written(identity);
      const region = places.push(index) - 1;
      if (!isName(identity)) {
        const where = place(path, null, null, made.path(region, "image_id"));
        const found = '"image_id" is missing or neither text nor a number.';
        made.defects.push(error(where, found, IMAGE_ID));
      }
      if (!numbers.has(name)) numbers.set(name, made.images.push(name) - 1);
      const box = member(entry, "box", orNull(entry, "bbox"));
      add(made, numbers.get(name), box, orNull(entry, "caption"), orNull(entry, "score"));
    });
    return made;
  }

  function reportNonObjects(made, entries, path, key) {
    entries.forEach((entry, number) => {
      if (isMap(entry)) return;
      made.defects.push(error(place(path, null, null, `${key}[${number}]`), "The element is not an object.", EXPECTED));
    });
  }

  /** Read Visual Genome's region descriptions: an object per image with a list of regions. */
  function visualGenome(images, path) {
    const [made, places] = [layout("xywh"), []];
    const fields = { box: "x", caption: "phrase", score: "score" };
    reportNonObjects(made, images, path, "");
    images.forEach((entry, number) => {
      const regions = isMap(entry) ? entry.get("regions") : null;
      if (!Array.isArray(regions) || !regions.every(isMap)) {
        const where = place(path, null, null, `[${number}].regions`);
        const found = '"regions" is missing or not a list of objects.';
        made.defects.push(error(where, found, EXPECTED));
        return;
      }
      const first = regions.length ? orNull(regions[0], "image_id") : null;
      const identity = member(entry, "id", member(entry, "image_id", first));
      if (!isName(identity)) {
        made.defects.push(error(place(path, null, null, `[${number}].id`), NO_ID, IMAGE_ID));
      }
      const owner = made.images.push(Text.written(identity)) - 1;
      regions.forEach((region, i) => {
        const box = SIDES.map((side) => orNull(region, side));
        add(made, owner, box, orNull(region, "phrase"), orNull(region, "score"));
        places.push(`[${number}].regions[${i}]`);
      });
    });
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
