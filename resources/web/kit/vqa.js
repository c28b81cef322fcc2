"use strict";

/* Checker of visual question answering: one answer for every question. */

function checker(facts, options, rules) {
  const LIMIT = 2147483648;
  const ID = facts.program === "vqa" ? "question_id" : facts.program === "relaxed" ? "id" : "questionId";
  const NAME = facts.program === "gqa" ? "prediction" : "answer";
  const lastCounts = ["vqa", "gqa"].includes(facts.program) && options.profile !== "corrected";
  const expected = fill('A list of objects with "{id}" and "{answer}" is expected.', ID, NAME);

  const isId = (value) => typeof value === "string" || typeof value === "number" || value instanceof Whole;
  const IDENTITY = new Attribute(ID, "A number or text is expected.", (value) => (isId(value) ? value : null));
  const quoted = (value) => (typeof value === "string" ? `"${value}"` : Text.written(value));
  const shown = (value) => (typeof value === "string" ? value : Text.written(value));

  const { asWhole: whole, key } = IdSpellings;
  const scored = facts.questions.map(whole);
  const listed = [...scored, ...facts.others.map(whole)].map(key);
  const known = new Set(listed);
  const choices = new Map(listed.map((name, place) => [name, (facts.choices || [])[place] || null]));

  function read(bytes, path) {
    const names = { id: ID, text: NAME, textIds: facts.program === "gqa" };
    const json = Json.read(bytes, path, Object.assign({}, rules, { bytes: LIMIT }), false);
    const root = ProgramAnswers.read(json, bytes, path, rules, names);
    if (root.value === undefined) return root.defects;
    if (!Array.isArray(root.value) || !root.value.length) {
      reportShape(root);
      return root.defects;
    }
    const entries = root.elements().map(readEntry).filter((one) => one !== null);
    const first = new Map();
    const unknown = [];
    for (const { entry, id, text } of entries) {
      const name = key(id);
      if (first.has(name)) reportRepeated(entry, id, first.get(name));
      else if (!known.has(name)) unknown.push({ entry, id });
      else checkChoice(text, id, choices.get(name));
      first.set(name, entry);
    }
    const meant = reportUnknown(unknown);
    const answered = new Set([...first.keys(), ...meant]);
    if (entries.length === root.value.length) reportMissing(root, answered);
    return root.defects;
  }

  function reportShape(root) {
    if (Array.isArray(root.value)) {
      root.error("The list is empty.", expected);
      return;
    }
    const lists = root.isObject ? [...root.value].filter(([, one]) => Array.isArray(one)).map(([name]) => name) : [];
    const hint = lists.length ? fill('The list "{name}" alone is expected as the file.', lists[0]) : "";
    root.error(fill("The file holds {type}.", root.describe()), expected, hint);
  }

  function readEntry(entry, index) {
    if (!entry.isObject) {
      entry.error(fill("The element is {kind}.", entry.describe()), expected);
      return null;
    }
    let id = IDENTITY.of(entry);
    if (id === null && facts.program === "relaxed" && !entry.value.has(ID)) id = new Whole(String(index));
    const text = entry.at(NAME);
    if (id !== null && typeof text.value === "string") return { entry, id, text };
    if (id === null) {
      entry.reportInvalid([IDENTITY]);
      return null;
    }
    const isNumber = typeof text.value === "number" || text.value instanceof Whole;
    const hint = isNumber ? fill('Write it as text: "{value}".', Text.written(text.value)) : "";
    text.error(fill("Question {id}: {fault}", shown(id), entry.describeFault(NAME)), "Text is expected.", hint);
    return null;
  }

  function checkChoice(text, id, offered) {
    if (offered === null || offered.includes(text.value)) return;
    const near = CloseMatch.match(text.value, offered);
    const hint = near === null ? "" : fill('Is "{choice}" meant?', near);
    const found = fill("The answer to question {id} is none of its choices.", quoted(id));
    text.error(found, "One of the multiple choices is expected.", hint);
  }

  function reportRepeated(entry, id, first) {
    const found = fill("Question {id} also has an answer at [{first}].", quoted(id), first.index);
    if (lastCounts) entry.warning(found, "The last one counts.", "Keep one of them.");
    else entry.error(found, "One answer is expected.", "Keep one of them.");
  }

  /** Report answers to no question of the references; return the questions that ids mean. */
  function reportUnknown(unknown) {
    const expected = "A question of the references is expected.";
    const spelled = new IdSpellings.Known(unknown.length ? [...scored, ...facts.others].map((id) => [id, [id]]) : []);
    const meant = new Map(unknown.map(({ id }) => [key(id), spelled.find(id)]));
    const isMistyped = ({ id }) => meant.get(key(id)) !== undefined;
    const names = (listed) => nameList(listed.map(({ id }) => quoted(id)));
    const mistyped = unknown.filter(isMistyped);
    if (mistyped.length) {
      const count = counted(mistyped.length, "entry", "entries");
      const found = fill("{entries} with another spelling of the question id: {names}.", count, names(mistyped));
      const hint = fill("Write the id as in the references: {id}.", quoted(meant.get(key(mistyped[0].id))));
      mistyped[0].entry.at(ID).error(found, expected, hint);
    }
    const foreign = unknown.filter((one) => !isMistyped(one));
    const questions = mistyped.map(({ id }) => key(meant.get(key(id))));
    if (!foreign.length) return questions;
    const count = counted(foreign.length, "answer");
    const found = fill("{answers} to questions that are not in {name}: {names}.", count, facts.named_by, names(foreign));
    const place = foreign[0].entry.at(ID);
    if (facts.program === "gqa") place.note(found, "They are left out.", foreign.length);
    else place.error(found, expected, "Check that both files are of the same questions.");
    return questions;
  }

  function reportMissing(root, first) {
    const missing = scored.filter((id) => !first.has(key(id))).map(quoted);
    if (!missing.length) return;
    const found = fill("{questions} without an answer: {names}.", counted(missing.length, "question"), nameList(missing));
    if (options.missing === "zero") {
      root.warning(found, "They count as 0.", "", missing.length);
      return;
    }
    const wanted = fill("An answer is expected for every question of {name}.", facts.named_by);
    root.error(found, wanted, "Add them, or use --missing zero.");
  }

  return read;
}
