"use strict";

/* Texts for ids that other programs wrote, as core/readers/program_answers.py reads them. */

const ProgramAnswers = (() => {
  const CAPTION_TOKENS = ["<CAPTION>", "<DETAILED_CAPTION>", "<MORE_DETAILED_CAPTION>"];
  const PREDICTED = [
    "prediction", "predicted", "pred", "predicted_answer", "pred_answer", "model_answer",
    "predicted_caption", "pred_caption", "generated_caption", "caption_pred",
    "generated_text", "model_output", "response", "output", ...CAPTION_TOKENS,
  ];
  const OTHER_IDS = { image_id: ["imageId", "img_id", "image", "image_name", "img_name", "file_name", "filename"] };
  const PROGRAMS = [
    ["LLaVA", ["question_id", "text", "answer_id", "model_id"], [["question_id"]], [["text"]]],
    ["OpenAI's Batch API", ["custom_id", "response"], [["custom_id"]], [
      ["response", "body", "choices", 0, "message", "content"],
      ["response", "body", "choices", 0, "text"],
      ["response", "body", "output", 0, "content", 0, "text"],
    ]],
    ["Anthropic's Message Batches", ["custom_id", "result"], [["custom_id"]], [["result", "message", "content", 0, "text"]]],
    ["lm-evaluation-harness", ["doc", "filtered_resps"],
      ["question_id", "questionId", "image_id", "id"].map((name) => ["doc", name]), [["filtered_resps", 0], ["filtered_resps"]]],
  ];
  const shown = (way) => way.map((one) => (typeof one === "number" ? `[${one}]` : `.${one}`)).join("").slice(1);
  const isScalar = (value) => typeof value === "string" || value instanceof Whole;

  const inAll = (records, names) => names.filter((name) => records.every((one) => isScalar(one.get(name))));

  /** Return a number of an id that is written as a whole number; the id for any other. */
  const written = (text) => (/^(?:0|[1-9][0-9]{0,17})$/.test(text) ? new Whole(text) : text);

  /** Return a cursor at the entries of another program, or of a table; the same for other files. */
  function read(root, bytes, path, rules, names) {
    if (root.value === undefined) return fromTable(root, bytes, path, rules, names);
    const records = recordsOf(root.value);
    if (records === null) return root;
    const [id, text] = [names.id, names.text];
    if (records[0].has(id) && records[0].has(text)) return doubted(root, records, text);
    const found = ofProgram(records) || byOtherNames(records, id, text);
    if (found === null) return root;
    root.file.defects.push(Defects.note(Defects.place(path), found.said));
    const spelled = (key) => (typeof key === "string" && !names.textIds ? written(key) : key);
    const entries = found.ids.map((key, row) => new Map([[id, spelled(key)], [text, found.texts[row]]]));
    return new JsonCursor(root.file, entries);
  }

  function recordsOf(data) {
    const isSuite = data instanceof Map && data.has("model_configs") && data.has("logs");
    const records = isSuite ? data.get("logs") : data;
    const are = Array.isArray(records) && records.length && records.every((one) => one instanceof Map);
    return are ? records : null;
  }

  function ofProgram(records) {
    const program = PROGRAMS.find(([, members]) => records.every((one) => members.every((name) => one.has(name))));
    if (program === undefined) return null;
    const [name, , ids, texts] = program;
    const first = (ways) => ways.find((way) => records.some((one) => isScalar(at(one, way))));
    const [idWay, textWay] = [first(ids), first(texts)];
    if (idWay === undefined || textWay === undefined) return null;
    const said = fill("The file is an output of {program}: {members} are read.", name, nameList([shown(idWay), shown(textWay)]));
    return { ids: values(records, [idWay]), texts: values(records, texts), said };
  }

  function values(records, ways) {
    return records.map((one) => {
      const found = ways.map((way) => at(one, way)).find(isScalar);
      return found === undefined ? null : found;
    });
  }

  function at(value, way) {
    let held = value;
    for (const step of way) {
      if (typeof step === "string") held = held instanceof Map ? held.get(step) : undefined;
      else held = Array.isArray(held) ? held[step] : undefined;
    }
    return held;
  }

  function byOtherNames(records, id, text) {
    if (!(id in OTHER_IDS)) return null;
    const ids = records[0].has(id) ? [id] : inAll(records, OTHER_IDS[id]);
    const texts = records[0].has(text) ? [text] : inAll(records, PREDICTED);
    if (ids.length !== 1 || texts.length !== 1) return null;
    const said = fill('"{id}" and "{text}" are read as "{id2}" and "{text2}".', ids[0], texts[0], id, text);
    const given = records.map((one) => (one.has(texts[0]) ? one.get(texts[0]) : null));
    return { ids: values(records, [[ids[0]]]), texts: given, said };
  }

  /** Warn if the texts may be the true ones beside those of a model. */
  function doubted(root, records, text) {
    const others = inAll(records, PREDICTED.filter((one) => one !== text));
    if (others.length) {
      const names = nameList(others.map((one) => `"${one}"`));
      const found = fill('"{text}" is read; the entries also have {names}.', text, names);
      root.file.defects.push(Defects.warning(Defects.place(root.file.path), found, "", "Check which is the model's."));
    }
    return root;
  }

  function fromTable(root, bytes, path, rules, names) {
    const { text, defects } = Json.textOf(bytes, path, rules, false);
    const described = text === null ? "" : Json.describeTable(text);
    if (!described) return root;
    const wanted = [names.id, names.text, ...(OTHER_IDS[names.id] || []), ...PREDICTED];
    const { errors, cells } = ResultTable.read(text, path, wanted);
    if (errors.length) return new JsonCursor(new JsonFile(path, [...defects, ...errors], text));
    const columns = [...cells];
    const rows = columns.length ? columns[0][1].map((_, row) => new Map(columns.map(([name, texts]) => [name, texts[row]]))) : [];
    const said = Defects.note(Defects.place(path), fill("The file is {table}.", described), "It was read as a list of results.");
    const file = new JsonFile(path, [...defects, said], text, new Map());
    if (!cells.has(names.id) || !cells.has(names.text)) {
      const listed = new JsonCursor(file, rows);
      const found = rows.length ? read(listed, bytes, path, rules, names) : listed;
      return found === listed ? root : found;
    }
    const spelled = (key) => (names.textIds ? IdSpellings.plain(key) : written(IdSpellings.plain(key)));
    const entries = rows.map((one) => new Map([...one, [names.id, spelled(one.get(names.id))]]));
    return doubted(new JsonCursor(file, entries), rows, names.text);
  }

  return { CAPTION_TOKENS, read, written };
})();
