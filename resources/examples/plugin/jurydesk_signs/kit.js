"use strict";

/* Street signs: the checks of readers.py, in the same words. */

function checker(facts, options, rules) {
  const { error, warning } = Defects;

  return (bytes, path) => {
    const file = Json.read(bytes, path, rules, false);
    if (file.data === undefined) return file.defects;
    const found = file.data instanceof Map ? file.data.get("readings") : undefined;
    if (!(found instanceof Map)) {
      const wrong = error(file.place(), 'The file has no object "readings".', "Texts by the names of their signs are expected.");
      return [...file.defects, wrong];
    }
    const defects = [...file.defects];
    found.forEach((value, name) => {
      if (typeof value !== "string") defects.push(error(file.place(`readings.${name}`), "This is not text.", "Text is expected."));
    });
    const missing = facts.signs.filter((name) => !found.has(name));
    if (missing.length && !Defects.hasErrors(defects)) {
      const text = `${Text.counted(missing.length, "sign")} without a reading: ${Text.listing(missing)}.`;
      defects.push(warning(file.place("readings"), text, "They count as unread.", "", missing.length));
    }
    return defects;
  };
}
