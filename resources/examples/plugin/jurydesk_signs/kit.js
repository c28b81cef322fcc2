"use strict";

/* Street signs: the checks of readers.py, in the same words. */

function checker(facts, options, rules) {
  const { error, warning } = Defects;

  return (bytes, path) => {
    const file = Json.read(bytes, path, rules, false);
    if (file.value === undefined) return file.defects;
    const found = file.value instanceof Map ? file.value.get("readings") : undefined;
    if (!(found instanceof Map)) {
      const wrong = error(file.place, 'The file has no object "readings".', "Texts by the names of their signs are expected.");
      return [...file.defects, wrong];
    }
    const defects = [...file.defects];
    found.forEach((value, name) => {
      if (typeof value !== "string") defects.push(error(file.moved(`readings.${name}`).place, "This is not text.", "Text is expected."));
    });
    const missing = facts.signs.filter((name) => !found.has(name));
    if (missing.length && !Defects.hasErrors(defects)) {
      const text = fill("{signs} without a reading: {names}.", counted(missing.length, "sign"), nameList(missing));
      defects.push(warning(file.moved("readings").place, text, "They count as unread.", "", missing.length));
    }
    return defects;
  };
}
