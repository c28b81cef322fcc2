"use strict";

/* Checker of competitions that a folder declares: a table with a row for every item. */

function checker(facts, options, rules) {
  const { error, warning, place } = Defects;
  const SEPARATORS = [",", ";", "\t"];
  const RECORDS = "A list of objects, one for each item, is expected.";
  const EXPECTED = "A number with a decimal point, of at most 1e30, is expected.";
  const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
  const { item, columns, missing } = facts.rules;
  const wanted = [item, ...columns.map(([name]) => name)];
  const known = new Set(facts.items);

  function read(bytes, path) {
    const decoded = Json.textOf(bytes, path, rules, false);
    if (decoded.text === null) return decoded.defects;
    const isJson = /^[ \t\r\n\ufeff]*[{[]/.test(decoded.text);
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
    if (Defects.hasErrors(root.defects)) return root.defects;
    for (const name of wanted) if (!names.has(name)) cells.delete(name);
    const found = checkTable(path, [...names], cells, (row) => root.at(row).place);
    return [...root.defects, ...found];
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
    const plain = text.replace(/\r\n/g, "\n").replace(/\r/g, "\n");
    const head = plain.replace(/^\n+/, "").split("\n")[0];
    const count = (one) => head.split(one).length;
    const separator = SEPARATORS.reduce((best, one) => (count(one) > count(best) ? one : best));
    const errors = [];
    const rows = [];
    for (const [line, row] of records(plain, separator, path, errors)) {
      if (row.length > 1 || row[0] !== "") rows.push({ line, cells: row.map(Text.strip) });
    }
    const names = rows.length ? rows[0].cells : [];
    const repeated = wanted.filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
    if (repeated.length) {
      const listed = [...new Set(repeated)].sort(Text.compare);
      errors.push(error(place(path, rows[0].line), fill("Columns of the same name: {names}.", nameList(listed))));
    }
    for (const { line, cells } of rows.slice(1)) {
      if (cells.length === names.length) continue;
      const found = fill("The line has {count} fields; the first line has {width}.", cells.length, names.length);
      errors.push(error(place(path, line), found, "", "Quote fields that contain a separator."));
    }
    if (rows.length < 2 && !errors.length) {
      errors.push(error(place(path), "The table has names of columns, and no row."));
    }
    if (errors.length) return errors;
    const shown = wanted.filter((name) => names.includes(name));
    const found = new Map(shown.map((name) => [name, rows.slice(1).map(({ cells }) => cells[names.indexOf(name)])]));
    return checkTable(path, names, found, (row) => place(path, rows[row + 1].line));
  }

  /** Return the fields of every record with its line, up to a quotation mark that is wrong. */
  function records(text, separator, path, errors) {
    const found = [];
    const end = new RegExp(`[${separator}\n]`, "g");
    const quoted = /"([^"]*(?:""[^"]*)*)"/g;
    let [at, line] = [0, 1];
    while (at < text.length) {
      const row = [];
      const first = line;
      for (;;) {
        if (text[at] === '"') {
          quoted.lastIndex = at;
          const field = quoted.exec(text);
          const isOpen = field === null || field.index !== at;
          const after = isOpen ? "" : text.charAt(quoted.lastIndex);
          if (isOpen || !["", "\n", separator].includes(after)) {
            errors.push(wrongQuotes(place(path, line), isOpen));
            return found;
          }
          row.push(field[1].replace(/""/g, '"'));
          line += field[1].split("\n").length - 1;
          at = quoted.lastIndex;
        } else {
          end.lastIndex = at;
          const stop = end.exec(text);
          const next = stop === null ? text.length : stop.index;
          row.push(text.slice(at, next));
          at = next;
        }
        if (text[at] !== separator) break;
        at += 1;
      }
      found.push([first, row]);
      at += 1;
      line += 1;
    }
    return found;
  }

  function wrongQuotes(where, isOpen) {
    if (isOpen) return error(where, "A quotation mark is not closed before the end of the file.");
    return error(where, "Text follows a closing quotation mark.", "", "Write a quotation mark inside a field twice.");
  }

  const number = (text) => (NUMBER.test(text) && Math.abs(Number(text)) <= 1e30 ? Number(text) : NaN);

  function checkTable(path, names, cells, placeOf) {
    const lacking = wanted.filter((name) => !cells.has(name));
    if (lacking.length) return lacking.map((name) => noColumn(path, name, names));
    const errors = [];
    const ids = cells.get(item);
    checkIds(ids, placeOf, errors);
    const numbers = columns.filter(([, kind]) => kind === "number").map(([name]) => name);
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
