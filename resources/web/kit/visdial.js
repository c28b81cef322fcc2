"use strict";

/* Checker of visual dialogue: a system's answers to every question with references. */

function checker(facts, options, rules) {
  const LIMIT = 2147483648;
  const EXPECTED = "One list entry for every question is expected.";
  const SPECIAL = new RegExp([
    "</?(?:s|start|end|sos|bos|eos|pad|unk|mask|cls|sep)>", "<\\|[A-Za-z0-9_]{2,20}\\|>",
    "\\[(?:cls|sep|pad|unk|mask|bos|eos)\\]", "__(?:start|end|unk|null|pad|bos|eos)__",
  ].join("|"), "i");
  const name = ([image, round]) => `${image}-${round}`;
  const asked = facts.questions.map(name);
  const known = new Set(asked);
  const isRound = (round) => /^[0-9]$/.test(round);
  let base = 0;
  const isTexts = (values) => Array.isArray(values) && values.length && values.every((one) => typeof one === "string");

  function read(bytes, path) {
    const root = Json.read(bytes, path, Object.assign({}, rules, { bytes: LIMIT, notFinite: true }), false);
    if (root.value === undefined) return root.defects;
    if (!Array.isArray(root.value)) {
      root.error(fill("The file holds {type}.", root.describe()), EXPECTED);
      return root.defects;
    }
    const [entries, first] = readEntries(root);
    IdSpellings.noteNumbers(root, (entry) => questionOf(entry) !== null);
    reportUnpaired(root, first);
    remark(root, entries);
    return root.defects;
  }

  function readEntries(root) {
    const [entries, first] = [new Map(), new Map()];
    base = firstRound(root);
    if (base) root.note("The rounds count from 1.", "They are read as 0 to 9.");
    for (const entry of root.elements()) {
      const question = questionOf(entry);
      if (question === null) {
        reportQuestion(entry);
      } else if (first.has(question)) {
        const found = fill("Question {question_id} is repeated; it first appears at [{first}].", question, first.get(question));
        entry.error(found, "One entry for each question is expected.");
      } else {
        first.set(question, entry.index);
        const texts = entry.at("generations");
        if (isTexts(texts.value)) entries.set(question, texts.value);
        else reportTexts(texts);
      }
    }
    return [entries, first];
  }

  function questionOf(entry) {
    const [image, round] = ["image_id", "round_id"].map((one) => IdSpellings.number(entry.at(one).value));
    const turn = round === null ? "" : String(Number(round) - base);
    return image !== null && isRound(turn) ? name([image, turn]) : null;
  }

  /** Return 1 if the rounds are 1 to 10, else 0. */
  function firstRound(root) {
    const rounds = root.elements().map((entry) => IdSpellings.number(entry.at("round_id").value));
    return rounds.includes("10") && !rounds.includes("0") ? 1 : 0;
  }

  function reportQuestion(entry) {
    const [image, round] = [entry.at("image_id"), entry.at("round_id")];
    if (!entry.isObject) {
      entry.error(fill("The entry is {type}.", entry.describe()), EXPECTED);
    } else if (IdSpellings.number(image.value) === null) {
      const found = image.value === null ? "The image is missing." : fill("The image is {type}.", image.describe());
      image.error(found, "A whole number is expected.");
    } else {
      const type = round.value instanceof Whole ? JsonCursor.shorten(round.value.text) : round.describe();
      const found = round.value === null ? "The round is missing." : fill("The round is {type}.", type);
      round.error(found, "0 to 9 is expected.");
    }
  }

  function reportTexts(texts) {
    if (!Array.isArray(texts.value)) {
      const found = texts.value === null ? fill('"{name}" is missing.', "generations")
        : fill('"{name}" is {type}.', "generations", texts.describe());
      texts.error(found, "A list of texts is expected.");
    } else if (!texts.value.length) {
      texts.error("The list is empty.", "At least one answer is expected.");
    } else {
      const text = texts.elements().find((one) => typeof one.value !== "string");
      const found = text.value === null ? "The text is missing." : fill("The text is {type}.", text.describe());
      text.error(found, "Text is expected.");
    }
  }

  function reportUnpaired(root, first) {
    for (const one of asked) {
      if (first.has(one)) continue;
      root.error(fill("Question {question_id} has references, but no generated answer.", one), "Every question with references needs an answer.");
    }
    const unknown = [...first.keys()].filter((one) => !known.has(one));
    if (unknown.length) {
      const found = fill("No reference set: {questions} ({names}).", counted(unknown.length, "question"), nameList(unknown));
      root.note(found, "They are left out.", unknown.length);
    }
  }

  function marked(answer) {
    if (SPECIAL.test(answer)) return true;
    const words = /START|END|UNK|EOS/g;
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
      const found = fill("START, END or other special tokens in: {questions} ({names}).", counted(special.length, "question"), nameList(special));
      root.warning(found, "They are scored as words.", "Remove them.", special.length);
    }
    const empty = questions.filter((one) => !entries.get(one).every((answer) => Text.strip(answer)));
    if (empty.length) {
      const found = fill("Empty answers: {questions} ({names}).", counted(empty.length, "question"), nameList(empty));
      root.note(found, "They are counted and not scored.", empty.length);
    }
  }

  return read;
}
