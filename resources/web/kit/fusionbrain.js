"use strict";

/* Checker of FusionBrain: a system's prediction for every key. */

function checker(facts, options, rules) {
  const { error, note, made } = Defects;
  const published = options.profile === "published";
  const RECORD = "A list of objects with type and content is expected.";
  const ELEMENT = 'An object {"type": ..., "content": ...} is expected.';
  const FILE = 'An object {"key": [{"type": "text", "content": "..."}]} is expected.';
  const LEFT_OUT = "It is left out of the mean.";
  const QUESTIONS = ["textqa", "mathqa"];
  const known = new Set();
  for (const [, keys] of facts.keys) keys.forEach((one) => known.add(one));

  function read(bytes, path) {
    const file = Json.read(bytes, path, rules, false);
    if (file.value === undefined) return file.defects;
    if (!(file.value instanceof Map)) return [...file.defects, error(file.place, "The file is not a JSON object.", FILE)];
    if (!file.value.size) return [...file.defects, error(file.place, "The file contains no keys.", FILE)];
    const records = new Map();
    file.value.forEach((value, key) => records.set(key, recordOf(key, value)));
    const defects = [...file.defects, ...unknownKeys(path, records)];
    for (const [subtask, keys] of facts.keys) defects.push(...subtaskDefects(path, subtask, keys, records));
    return defects;
  }

  const place = (path, key, fault) => Defects.place(path, null, null, `["${key}"]${fault ? fault.path : ""}`);
  const faultAt = (path, found, expected) => ({ path, found, expected, fault: true });

  function describe(value) {
    if (value === null) return "null";
    if (value === true || value === false) return value ? "true" : "false";
    if (typeof value === "number" || value instanceof Whole) return `the number ${Text.written(value)}`;
    if (typeof value === "string") return `the text "${Text.head(value, 40)}${Text.length(value) > 40 ? "…" : ""}"`;
    return Array.isArray(value) ? "a list" : "an object";
  }

  function recordOf(key, value) {
    if (value instanceof Map && value.size) return { key, elements: [elementOf(value, "")], bare: true };
    if (!Array.isArray(value)) {
      const isVoid = value === "" || value instanceof Map;
      return { key, elements: [], isVoid, fault: faultAt("", `The value is ${describe(value)}.`, RECORD) };
    }
    return { key, elements: value.map((one, i) => elementOf(one, `[${i}]`)) };
  }

  function elementOf(value, path) {
    if (!(value instanceof Map)) return { kind: null, fault: faultAt(path, `The element is ${describe(value)}.`, ELEMENT) };
    const kind = value.get("type");
    if (typeof kind !== "string") {
      const has = value.has("type");
      const found = `The type is ${has ? describe(kind) : "missing"}.`;
      return { kind: has ? "" : null, fault: faultAt(`${path}.type`, found, '"text" or "image" is expected.') };
    }
    if (!value.has("content")) return { kind, fault: faultAt(`${path}.content`, "The content is missing.", ELEMENT) };
    return { kind, content: value.get("content") };
  }

  function elementFaults(record) {
    const faults = record.fault ? [record.fault] : [];
    record.elements.forEach((element, number) => {
      if (element.fault) {
        faults.push(element.fault);
      } else if (element.kind !== "text" && element.kind !== "image") {
        const path = record.bare ? "" : `[${number}]`;
        faults.push(faultAt(`${path}.type`, `The type is "${Text.head(element.kind, 40)}".`, '"text" or "image" is expected.'));
      }
    });
    return faults;
  }

  const areCharacters = (content) => Array.isArray(content)
    && content.every((one) => typeof one === "string" && Text.length(one) === 1);
  const acceptsCharacters = (subtask) => published && (subtask === "text_recognition" || subtask === "vqa");

  /** Return the first text, a fault before it, or null. */
  function firstText(record, ofCharacters) {
    if (record.fault) return published && record.isVoid ? null : record.fault;
    if (record.bare) return faultAt("", "The value is an object, not a list.", RECORD);
    for (let i = 0; i < record.elements.length; i += 1) {
      const element = record.elements[i];
      if (element.kind === null) return element.fault;
      if (element.kind === "text") {
        if (element.fault) return element.fault;
        if (typeof element.content === "string") return element.content;
        if (ofCharacters && areCharacters(element.content)) return element.content.join("");
        return faultAt(`[${i}].content`, `The content is ${describe(element.content)}.`, "Text is expected.");
      }
    }
    return record.elements.length && published ? "" : null;
  }

  function unknownKeys(path, records) {
    const keys = [...records.keys()].filter((one) => !known.has(one));
    if (!keys.length) return [];
    const found = `Unknown keys: ${Text.counted(keys.length, "key")} (${Text.listing(keys)}).`;
    if (published && !facts.is_split) {
      const effect = "The published program refuses a file with other keys than the truth.";
      return [error(Defects.place(path), found, effect, "Remove them.")];
    }
    return [note(Defects.place(path), found, "They are not scored.", keys.length)];
  }

  function subtaskDefects(path, subtask, keys, records) {
    const defects = [];
    let previous = "";
    for (const key of keys) {
      const record = records.get(key);
      if (!record) {
        const outcome = published ? "The published program refuses a file without all keys." : LEFT_OUT;
        defects.push(made(published ? "error" : "warning", place(path, key), "There is no prediction.", outcome));
        continue;
      }
      if (subtask !== "generation") {
        defects.push(...textDefects(path, subtask, record, previous), ...unreadFaults(path, record));
      }
      previous = key;
    }
    return defects;
  }

  function damageOutcome(subtask) {
    if (!published) return ["warning", LEFT_OUT];
    if (QUESTIONS.indexOf(subtask) >= 0) {
      return ["warning", "The published program stops there and gives the whole sub-task 0."];
    }
    return ["error", "The published program fails there."];
  }

  function textDefects(path, subtask, record, previous) {
    const text = firstText(record, acceptsCharacters(subtask));
    const where = place(path, record.key);
    const [severity, outcome] = damageOutcome(subtask);
    if (text !== null && text.fault) {
      return [made(severity, place(path, record.key, text), text.found, `${text.expected} ${outcome}`)];
    }
    const at = record.elements.findIndex((one) => one.kind === "text");
    if (at >= 0) {
      if (!areCharacters(record.elements[at].content)) return [];
      const spelled = place(path, record.key, faultAt(`[${at}].content`));
      const effect = "Their concatenation is scored.";
      return [made("warning", spelled, "The content is a list of characters.", effect)];
    }
    let found = record.elements.length ? "There is no text." : "The list is empty.";
    if (record.fault) found = record.fault.found;
    if (!published) return [made("warning", where, found, LEFT_OUT)];
    if (QUESTIONS.indexOf(subtask) < 0 && subtask !== "text_recognition") {
      return [made("warning", where, found, "It scores 0.")];
    }
    if (text === "") return [made("warning", where, found, "An empty text is scored.")];
    if (previous) {
      const effect = `The published program scores the prediction of key "${previous}" again.`;
      return [made("warning", where, found, effect)];
    }
    return [made(severity, where, found, outcome)];
  }

  function unreadFaults(path, record) {
    const met = firstText(record);
    const same = (one) => one === record.fault || met !== null && met.fault && one.path === met.path && one.found === met.found && one.expected === met.expected;
    return elementFaults(record).filter((one) => !same(one)).map((one) => made(
      "warning", place(path, record.key, one), one.found, `${one.expected} It does not affect the score.`,
    ));
  }

  return read;
}
