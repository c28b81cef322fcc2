"use strict";

/* Checker of visual dialogue: a system's answers to every question with references. */

function checker(facts, options, rules) {
  const { error, warning, note } = Defects;
  const LIMIT = 2147483648;
  const EXPECTED = "One list entry for every question is expected.";
  const SPECIAL = /<(?:START|END|EOS|PAD|UNK)>|\[(?:CLS|SEP|PAD)\]/;
  const name = ([image, round]) => `${image}-${round}`;
  const asked = facts.questions.map(name);
  const known = new Set(asked);

  function read(bytes, path) {
    const file = Json.read(bytes, path, Object.assign({}, rules, { bytes: LIMIT }), false);
    if (file.value === undefined) return file.defects;
    const [entries, seen, faults] = readEntries(file);
    return [...file.defects, ...faults, ...unpaired(file, seen), ...remarks(file, entries)];
  }

  const wrong = (member, found, expected) => ({ wrong: true, member, found, expected });
  const shown = (value) => (value === null || value === undefined ? "missing" : Text.head(Text.written(value), 40));

  function readEntries(file) {
    if (!Array.isArray(file.value)) {
      return [new Map(), new Map(), [error(file.place, "The file is not a list.", EXPECTED)]];
    }
    const [entries, first, faults] = [new Map(), new Map(), []];
    file.value.forEach((entry, index) => {
      const question = questionOf(entry);
      let value = question.wrong ? question : generations(entry);
      if (!question.wrong) {
        if (first.has(question.name)) {
          const found = `Question ${question.name} is repeated; it first appears at [${first.get(question.name)}].`;
          value = wrong("", found, "One entry for each question is expected.");
        } else {
          first.set(question.name, index);
        }
      }
      if (value.wrong) {
        const where = value.member ? `[${index}].${value.member}` : `[${index}]`;
        faults.push(error(file.moved(where).place, value.found, value.expected));
      } else {
        entries.set(question.name, value.texts);
      }
    });
    return [entries, first, faults];
  }

  function questionOf(entry) {
    if (!(entry instanceof Map)) return wrong("", "The entry is not an object.", EXPECTED);
    const [image, round] = [entry.get("image_id"), entry.get("round_id")];
    if (!(image instanceof Whole)) {
      return wrong("image_id", `The image is ${shown(image)}.`, "A whole number is expected.");
    }
    if (!(round instanceof Whole) || !/^[0-9]$/.test(round.text)) {
      return wrong("round_id", `The round is ${shown(round)}.`, "0 to 9 is expected.");
    }
    return { name: name([image.text, round.text]) };
  }

  function generations(entry) {
    const values = entry.get("generations");
    if (!Array.isArray(values)) {
      return wrong("generations", `"generations" is ${shown(values)}.`, "A list of texts is expected.");
    }
    for (let i = 0; i < values.length; i += 1) {
      if (typeof values[i] !== "string") {
        return wrong(`generations[${i}]`, `The text is ${shown(values[i])}.`, "Text is expected.");
      }
    }
    if (!values.length) return wrong("generations", "The list is empty.", "At least one answer is expected.");
    return { texts: values };
  }

  function unpaired(file, seen) {
    if (!Array.isArray(file.value)) return [];
    const defects = asked.filter((one) => !seen.has(one)).map((one) => error(
      file.place, `Question ${one} has references, but no generated answer.`,
      "Every question with references needs an answer.",
    ));
    const unknown = [...seen.keys()].filter((one) => !known.has(one));
    if (unknown.length) {
      const found = `No reference set: ${Text.counted(unknown.length, "question")} (${Text.listing(unknown)}).`;
      defects.push(note(file.place, found, "They are left out.", unknown.length));
    }
    return defects;
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

  function remarks(file, entries) {
    const defects = [];
    const questions = [...entries.keys()];
    const special = questions.filter((one) => entries.get(one).some(marked));
    if (special.length) {
      const found = `START, END or other special tokens in: ${Text.counted(special.length, "question")} (${Text.listing(special)}).`;
      defects.push(warning(file.place, found, "They are scored as words.", "Remove them.", special.length));
    }
    const empty = questions.filter((one) => !entries.get(one).every((answer) => Text.strip(answer)));
    if (empty.length) {
      const found = `Empty answers: ${Text.counted(empty.length, "question")} (${Text.listing(empty)}).`;
      defects.push(note(file.place, found, "They are counted and not scored.", empty.length));
    }
    return defects;
  }

  return read;
}
