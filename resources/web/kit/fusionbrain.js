"use strict";

/* FusionBrain: a system's prediction for every key. */

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
    if (file.data === undefined) return file.defects;
    if (!(file.data instanceof Map)) return [...file.defects, error(file.place(), "The file holds no object.", FILE)];
    if (!file.data.size) return [...file.defects, error(file.place(), "The file has no key.", FILE)];
    const records = new Map();
    file.data.forEach((value, key) => records.set(key, recordOf(key, value)));
    const told = [...file.defects, ...extra(path, records)];
    for (const [subtask, keys] of facts.keys) told.push(...ofSubtask(path, subtask, keys, records));
    return told;
  }

  const place = (path, key, fault) => Defects.place(path, null, null, `["${key}"]${fault ? fault.path : ""}`);
  const faultAt = (path, found, expected) => ({ path, found, expected, fault: true });

  function described(value) {
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
      return { key, elements: [], isVoid, fault: faultAt("", `This is ${described(value)}.`, RECORD) };
    }
    return { key, elements: value.map((one, i) => elementOf(one, `[${i}]`)) };
  }

  function elementOf(value, path) {
    if (!(value instanceof Map)) return { kind: null, fault: faultAt(path, `This is ${described(value)}.`, ELEMENT) };
    const kind = value.get("type");
    if (typeof kind !== "string") {
      const has = value.has("type");
      const said = has ? described(kind) : "missing";
      return { kind: has ? "" : null, fault: faultAt(`${path}.type`, `The type is ${said}.`, '"text" or "image" is expected.') };
    }
    if (!value.has("content")) return { kind, fault: faultAt(`${path}.content`, "The content is missing.", ELEMENT) };
    return { kind, content: value.get("content") };
  }

  function remarks(record) {
    const told = record.fault ? [record.fault] : [];
    record.elements.forEach((element, number) => {
      if (element.fault) {
        told.push(element.fault);
      } else if (element.kind !== "text" && element.kind !== "image") {
        const path = record.bare ? "" : `[${number}]`;
        told.push(faultAt(`${path}.type`, `The type is "${Text.head(element.kind, 40)}".`, '"text" or "image" is expected.'));
      }
    });
    return told;
  }

  const areCharacters = (content) => Array.isArray(content)
    && content.every((one) => typeof one === "string" && Text.length(one) === 1);
  const takesCharacters = (subtask) => published && (subtask === "text_recognition" || subtask === "vqa");

  /** The first text, the fault that the search ends at, or null. */
  function firstText(record, ofCharacters) {
    if (record.fault) return published && record.isVoid ? null : record.fault;
    if (record.bare) return faultAt("", "This is an object, not a list.", RECORD);
    for (let i = 0; i < record.elements.length; i += 1) {
      const element = record.elements[i];
      if (element.kind === null) return element.fault;
      if (element.kind === "text") {
        if (element.fault) return element.fault;
        if (typeof element.content === "string") return element.content;
        if (ofCharacters && areCharacters(element.content)) return element.content.join("");
        return faultAt(`[${i}].content`, `The content is ${described(element.content)}.`, "Text is expected.");
      }
    }
    return record.elements.length && published ? "" : null;
  }

  function extra(path, records) {
    const keys = [...records.keys()].filter((one) => !known.has(one));
    if (!keys.length) return [];
    const found = `Not asked for: ${Text.counted(keys.length, "key")} (${Text.listing(keys)}).`;
    if (published && !facts.is_split) {
      const told = "The published program refuses a file with other keys than the truth.";
      return [error(Defects.place(path), found, told, "Remove them.")];
    }
    return [note(Defects.place(path), found, "They are not scored.", keys.length)];
  }

  function ofSubtask(path, subtask, keys, records) {
    const told = [];
    let before = "";
    for (const key of keys) {
      const record = records.get(key);
      if (!record) {
        const outcome = published ? "The published program refuses a file without all keys." : LEFT_OUT;
        told.push(made(published ? "error" : "warning", place(path, key), "There is no prediction.", outcome));
        continue;
      }
      if (subtask !== "generation") told.push(...ofText(path, subtask, record, before), ...unread(path, record));
      before = key;
    }
    return told;
  }

  function ofDamage(subtask) {
    if (!published) return ["warning", LEFT_OUT];
    if (QUESTIONS.indexOf(subtask) >= 0) {
      return ["warning", "The published program stops there and gives the whole sub-task 0."];
    }
    return ["error", "The published program fails there."];
  }

  function ofText(path, subtask, record, before) {
    const text = firstText(record, takesCharacters(subtask));
    const where = place(path, record.key);
    const [severity, outcome] = ofDamage(subtask);
    if (text !== null && text.fault) {
      return [made(severity, place(path, record.key, text), text.found, `${text.expected} ${outcome}`)];
    }
    const at = record.elements.findIndex((one) => one.kind === "text");
    if (at >= 0) {
      if (!areCharacters(record.elements[at].content)) return [];
      const spelled = place(path, record.key, faultAt(`[${at}].content`));
      const told = "The text that they make is scored.";
      return [made("warning", spelled, "The content is a list of characters.", told)];
    }
    let found = record.elements.length ? "There is no text." : "The list is empty.";
    if (record.fault) found = record.fault.found;
    if (!published) return [made("warning", where, found, LEFT_OUT)];
    if (QUESTIONS.indexOf(subtask) < 0 && subtask !== "text_recognition") {
      return [made("warning", where, found, "It scores 0.")];
    }
    if (text === "") return [made("warning", where, found, "An empty text is scored.")];
    if (before) {
      const told = `The published program scores the prediction of key "${before}" once more.`;
      return [made("warning", where, found, told)];
    }
    return [made(severity, where, found, outcome)];
  }

  function unread(path, record) {
    const met = firstText(record);
    const same = (one) => one === record.fault || met !== null && met.fault && one.path === met.path && one.found === met.found && one.expected === met.expected;
    return remarks(record).filter((one) => !same(one)).map((one) => made(
      "warning", place(path, record.key, one), one.found, `${one.expected} Nothing depends on it.`,
    ));
  }

  return read;
}
