"use strict";

/* Checker of visual dialogue: a system's answers to every question with references. */

function checker(facts, options, rules) {
  const LIMIT = 2147483648;
  const EXPECTED = "One list entry for every question is expected.";
  const SPECIAL = /<(?:START|END|EOS|PAD|UNK)>|\[(?:CLS|SEP|PAD)\]/;
  const name = ([image, round]) => `${image}-${round}`;
  const asked = facts.questions.map(name);
  const known = new Set(asked);
  const isRound = (round) => /^[0-9]$/.test(round);
  const isTexts = (values) => Array.isArray(values) && values.length && values.every((one) => typeof one === "string");

  function read(bytes, path) {
    const root = Json.read(bytes, path, Object.assign({}, rules, { bytes: LIMIT }), false);
    if (root.value === undefined) return root.defects;
    if (!Array.isArray(root.value)) {
      root.error("The file is not a list.", EXPECTED);
      return root.defects;
    }
    const [entries, first] = readEntries(root);
    noteIds(root);
    reportUnpaired(root, first);
    remark(root, entries);
    return root.defects;
  }

  function readEntries(root) {
    const [entries, first] = [new Map(), new Map()];
    for (const entry of root.elements()) {
      const question = questionOf(entry);
      if (question === null) {
        reportQuestion(entry);
      } else if (first.has(question)) {
        const found = `Question ${question} is repeated; it first appears at ${first.get(question)}.`;
        entry.error(found, "One entry for each question is expected.");
      } else {
        first.set(question, entry.path);
        const texts = entry.at("generations");
        if (isTexts(texts.value)) entries.set(question, texts.value);
        else reportTexts(texts);
      }
    }
    return [entries, first];
  }

  function questionOf(entry) {
    const [image, round] = ["image_id", "round_id"].map((one) => Attribute.wholeNumber(entry.at(one).value));
    return image !== null && isRound(round) ? name([image, round]) : null;
  }

  function reportQuestion(entry) {
    const [image, round] = [entry.at("image_id"), entry.at("round_id")];
    const type = (one) => (one.value === null ? "missing" : one.describe());
    if (!entry.isObject) {
      entry.error("The entry is not an object.", EXPECTED);
    } else if (Attribute.wholeNumber(image.value) === null) {
      image.error(`The image is ${type(image)}.`, "A whole number is expected.");
    } else {
      const found = round.value instanceof Whole ? JsonCursor.shorten(round.value.text) : type(round);
      round.error(`The round is ${found}.`, "0 to 9 is expected.");
    }
  }

  /** Note ids that are written as text or as fractions. */
  function noteIds(root) {
    const read = root.elements().filter((entry) => questionOf(entry) !== null);
    const ids = read.map((entry) => [entry.at("image_id"), entry.at("round_id")]).reduce((all, some) => all.concat(some), []);
    const odd = ids.filter((id) => !(id.value instanceof Whole));
    if (!odd.length) return;
    const found = `Text or a fraction as an id: ${Text.counted(odd.length, "time")}.`;
    odd[0].note(found, "It is read as a whole number.", odd.length);
  }

  function reportTexts(texts) {
    if (!Array.isArray(texts.value)) {
      const type = texts.value === null ? "missing" : texts.describe();
      texts.error(`"generations" is ${type}.`, "A list of texts is expected.");
    } else if (!texts.value.length) {
      texts.error("The list is empty.", "At least one answer is expected.");
    } else {
      const text = texts.elements().find((one) => typeof one.value !== "string");
      text.error(`The text is ${text.value === null ? "missing" : text.describe()}.`, "Text is expected.");
    }
  }

  function reportUnpaired(root, first) {
    for (const one of asked) {
      if (first.has(one)) continue;
      root.error(`Question ${one} has references, but no generated answer.`, "Every question with references needs an answer.");
    }
    const unknown = [...first.keys()].filter((one) => !known.has(one));
    if (unknown.length) {
      const found = `No reference set: ${Text.counted(unknown.length, "question")} (${Text.listing(unknown)}).`;
      root.note(found, "They are left out.", unknown.length);
    }
  }

  function marked(answer) {
    if (SPECIAL.test(answer)) return true;
    const words = /START|END/g;
    for (let match = words.exec(answer); match; match = words.exec(answer)) {
      const before = Text.characters(answer.slice(0, match.index)).pop();
      const after = Text.characters(answer.slice(words.lastIndex, words.lastIndex + 2))[0];
      if (!(before && Text.ofWord(before)) && !(after && Text.ofWord(after))) return true;
      words.lastIndex = match.index + 1;
    }
    return false;
  }

  function remark(root, entries) {
    const questions = [...entries.keys()];
    const special = questions.filter((one) => entries.get(one).some(marked));
    if (special.length) {
      const found = `START, END or other special tokens in: ${Text.counted(special.length, "question")} (${Text.listing(special)}).`;
      root.warning(found, "They are scored as words.", "Remove them.", special.length);
    }
    const empty = questions.filter((one) => !entries.get(one).every((answer) => Text.strip(answer)));
    if (empty.length) {
      const found = `Empty answers: ${Text.counted(empty.length, "question")} (${Text.listing(empty)}).`;
      root.note(found, "They are counted and not scored.", empty.length);
    }
  }

  return read;
}
