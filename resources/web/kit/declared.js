"use strict";

/* Checker of competitions that a folder declares: a table with a row for every item. */

function checker(facts, options, rules) {
  const { error, warning, place } = Defects;
  const RECORDS = "A list of objects, one for each item, is expected.";
  const EXPECTED = "A number with a decimal point, of at most 1e30, is expected.";
  const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
  const { item, columns, missing } = facts.rules;
  const wanted = [item, ...columns.map(([name]) => name)];
  const known = new Set(facts.items);
  const numbers = columns.filter(([, kind]) => kind === "number").map(([name]) => name);

  function read(bytes, path) {
    const decoded = Json.textOf(bytes, path, rules, false);
    if (decoded.text === null) return decoded.defects;
    const isJson = /^[ \t\r\n\ufeff]*(?:[{[]|\/[/*])/.test(decoded.text);
    return isJson ? readRecords(bytes, path) : [...decoded.defects, ...readLines(decoded.text, path)];
  }

  function readRecords(bytes, path) {
    const root = Json.read(bytes, path, rules, false);
    if (root.value === undefined || Defects.hasErrors(root.defects)) return root.defects;
    if (!Array.isArray(root.value) || !root.value.length) {
      const isEmpty = Array.isArray(root.value);
      root.error(isEmpty ? "The list is empty." : fill("The file holds {type}.", root.describe()), RECORDS);
      return root.defects;
    }
    const names = new Set();
    const cells = new Map(wanted.map((name) => [name, []]));
    root.elements().forEach((row) => readRecord(row, names, cells));
    numbers.forEach((name) => noteTexts(root, name));
    if (Defects.hasErrors(root.defects)) return root.defects;
    for (const name of wanted) if (!names.has(name)) cells.delete(name);
    const found = checkTable(path, [...names], cells, (row) => root.at(row).place);
    return [...root.defects, ...found];
  }

  /** Note numbers of a column that are written as texts. */
  function noteTexts(root, name) {
    const isText = (value) => typeof value === "string" && Text.strip(value) !== "";
    const texts = root.elements().filter((row) => row.isObject && isText(row.value.get(name)));
    if (!texts.length) return;
    const found = fill('"{name}" is text in {rows}.', name, counted(texts.length, "row"));
    texts[0].note(found, "It was read as a number.", texts.length);
  }

  function readRecord(row, names, cells) {
    if (!row.isObject) {
      row.error(fill("The element is {kind}.", row.describe()), RECORDS);
      return;
    }
    row.value.forEach((_, name) => names.add(name));
    cells.forEach((texts, name) => {
      const value = row.value.has(name) ? row.value.get(name) : null;
      if (Array.isArray(value) || value instanceof Map) {
        const found = fill('"{name}" is {type}.', name, JsonCursor.describe(value));
        row.error(found, "A text or a number is expected.");
      }
      texts.push(Text.strip(cellText(value)));
    });
  }

  function cellText(value) {
    if (value === null) return "";
    return value === true || value === false ? String(value) : Text.written(value);
  }

  function readLines(text, path) {
    const { errors, names, cells, placeOf } = ResultTable.read(text, path, wanted);
    return errors.length ? errors : checkTable(path, names, cells, placeOf);
  }

  const number = (text) => (NUMBER.test(text) && Math.abs(Number(text)) <= 1e30 ? Number(text) : NaN);

  function checkTable(path, names, cells, placeOf) {
    const lacking = wanted.filter((name) => !cells.has(name));
    if (lacking.length) return lacking.map((name) => noColumn(path, name, names));
    const errors = [];
    const ids = cells.get(item);
    checkIds(ids, placeOf, errors);
    numbers.forEach((name) => checkNumbers(name, cells.get(name), placeOf, errors));
    if (errors.length) return errors;
    const isGiven = (_, row) => numbers.every((name) => Number.isFinite(number(cells.get(name)[row])));
    const found = itemDefects(place(path), ids, new Set(ids.filter(isGiven)));
    return [...found, ...emptyTexts(place(path), ids, cells)];
  }

  function emptyTexts(where, ids, cells) {
    const defects = [];
    for (const [name, kind] of columns) {
      const empty = ids.filter((one, row) => !cells.get(name)[row] && known.has(one));
      if (kind === "number" || !empty.length) continue;
      const count = counted(empty.length, "item");
      const found = fill("{items} without a text in {name}: {names}.", count, `"${name}"`, nameList(empty));
      defects.push(warning(where, found, "They count as empty texts.", "", empty.length));
    }
    return defects;
  }

  function noColumn(path, name, names) {
    const listed = nameList(names.map((one) => `"${one}"`), 12);
    const found = fill("The table has no column {name}.", `"${name}"`);
    return error(place(path), found, "", fill("Its columns: {names}.", listed));
  }

  function checkIds(ids, placeOf, errors) {
    const seen = new Set();
    ids.forEach((text, row) => {
      if (!text) errors.push(error(placeOf(row), fill("{name} is empty.", `"${item}"`)));
      else if (seen.has(text)) {
        const found = fill("The item {item} has several rows.", `"${text}"`);
        errors.push(error(placeOf(row), found, "One row is expected."));
      }
      seen.add(text);
    });
  }

  function checkNumbers(name, texts, placeOf, errors) {
    texts.forEach((text, row) => {
      if (Number.isFinite(number(text)) || (!text && missing !== "error")) return;
      const shown = `"${JsonCursor.shorten(text)}"`;
      errors.push(error(placeOf(row), fill("{name} is not a number: {text}.", `"${name}"`, shown), EXPECTED));
    });
  }

  function itemDefects(where, ids, given) {
    const defects = [];
    const unknown = ids.filter((one) => !known.has(one));
    if (unknown.length) {
      const found = fill("{items} not in the references: {names}.", counted(unknown.length, "item"), nameList(unknown));
      defects.push(warning(where, found, "They are left out.", "", unknown.length));
    }
    const lacking = facts.items.filter((one) => !given.has(one));
    if (!lacking.length) return defects;
    const found = fill("{items} without a result: {names}.", counted(lacking.length, "item"), nameList(lacking));
    if (missing === "error" || lacking.length === known.size) {
      return [...defects, error(where, found, "A row for every item is expected.")];
    }
    const said = missing === "empty" ? "They count as empty texts." : "They are left out.";
    return [...defects, warning(where, found, said, "", lacking.length)];
  }

  return read;
}
