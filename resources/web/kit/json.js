"use strict";

/* Reader of a user's JSON file: its value, and its defects with their places. */

const Json = (() => {
  const REPLACEMENT = "\ufffd";
  const HALF = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|[^])/g;
  const FOREIGN = /"(?:[^"\\]|\\[^])*"|(-?Infinity|NaN)/g;
  /* What is left of a number or a word that the end of the file cuts. */
  const CUT = /^(?:\.|[eE][+-]?|-|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)$/;
  const SEPARATOR_LINE = /^["']?sep=([,;\t])["']?[ \t]*\r?(?:\n|$)/i;
  const NAME = /^"?[A-Za-z_][A-Za-z0-9_ .:-]*"?$/;
  const DELIMITERS = [["\t", translatable("tabs")], [";", translatable("semicolons")], [",", translatable("commas")]];
  const { error, warning, note, place } = Defects;

  /** Read the bytes of a file named `path`; `rules` are the limits of the organiser's Python.

  `rules.notFinite` accepts NaN and Infinity, for checkers that report each of them. */
  function read(bytes, path, rules, replace) {
    const decoded = textOf(bytes, path, rules, replace);
    if (decoded.text === null) return new JsonCursor(new JsonFile(path, decoded.defects, ""));
    const [text, half] = withoutHalves(decoded.text, path);
    const parser = new Parser(text, rules);
    const file = new JsonFile(path, [...decoded.defects, ...half], text, parser.starts);
    let data;
    try {
      data = parser.parse();
    } catch (fault) {
      file.defects.push(refusal(fault, text, path));
      return new JsonCursor(file);
    }
    if (parser.foreign && !rules.notFinite) {
      file.defects.push(foreign(text, path));
      return new JsonCursor(file);
    }
    if (parser.areLines) {
      const found = fill("The file is JSON Lines: {objects}, one after the other.", counted(data.length, "object"));
      file.defects.push(note(place(path), found, "They were read as a list."));
    }
    file.defects.push(...repeated(parser.repeated, path));
    return new JsonCursor(file, data);
  }

  function textOf(bytes, path, rules, replace) {
    const refused = (...message) => ({ text: null, defects: [error(place(path), ...message)] });
    if (bytes.length > rules.bytes) {
      const found = fill("The file holds more than {value:,.0f} MiB of text.", rules.bytes / 1048576);
      return refused(found, "", "Check that it is the right file.");
    }
    const blank = [9, 10, 11, 12, 13, 32];
    if (bytes.every((one) => blank.indexOf(one) >= 0)) return refused("The file is empty.", "", "Give the complete file.");
    if ([80, 75, 3, 4].every((one, index) => bytes[index] === one)) {
      return refused("The file is an archive (zip), not a text.", "", "Unpack it first.");
    }
    if ((bytes[0] === 255 && bytes[1] === 254) || (bytes[0] === 254 && bytes[1] === 255)) {
      return refused("The text is UTF-16.", "UTF-8 is expected.", "Save it as UTF-8.");
    }
    const marked = bytes[0] === 239 && bytes[1] === 187 && bytes[2] === 191;
    const body = marked ? bytes.subarray(3) : bytes;
    const marks = marked ? [note(place(path), "The byte order mark at the start was skipped.")] : [];
    const decoded = Utf8.decode(body);
    if (decoded.first < 0) return { text: decoded.text, defects: marks };
    const [line, column] = lineAndColumn(decoded.before, decoded.before.length);
    const where = place(path, line, column);
    const found = fill("The byte 0x{raw:02X} is not UTF-8.", body[decoded.first]);
    if (!replace) {
      const cut = "Save the file as UTF-8; if it is cut off, give the complete file.";
      const hint = isCutLetter(body, decoded.first) ? cut : "Save the file as UTF-8.";
      const defect = error(where, found, "UTF-8 is expected.", hint);
      return { text: null, defects: [...marks, defect] };
    }
    const expected = fill("It was read as the replacement character U+FFFD ({count:,} in all).", decoded.wrong);
    const defect = warning(where, found, expected, "Save the file as UTF-8.", decoded.wrong);
    return { text: decoded.text, defects: [...marks, defect] };
  }

  /** Return whether the bytes from a place on begin a letter that the end of the file cuts. */
  function isCutLetter(body, first) {
    const lead = body[first];
    const size = lead >= 0xf5 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
    const rest = Array.from(body.subarray(first + 1));
    const [least, most] = { 0xe0: [0xa0, 0xbf], 0xed: [0x80, 0x9f], 0xf0: [0x90, 0xbf], 0xf4: [0x80, 0x8f] }[lead] || [0x80, 0xbf];
    const isBegun = rest.every((one, index) => (index ? one >= 0x80 && one <= 0xbf : one >= least && one <= most));
    return rest.length + 1 < size && isBegun;
  }

  /** Return line and column of a position, counted from 1 in characters. */
  function lineAndColumn(text, position) {
    const before = text.slice(0, position);
    const start = before.lastIndexOf("\n") + 1;
    return [before.split("\n").length, Text.length(before.slice(start)) + 1];
  }

  function withoutHalves(text, path) {
    const halves = [];
    const whole = text.replace(HALF, (found, half, position) => {
      if (half === undefined) return found;
      halves.push([found, position]);
      return "\\ufffd";
    });
    if (!halves.length) return [text, []];
    const [found, position] = halves[0];
    const defect = warning(
      place(path, ...lineAndColumn(text, position)),
      fill("The escape {halves} is half of a surrogate pair.", found),
      fill("It was read as the replacement character U+FFFD ({halves:,} in all).", halves.length),
      "Write both halves.", halves.length,
    );
    return [whole, [defect]];
  }

  function refusal(fault, text, path) {
    if (fault instanceof JsonTooDeep) {
      const found = "The JSON is nested too deeply to be read.";
      return error(place(path), found, "A few levels are expected.", "Check that it is the right file.");
    }
    if (fault instanceof IntegerTooLong) {
      const found = "The JSON contains a whole number with thousands of digits.";
      const hint = "Check for a missing separator between numbers.";
      return error(place(path), found, fill("At most {get_int_max_str_digits:,} digits are read.", 4300), hint);
    }
    if (!(fault instanceof JsonSyntaxError)) throw fault;
    const table = fault.position === 0 ? describeTable(text) : "";
    if (table) return error(place(path), fill("The file is {table}.", table), "JSON is expected.");
    const shown = Text.strip(Text.head(text.slice(fault.position), 40).split("\n")[0]);
    const rest = Text.characters(shown).map((one) => (Text.printable(one) ? one : REPLACEMENT)).join("");
    let found = fill("The JSON is invalid: {phrase}, but the line ends here.", fault.said);
    if (rest) found = fill("The JSON is invalid: {phrase}, but found: {rest}", fault.said, rest);
    if (fault.position >= Text.stripRight(text).length) {
      found = fill("The JSON is invalid: {phrase}, but the file ends here.", fault.said);
    }
    const hint = "The rest of the file was not read: fix this and check again.";
    return error(place(path, ...lineAndColumn(text, fault.position)), found, usualCause(text, fault.position), hint);
  }

  /** Return what usually makes a text no JSON at a place, as a sentence; empty if unknown. */
  function usualCause(text, position) {
    const left = Text.stripRight(text).slice(position);
    if (!left || CUT.test(left)) return "It may be cut: the complete file is expected.";
    const begin = text.slice(position, position + 2);
    if (begin === "//" || begin === "/*" || begin[0] === "#") return "JSON has no comments.";
    if (begin[0] === "|") return "This may be a Markdown table: JSON is expected.";
    if (begin[0] === "'") return "JSON has its texts in double quotes; Python prints them in single ones.";
    let before = position - 1;
    while (before >= 0 && " \t\r\n".includes(text[before])) before -= 1;
    let after = position;
    while (after < text.length && ", \t\r\n".includes(text[after])) after += 1;
    const isClosed = text[after] === "}" || text[after] === "]";
    const hasComma = text[before] === "," || begin[0] === ",";
    return isClosed && hasComma ? "JSON has no comma before a closing bracket." : "";
  }

  /** Return the delimiter and the columns of a table, else empty. */
  function describeTable(text) {
    const [header, second] = [...text.replace(SEPARATOR_LINE, "").split("\n", 2), ""];
    for (const [delimiter, phrase] of DELIMITERS) {
      const names = header.replace(/\r+$/, "").split(delimiter);
      const fits = names.length > 1 && second.split(delimiter).length >= names.length;
      // pandas writes its index without a name
      const known = /^"*$/.test(names[0]) ? names.slice(1) : names;
      if (fits && known.every((name) => NAME.test(name))) {
        const columns = nameList(known.map((name) => name.replace(/^"+|"+$/g, "")), 6);
        return fill("a table with {phrase}: {columns}", phrase, columns);
      }
    }
    return "";
  }

  function foreign(text, path) {
    FOREIGN.lastIndex = 0;
    let match = FOREIGN.exec(text);
    while (match[1] === undefined) match = FOREIGN.exec(text);
    const where = place(path, ...lineAndColumn(text, match.index));
    const found = fill("The JSON is invalid: {match} is not a JSON value.", match[1]);
    return error(where, found, "A finite number or null is expected.");
  }

  function repeated(names, path) {
    if (!names.length) return [];
    const which = nameList([...new Set(names)].map((name) => `"${name}"`));
    const found = fill("{objects} with duplicate members: {which}.", counted(names.length, "object"), which);
    return [warning(place(path), found, "The last one counts.", "", names.length)];
  }

  return { SEPARATOR_LINE, describeTable, read, textOf };
})();
