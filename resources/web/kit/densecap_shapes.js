"use strict";

/* The JSON shapes in which people keep captioned boxes, laid out alike. */
const Shapes = (() => {
  const { error, place } = Defects;
  const FORMATS = ["xywh", "xcycwh", "xyxy"];
  const LISTS = ["detections", "ground_truth", "annotations", "regions", "records"];
  const SIDES = ["x", "y", "width", "height"];
  const LARGEST_SIDE = 2147483648;
  const EXPECTED = 'A list of {"image_id", "box", "caption"} is expected, or an object with "images" or "results".';
  const NO_ID = '"id" is missing or neither text nor a number.';
  const IMAGE_ID = "The id of the region's image is expected.";
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

  /** One entry a region in `boxes`, `captions`, `scores` and `owners`, its image's index. */
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
    return refused(place(path), "The file holds no list of captioned boxes.", EXPECTED);
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

  /** Add the regions of one image, or say what was found and what was expected. */
  function addImage(made, entry, columns) {
    const names = Object.values(columns.lists);
    const holder = columns.inside && isMap(entry) ? orNull(entry, columns.inside) : entry;
    if (!isMap(holder)) {
      const wanted = names.map((name) => `"${name}"`).join(", ");
      return ["There is no object here.", `An object with ${wanted} is expected.`];
    }
    const lists = names.map((name) => orNull(holder, name));
    const absent = lists.findIndex((values) => !Array.isArray(values));
    if (absent >= 0) return [`"${names[absent]}" is no list.`, "One list entry for every box is expected."];
    if (lists.some((values) => values.length !== lists[0].length)) {
      const counted = names.map((name, i) => `${Text.thousands(lists[i].length)} in "${name}"`).join(", ");
      return [`The lists differ in length: ${counted}.`, "They must go together, box by box."];
    }
    const identity = member(entry, columns.image, member(entry, "image_id", orNull(entry, "id")));
    if (identity !== null && !isName(identity)) {
      return ["The id of the image is neither text nor a whole number.", IMAGE_ID];
    }
    let image = identity === null ? `image ${made.images.length + 1}` : Text.written(identity);
    if (columns.image === "img_name") image = image.replace(/\.(?:jpg|jpeg|png)$/i, "");
    const owner = made.images.push(image) - 1;
    lists[0].forEach((box, i) => add(made, owner, box, lists[1][i], lists[2][i]));
    const size = [entry.get("width"), entry.get("height")].map(numberOf);
    if (size.every((side) => side > 0 && side < LARGEST_SIDE)) made.sizes.set(image, size);
    return null;
  }

  function add(made, owner, box, caption, score) {
    made.owners.push(owner);
    made.boxes.push(box);
    made.captions.push(caption);
    made.scores.push(score);
  }

  /** One object a region: `image_id`, `box`, `caption` and `score`. */
  function byRegion(entries, path, key, format) {
    const [made, places, numbers] = [layout(format), [], new Map()];
    refuseNonObjects(made, entries, path, key);
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

  function refuseNonObjects(made, entries, path, key) {
    entries.forEach((entry, number) => {
      if (isMap(entry)) return;
      made.defects.push(error(place(path, null, null, `${key}[${number}]`), "This is no object.", EXPECTED));
    });
  }

  /** Visual Genome's region descriptions: an object an image, with its list of regions. */
  function visualGenome(images, path) {
    const [made, places] = [layout("xywh"), []];
    const fields = { box: "x", caption: "phrase", score: "score" };
    refuseNonObjects(made, images, path, "");
    images.forEach((entry, number) => {
      const regions = isMap(entry) ? entry.get("regions") : null;
      if (!Array.isArray(regions) || !regions.every(isMap)) {
        const where = place(path, null, null, `[${number}].regions`);
        made.defects.push(error(where, "There is no list of regions.", EXPECTED));
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

  /** The value of a number, NaN for whatever is none. */
  function numberOf(value) {
    if (value instanceof Whole) return Number(value.text);
    return typeof value === "number" ? value : NaN;
  }

  return { layOut, numberOf };
})();
