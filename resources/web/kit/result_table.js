"use strict";

/* Table of results: separated values, whose first line has the names of the columns. */

const ResultTable = (() => {
  const { error, place } = Defects;
  const SEPARATORS = [",", ";", "\t"];

  /** Return the names of the columns, the cells of the wanted ones, and where a row stands; or errors. */
  function read(text, path, wanted) {
    const given = text.replace(/\r\n/g, "\n").replace(/\r/g, "\n");
    const named = Json.SEPARATOR_LINE.exec(given);
    const plain = named ? `\n${given.slice(named[0].length)}` : given;
    const head = plain.replace(/^\n+/, "").split("\n")[0];
    const count = (one) => head.split(one).length;
    const separator = named ? named[1] : SEPARATORS.reduce((best, one) => (count(one) > count(best) ? one : best));
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
    if (errors.length) return { errors };
    const shown = wanted.filter((name) => names.includes(name));
    const cells = new Map(shown.map((name) => [name, rows.slice(1).map((row) => row.cells[names.indexOf(name)])]));
    return { errors, names, cells, placeOf: (row) => place(path, rows[row + 1].line) };
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

  return { read };
})();
