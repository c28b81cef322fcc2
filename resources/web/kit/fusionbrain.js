"use strict";

/* Checker of FusionBrain: a system's prediction for every key. */

function checker(facts, options, rules) {
  const { made } = Defects;
  const published = options.profile === "published";
  const RECORD = "A list of objects with type and content is expected.";
  const ELEMENT = 'An object {"type": ..., "content": ...} is expected.';
  const TYPE = '"text" or "image" is expected.';
  const FILE = 'An object {"key": [{"type": "text", "content": "..."}]} is expected.';
  const LEFT_OUT = "It is left out of the mean.";
  const QUESTIONS = ["textqa", "mathqa"];
  const known = new Set();
  for (const [, keys] of facts.keys) keys.forEach((one) => known.add(one));

  function read(bytes, path) {
    const root = Json.read(bytes, path, rules, false);
    if (root.value === undefined) return root.defects;
    if (!root.isObject) {
      root.error(fill("The file holds {type}.", root.describe()), FILE);
      return root.defects;
    }
    if (!root.value.size) {
      root.error("The file contains no keys.", FILE);
      return root.defects;
    }
    const [name, held] = root.value.entries().next().value;
    const isObject = held instanceof Map && held.size > 0 && !held.has("type") && !held.has("content");
    if (root.value.size === 1 && isObject) {
      root.error(fill('The keys are in the member "{name}".', name), FILE, "Give that object alone as the file.");
      return root.defects;
    }
    reportUnknown(root);
    for (const [subtask, keys] of facts.keys) root.file.defects.push(...subtaskDefects(root, subtask, keys));
    return root.defects;
  }

  const isBare = (record) => record.isObject && record.value.size > 0;
  const isVoid = (record) => record.value === "" || (record.isObject && !record.value.size);

  function elements(record) {
    if (isBare(record)) return [record];
    return Array.isArray(record.value) ? record.elements() : [];
  }

  /** Return the type of an element: null if it is missing, "" if it is not text. */
  function kind(element) {
    if (!element.isObject || !element.value.has("type")) return null;
    return Attribute.text(element.value.get("type")) || "";
  }

  function recordFault(record) {
    if (Array.isArray(record.value) || isBare(record)) return null;
    return record.fault(fill("The value is {type}.", record.describe()), RECORD);
  }

  function contentFault(element) {
    if (!element.isObject) return element.fault(fill("The element is {type}.", element.describe()), ELEMENT);
    return element.value.has("content") ? null : element.at("content").fault("The content is missing.", ELEMENT);
  }

  /** Return the fault of the type, else of the content. */
  function elementFault(element) {
    const type = element.at("type");
    if (!element.isObject || typeof type.value === "string") return contentFault(element);
    const found = element.value.has("type") ? fill("The type is {type}.", type.describe()) : "The type is missing.";
    return type.fault(found, TYPE);
  }

  function recordFaults(record) {
    const faults = [recordFault(record)];
    for (const element of elements(record)) {
      const fault = elementFault(element);
      const type = kind(element);
      if (fault || type === "text" || type === "image") faults.push(fault);
      else faults.push(element.at("type").fault(fill('The type is "{type}".', Text.head(type, 40)), TYPE));
    }
    return faults.filter((one) => one !== null);
  }

  const areCharacters = (content) => Array.isArray(content)
    && content.every((one) => typeof one === "string" && Text.length(one) === 1);
  const acceptsCharacters = (subtask) => published && (subtask === "text_recognition" || subtask === "vqa");

  /** Return the first text, a fault before it, or null. */
  function firstText(record, ofCharacters) {
    const fault = recordFault(record);
    if (fault) return published && isVoid(record) ? null : fault;
    if (isBare(record)) return record.fault("The value is an object, not a list.", RECORD);
    for (const element of elements(record)) {
      const type = kind(element);
      if (type === null) return elementFault(element);
      if (type === "text") return textOf(element, ofCharacters);
    }
    return record.value.length && published ? "" : null;
  }

  function textOf(element, ofCharacters) {
    const content = element.at("content");
    if (typeof content.value === "string") return content.value;
    if (ofCharacters && areCharacters(content.value)) return content.value.join("");
    return contentFault(element) || content.fault(fill("The content is {type}.", content.describe()), "Text is expected.");
  }

  function reportUnknown(root) {
    const keys = [...root.value.keys()].filter((one) => !known.has(one));
    if (!keys.length) return;
    const found = fill("Unknown keys: {keys} ({name_list}).", counted(keys.length, "key"), nameList(keys));
    if (published && !facts.is_split) {
      const effect = "The published program refuses a file with other keys than the truth.";
      root.error(found, effect, "Remove them.");
    } else {
      root.note(found, "They are not scored.", keys.length);
    }
  }

  function subtaskDefects(root, subtask, keys) {
    const defects = [];
    let previous = "";
    for (const key of keys) {
      const record = root.moved(`["${key}"]`, root.value.get(key));
      if (!root.value.has(key)) {
        const outcome = published ? "The published program refuses a file without all keys." : LEFT_OUT;
        defects.push(made(published ? "error" : "warning", record.place, "There is no prediction.", outcome));
        continue;
      }
      if (subtask !== "generation") defects.push(...textDefects(subtask, record, previous), ...unreadFaults(record));
      else if (pictureReason(record)) {
        const found = fill("CLIP: {reason}", pictureReason(record));
        defects.push(made("warning", record.place, found, published ? "It scores 0." : LEFT_OUT));
      }
      previous = key;
    }
    return defects;
  }

  /** Return why a prediction has no picture, or an empty text. */
  function pictureReason(record) {
    const what = translatable("prediction");
    if (recordFault(record)) return fill("There is no valid {what}.", what);
    const contained = elements(record);
    const isPath = (element) => kind(element) === "image" && typeof element.at("content").value === "string";
    if (!published) return contained.some(isPath) ? "" : fill("The {what} has no picture.", what);
    if (contained.length < 2) return fill("The {what} has no second element.", what);
    if (kind(contained[1]) !== "image") return fill("The second element of the {what} is not a picture.", what);
    return isPath(contained[1]) ? "" : fill("The picture of the {what} has no path.", what);
  }

  function damageOutcome(subtask) {
    if (!published) return ["warning", LEFT_OUT];
    if (QUESTIONS.indexOf(subtask) >= 0) {
      return ["warning", "The published program stops there and gives the whole sub-task 0."];
    }
    return ["error", "The published program fails there."];
  }

  function textDefects(subtask, record, previous) {
    const text = firstText(record, acceptsCharacters(subtask));
    const [severity, outcome] = damageOutcome(subtask);
    if (text !== null && text.severity) return [made(severity, text.place, text.found, joinMessages([text.expected, outcome]))];
    const element = elements(record).find((one) => kind(one) === "text");
    if (element) {
      const content = element.at("content");
      if (!areCharacters(content.value)) return [];
      return [made("warning", content.place, "The content is a list of characters.", "Their concatenation is scored.")];
    }
    const fault = recordFault(record);
    const absent = elements(record).length ? "There is no text." : "The list is empty.";
    const found = fault ? fault.found : absent;
    const warned = (effect) => [made("warning", record.place, found, effect)];
    if (!published) return warned(LEFT_OUT);
    if (QUESTIONS.indexOf(subtask) < 0 && subtask !== "text_recognition") return warned("It scores 0.");
    if (text === "") return warned("An empty text is scored.");
    if (previous) return warned(fill('The published program scores the prediction of key "{key}" again.', previous));
    return [made(severity, record.place, found, outcome)];
  }

  function unreadFaults(record) {
    const read = [firstText(record), recordFault(record)].map((one) => JSON.stringify(one));
    return recordFaults(record).filter((one) => !read.includes(JSON.stringify(one))).map((one) => made(
      "warning", one.place, one.found, joinMessages([one.expected, "It does not affect the score."]),
    ));
  }

  return read;
}
