"use strict";

/* Checker of region captions: one caption for each image, or for each region. */

function checker(facts, options, rules) {
  const { CAPTION, IMAGE, OBJECTS, checkSeparators, isId, shown } = CaptionResults;
  const { asWhole, key } = IdSpellings;
  const REGION_IDS = ["annotation_id", "region_id", "id"];
  const PER_REGION = "Score each region: set the profile to per-region.";
  const noun = facts.per_region ? "region" : "image";
  const imageOf = new Map(), regionsOf = new Map();
  for (const [region, image] of facts.regions.map((pair) => pair.map(asWhole))) {
    imageOf.set(key(region), image);
    if (!regionsOf.has(key(image))) regionsOf.set(key(image), { image, regions: [] });
    regionsOf.get(key(image)).regions.push(region);
  }
  const names = new IdSpellings.Known(facts.file_names.map(([image, name]) => [image, [image, name]]));
  const items = facts.per_region ? facts.regions.map(([region]) => asWhole(region)) : [...regionsOf.values()].map((one) => one.image);

  function read(bytes, path) {
    const root = Json.read(bytes, path, Object.assign({}, rules, { notFinite: true }), true);
    root.file.defects = root.defects.map((one) => CaptionResults.surrogateDefect(one, false));
    if (root.value === undefined) return root.defects;
    const results = resultsOf(root);
    if (Defects.hasErrors(root.defects)) return root.defects;
    const found = { read: new Map(), unknown: new Map(), ambiguous: new Map(), repeated: [], different: new Map() };
    const captions = byItem(results, found);
    const whole = new JsonCursor(root.file, root.value);
    reportKeys(whole, found);
    reportMissing(whole, captions);
    if (!captions.size && !Defects.hasErrors(root.defects)) whole.error("The file has no caption.", OBJECTS);
    return root.defects;
  }

  /** Return the valid captions of a file; report the others. */
  function resultsOf(root) {
    if (root.isObject && Array.isArray(root.value.get("annotations"))) return predictions(root.at("annotations"));
    const listed = CaptionResults.findEntries(root);
    return listed === null ? [] : listed.elements().map(resultOf).filter((one) => one !== null);
  }

  function resultOf(place) {
    if (!place.isObject) {
      place.error(fill("The element is {kind}.", place.describe()), OBJECTS);
      return null;
    }
    const name = REGION_IDS.find((one) => place.value.has(one));
    const given = name === undefined ? null : place.value.get(name);
    const [region, image, caption] = [isId(given) ? given : null, IMAGE.of(place), CAPTION.of(place)];
    place.reportInvalid(region === null ? [IMAGE, CAPTION] : [CAPTION]);
    return caption === null || (region === null && image === null) ? null : checked({ place, region, image, caption });
  }

  /** Return the predicted captions of ControlCap's annotations; report those without one. */
  function predictions(annotations) {
    const missing = [];
    const results = annotations.elements().map((place) => predictionOf(place, missing));
    if (missing.length) {
      const count = counted(missing.length, "annotation");
      annotations.error(fill("Without a pred_result: {annotations} ({names}).", count, nameList(missing)),
        "ControlCap's program stops here.", "Write a result for each annotation.");
    }
    return results.filter((one) => one !== null);
  }

  function predictionOf(place, missing) {
    if (!place.isObject) {
      place.error(fill("The element is {type}.", place.describe()), "An object is expected.");
      return null;
    }
    const image = IMAGE.of(place), id = place.value.has("id") ? place.value.get("id") : null;
    place.reportInvalid([IMAGE]);
    if (image === null) return null;
    const predicted = place.at("extra_info").at("pred_result");
    if (!predicted.isObject) {
      missing.push(Text.written(id));
      return null;
    }
    const caption = CAPTION.of(predicted);
    predicted.reportInvalid([CAPTION]);
    return caption === null ? null : checked({ place, region: isId(id) ? id : null, image, caption });
  }

  function checked(result) {
    const name = result.region === null ? result.image : result.region;
    const caption = result.place.moved(`${result.place.path}.caption`, result.caption);
    checkSeparators(caption, fill("The caption of {key}", shown(name)), false);
    return result;
  }

  /** Return the first caption of each item; keep repeated and different ones, and those of no item. */
  function byItem(results, found) {
    const captions = new Map();
    for (const result of results) {
      const item = itemOf(result, found);
      if (item === null) continue;
      const first = captions.get(key(item));
      if (!first) captions.set(key(item), result);
      else if (first.caption === result.caption) found.repeated.push(result);
      else if (!found.different.has(key(item))) found.different.set(key(item), [item, first, result]);
    }
    return captions;
  }

  const fileName = (place) => place.file.path.replace(/\\/g, "/").split("/").pop();
  const keep = (kept, value, result) => { if (!kept.has(shown(value))) kept.set(shown(value), result); };

  /** Return an id as the file has it: one that is text in quotes. */
  const asWritten = (value) => (typeof value === "string" ? `"${value}"` : value);

  function itemOf(result, found) {
    const { region } = result, image = imageOfResult(result, found);
    if (image === null) {
      keep(found.unknown, asWritten(result.image === null ? region : result.image), result);
      return null;
    }
    if (!facts.per_region) return image;
    if (region !== null) {
      if (imageOf.has(key(region))) return region;
      keep(found.unknown, asWritten(region), result);
      return null;
    }
    const { regions } = regionsOf.get(key(image));
    if (regions.length === 1) return regions[0];
    keep(found.ambiguous, image, result);
    return null;
  }

  /** Return the image of a result, also by another spelling of its id; null if there is none. */
  function imageOfResult({ region, image }, found) {
    if (image === null) return imageOf.has(key(region)) ? imageOf.get(key(region)) : null;
    if (regionsOf.has(key(image))) return image;
    const meant = names.find(image);
    if (meant === undefined) return null;
    if (!found.read.has(key(image))) found.read.set(key(image), [image, meant]);
    return meant;
  }

  /** Return the ids of which an unknown result's is none: of regions, or of images. */
  function idsLike({ image }) {
    const byRegion = image === null || regionsOf.has(key(image));
    return byRegion ? facts.regions.map(([region]) => asWhole(region)) : [...regionsOf.values()].map((one) => one.image);
  }

  function reportKeys(whole, { read: renamed, unknown, ambiguous, repeated, different }) {
    if (renamed.size) {
      const [first, id] = [...renamed.values()][0].map(shown);
      whole.note(fill("File names are read as image ids: {first} as {id}.", first, id), "", renamed.size);
    }
    if (unknown.size) {
      const found = fill("Not in {named_by}: {names}.", facts.named_by, nameList([...unknown.keys()]));
      const first = [...unknown.values()][0];
      const known = nameList(idsLike(first).map((one) => shown(asWritten(one))));
      first.place.error(found, fill("Ids of the annotations are expected: {names}.", known));
    }
    if (ambiguous.size) {
      const count = counted(ambiguous.size, "image");
      [...ambiguous.values()][0].place.error(fill("{images} with several regions and results without a region's id: {names}.",
        count, nameList([...ambiguous.keys()])), '"annotation_id" is expected in each result.');
    }
    if (different.size) reportDifference(whole, different);
    if (repeated.length) {
      const isSum = fileName(whole).startsWith("merged");
      const cause = isSum ? "merged.json is the sum of the other files."
        : "PyTorch's distributed sampler repeats items to fill the last batch.";
      const found = fill("Repeated with the same caption: {captions}.", repeated.length);
      repeated[0].place.warning(found, cause, "They count once.", repeated.length);
    }
  }

  const areSeveral = (image) => regionsOf.has(image) && regionsOf.get(image).regions.length > 1;

  function reportDifference(whole, different) {
    const [[item, , second]] = [...different.values()];
    const several = !facts.per_region && [...different.keys()].some(areSeveral);
    const found = fill("{items} with two different captions: {item}, first in {file}.",
      counted(different.size, noun), shown(item), fileName(whole));
    second.place.error(found, "One caption is expected.", several ? PER_REGION : "Keep the results of one run.");
  }

  /** Report items without a result, and images whose regions are pooled. */
  function reportMissing(whole, captions) {
    const missing = items.filter((one) => !captions.has(key(one))).map(shown);
    if (missing.length && captions.size) {
      const found = fill("{items} without a result: {names}.", counted(missing.length, noun), nameList(missing));
      whole.warning(found, options.strict ? "They are scored as empty captions."
        : "They are left out, as the programs do; --strict counts them.", "", missing.length);
    }
    const pooled = [...regionsOf.entries()].filter(([name]) => areSeveral(name) && captions.has(name));
    if (pooled.length && !facts.per_region) {
      const names = nameList(pooled.map(([, one]) => shown(one.image)));
      const found = fill("{images} with several regions: {names}.", counted(pooled.length, "image"), names);
      whole.warning(found, "The captions of all regions are references: BLEU and METEOR are too high.", PER_REGION, pooled.length);
    }
  }

  return read;
}
