"use strict";

/* Detection of trec_eval files, and defects of a result file as a whole. */

const TrecDefects = (() => {
  const { error, warning, note, place } = Defects;
  const HEAD = 4096;
  const MAX_LINES = 20;
  const D = "[0-9](?:_?[0-9])*";
  const FLOAT = new RegExp(`^[+-]?(?:(?:${D}(?:\\.(?:${D})?)?|\\.${D})(?:e[+-]?${D})?|inf(?:inity)?|nan)$`, "i");
  const SAME = "The relevance file and the results must have the same format.";
  const MISSING = {
    skip: [
      ["It is left out of the mean (queries without results: skip).", "With zero it counts as 0."],
      ["They are left out of the mean (queries without results: skip).", "With zero they count as 0."],
    ],
    zero: [
      ["It counts as 0 in the mean (queries without results: zero).", "With skip it is left out."],
      ["They count as 0 in the mean (queries without results: zero).", "With skip they are left out."],
    ],
  };
  const BOTH = "Give both as ICFHR 2014 XML, or both in trec_eval's format.";

  /** Return the first lines that are neither blank nor comments: [line number, fields as text]. */
  function content(bytes) {
    const lines = [];
    let [from, number] = [0, 1];
    while (lines.length < MAX_LINES) {
      const end = TrecLines.find(bytes, 10, from, bytes.length);
      if (end < 0 && number > 1) break; // skip an incomplete line
      const places = TrecLines.fields(bytes, from, end < 0 ? bytes.length : end);
      if (places.length && bytes[places[0]] !== 35) {
        const texts = [];
        for (let i = 0; i < places.length; i += 2) texts.push(TrecLines.ascii(bytes, places[i], places[i + 1]));
        lines.push([number, texts]);
      }
      if (end < 0) break;
      [from, number] = [end + 1, number + 1];
    }
    return lines;
  }

  /** Return true if there are lines and all are judgements (`ofRelevance`), or all are results. */
  function isRole(bytes, ofRelevance) {
    const lines = content(bytes);
    return lines.length > 0 && lines.every(([, fields]) => (ofRelevance
      ? fields.length === 4 && FLOAT.test(fields[3]) : fields.length >= 6 && FLOAT.test(fields[4])));
  }

  /** Return true if a file hasFormat like judgements or results in trec_eval's format. */
  function hasFormat(head) {
    const text = XmlParser.isMarked(head) ? head.subarray(3) : head;
    let at = 0;
    while (at < text.length && TrecLines.isBlank(text[at])) at += 1;
    if (text.indexOf(0) >= 0 || [60, 123, 91].indexOf(text[at]) >= 0) return false;
    return isRole(text, true) || isRole(text, false);
  }

  /** Return the defect of a file that is not lines of text or is a relevance file, else null. */
  function fileDefect(bytes, path) {
    const head = bytes.subarray(0, HEAD);
    const problem = noLines(bytes, head) || otherFormat(head);
    if (problem) return error(place(path, 1), ...problem);
    if (!isRole(head, true)) return null;
    const found = "This looks like a relevance file (4 fields on each line), not like results.";
    const hint = "Were the two files swapped? This one belongs after --relevance.";
    return error(place(path, content(head)[0][0]), found, "", hint);
  }

  function noLines(bytes, head) {
    if (bytes.every(TrecLines.isBlank)) return ["The file is empty.", "", "Give the complete file."];
    if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
      return ["The text is UTF-16.", "UTF-8 is expected.", "Save the file as UTF-8."];
    }
    if (head.indexOf(0) >= 0 && !TrecLines.isUtf8(head)) {
      return ["This is not text.", "Lines of text are expected.", "Give the right file."];
    }
    let end = head.length;
    while (end > 0 && head[end - 1] === 13) end -= 1;
    if (head.indexOf(10) < 0 && head.subarray(0, end).indexOf(13) >= 0) {
      const found = "The lines end with CR alone, so that all of them are one.";
      return [found, "LF or CR and LF end a line.", "Save the file with such line ends."];
    }
    return null;
  }

  function otherFormat(head) {
    let at = 0;
    while (at < head.length && TrecLines.isBlank(head[at])) at += 1;
    if (head[at] === 60) return ["This is XML, not a file in trec_eval's format.", SAME, BOTH];
    if ((head[at] === 123 || head[at] === 91) && !isRole(head, false)) {
      const found = "This looks like JSON, not like a file in trec_eval's format.";
      return [found, "Every line has fields that blanks or tabs separate.", "Write such lines."];
    }
    return null;
  }

  function notXml(path) {
    const found = "This is a file in trec_eval's format, but the relevance file is ICFHR 2014 XML.";
    return error(place(path, 1), found, SAME, BOTH);
  }

  /** Return all defects of a result file from the results of its pieces. */
  function defectsOf(pieces, path, queries, options, noted) {
    const defects = new BoundedDefects(path);
    for (const piece of pieces) defects.join(piece.defects);
    const lines = new Map();
    for (const piece of pieces) piece.queries.forEach((line, query) => lines.set(query, line));
    if (lines.size) {
      const found = [...ofQueries(lines, path, queries, options), ...ofRanks(pieces, path, options), ...ofFields(pieces, path, options)];
      found.forEach((one) => defects.append(one));
    } else if (defects.isEmpty) {
      defects.add(null, "The file holds no results.", "", "Give the complete file.");
    }
    return [...noted, ...defects.defects()];
  }

  function ofQueries(lines, path, queries, options) {
    const known = new Set(queries);
    const unknown = [...lines.keys()].filter((query) => !known.has(query));
    const absent = queries.filter((query) => !lines.has(query));
    if (unknown.length === lines.size) {
      return [error(
        place(path, lines.get(unknown[0])),
        fill("No query of this file is in the relevance file (here: {name_list}).", nameList(unknown)),
        fill("The relevance file has {name_list}.", nameList(queries)), "Check that the two files belong together.",
      )];
    }
    const defects = [];
    if (unknown.length) {
      const are = counted(unknown.length, "query is", "queries are");
      const found = fill("{queries_are} not in the relevance file (first: {name_list}).", are, nameList(unknown));
      const ignored = unknown.length === 1 ? "It is ignored." : "They are ignored.";
      defects.push(warning(place(path, lines.get(unknown[0])), found, ignored, "", unknown.length));
    }
    return absent.length ? [...defects, missing(path, absent, options.missing)] : defects;
  }

  /** Return the warning about queries of the relevance file without results. */
  function missing(path, absent, policy) {
    const isOne = absent.length === 1;
    const found = isOne
      ? fill("1 query of the relevance file has no results (first: {names}).", nameList(absent))
      : fill("{count:,} queries of the relevance file have no results (first: {names}).", absent.length, nameList(absent));
    const [expected, hint] = MISSING[policy || "skip"][isOne ? 0 : 1];
    return warning(place(path), found, expected, hint, absent.length);
  }

  function ofRanks(pieces, path, options) {
    if (options.ties === "rank") {
      if (pieces.every((piece) => piece.isRanked)) return [];
      const found = "The rank column does not hold whole numbers throughout.";
      const hint = "Mend the column, or choose another policy for ties.";
      return [error(place(path), found, "The order of equal scores by rank needs them.", hint)];
    }
    const count = pieces.reduce((sum, piece) => sum + piece.contradicted, 0);
    if (!count) return [];
    const line = pieces.find((piece) => piece.contradicted).contradictedLine;
    const found = fill("The rank column contradicts the scores ({lines}).", counted(count, "line"));
    return [note(place(path, line), found, "The scores decide, as in trec_eval.", count)];
  }

  /** Return the warnings about a rank that is none and about a shifted line. */
  function ofFields(pieces, path, options) {
    const defects = [];
    const first = (name) => pieces.map((piece) => piece[name]).find((found) => found);
    const [rank, shift] = [first("oddRank"), first("shifted")];
    const expected = fill("The fields are {result_fields}.", "query, Q0, document, rank, score, run name");
    const shifted = "A blank in the id of a document shifts all fields after it.";
    const needsRanks = options.ties === "rank";
    if (rank && !needsRanks) {
      const hint = rank[1] > 6 ? shifted : "It is not used: the scores decide.";
      defects.push(warning(place(path, rank[0]), fill('The rank "{rank}" is not a whole number.', rank[2]), expected, hint));
    }
    if (shift && (!rank || rank[1] <= 6 || needsRanks)) {
      const found = fill('The line has {fields}; "{name}" is in the place of the run name.', counted(shift[1], "field"), shift[3]);
      defects.push(warning(place(path, shift[0]), found, expected, shifted));
    }
    return defects;
  }

  return { isRole, hasFormat, fileDefect, notXml, defectsOf, missing };
})();
