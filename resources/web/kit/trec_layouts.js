"use strict";

/* Other layouts of ranked lists, read as trec_eval's lines: core/tasks/keyword_spotting/trec/layouts.py. */

const TrecLayouts = (() => {
  const HEAD = 4096;
  // Tabs are blanks, unless the columns are named.
  const DELIMITERS = [
    ["\t", translatable("tabs")], [",", translatable("commas")], [";", translatable("semicolons")],
    ["|", translatable("bars")], [null, translatable("blanks")],
  ];
  const QUERY_WORDS = new Set(["qid", "query", "query_id", "query-id", "queryid", "q_id", "topic", "topic_id"]);
  const DOCUMENT_WORDS = new Set([
    "docid", "doc_id", "docno", "did", "document", "document_id", "doc", "corpus-id", "corpus_id", "pid",
    "passage_id", "iteration",
  ]);
  const SCORE_WORDS = new Set(["score", "sim", "similarity"]);
  const OTHER_WORDS = new Set([...DOCUMENT_WORDS, ...SCORE_WORDS, "relevance", "rel", "label", "grade", "rank"]);
  const MEANINGS = {
    query: ["qid", "query_id", "query-id", "queryid", "q_id", "topic_id", "topic", "query"],
    document: ["docno", "corpus-id", "corpus_id", "doc_id", "document_id", "docid", "pid", "passage_id", "did", "document", "doc"],
    score: ["score", "sim", "similarity"],
    rank: ["rank"],
  };
  const SEPARATOR = /^["']?sep=[,;\t|]["']?[ \t\n\r\f\v]*$/i;
  const READ = "It was read as trec_eval's lines.";
  const OF_RANKS = "It was read as trec_eval's lines; the score is the negative rank.";
  const LARGEST = 1e300;
  const DECISIVE = 3;
  const LONE = /(?:^|[^\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/;
  const { note, error, place } = Defects;
  const strip = (text) => text.replace(/^[ \t\n\r\f\v]+|[ \t\n\r\f\v]+$/g, "");
  const words = (line) => line.split(/[ \t\n\r\f\v]+/).filter(Boolean);
  const unquoted = (text) => text.replace(/^"+|"+$/g, "");
  const lower = (text) => text.replace(/[A-Z]+/g, (found) => found.toLowerCase());

  class UnfitLine extends Error {
    constructor(line, hint) {
      super(hint);
      Object.assign(this, { line, hint });
    }
  }

  /** Return the bytes as trec_eval's lines, and the defects: an error for a file of several layouts. */
  function read(given, path, rules) {
    const bytes = XmlParser.isMarked(given) ? given.subarray(3) : given;
    const head = bytes.subarray(0, HEAD);
    const indexed = indexLayout(TrecLines.ascii(head, 0, head.length));
    if (indexed === null && TrecDefects.isRole(head, false)) return { bytes: given, defects: [] };
    const at = headerStart(head);
    if (at !== null) {
      const masked = bytes.slice();
      masked[at] = 35;
      const line = TrecLines.ascii(bytes, 0, at).split("\n").length;
      return { bytes: masked, defects: [note(place(path, line), "The line names the columns.", "It was left out.")] };
    }
    const layout = indexed || findLayout(TrecLines.ascii(head, 0, head.length), rules);
    if (layout === null) return { bytes: given, defects: [] };
    try {
      const lines = layout.convert(bytes);
      if (lines === null) return { bytes: given, defects: [] };
      return { bytes: lines, defects: [note(place(path), layout.found, layout.hint)] };
    } catch (unfit) {
      if (!(unfit instanceof UnfitLine)) throw unfit;
      const where = place(path, unfit.line || null);
      return { bytes: given, defects: [error(where, layout.found, "Here is another layout.", unfit.hint)] };
    }
  }

  /** Return where the line of column names begins, after which trec_eval's lines follow. */
  function headerStart(head) {
    let start = 0;
    for (;;) {
      const end = TrecLines.find(head, 10, start, head.length);
      if (end < 0) return null;
      const places = TrecLines.fields(head, start, end);
      if (places.length && head[places[0]] !== 35) {
        const fields = [];
        for (let i = 0; i < places.length; i += 2) fields.push(TrecLines.ascii(head, places[i], places[i + 1]));
        const isHeader = areNames(fields) && fields.length === 6;
        return isHeader && TrecDefects.isRole(head.subarray(end + 1), false) ? places[0] : null;
      }
      start = end + 1;
    }
  }

  function areNames(fields) {
    const found = fields.map((one) => lower(unquoted(one)));
    return found.some((one) => QUERY_WORDS.has(one)) && found.some((one) => OTHER_WORDS.has(one));
  }

  function findLayout(head, rules) {
    const start = strip(head);
    if (start[0] === "{" || start[0] === "[") {
      const convert = (bytes) => convertJson(bytes, rules);
      return { convert, found: "The file is JSON, not lines with fields.", hint: READ };
    }
    if (head.includes("\0") || start[0] === "<") return null;
    for (const [delimiter, phrase] of DELIMITERS) {
      const layout = tableLayout(head, delimiter, phrase);
      if (layout) return layout;
    }
    return null;
  }

  const hasContent = (line) => words(line).length > 0 && !strip(line).startsWith("#") && !SEPARATOR.test(line);

  /** Return the fields of a line, without quotation marks and formulas of a spreadsheet. */
  function split(line, delimiter) {
    if (delimiter === null) return words(line);
    const text = line.replace(/^[ \r\n]+|[ \r\n]+$/g, "");
    if (!text.includes('"')) return text.split(delimiter).map(strip);
    return quotedCells(text, delimiter).map((one) => {
      const cell = strip(one);
      return unquoted(cell.startsWith('="') ? cell.slice(1) : cell);
    });
  }

  /** Return the cells of a line of CSV; marks inside a cell are doubled. */
  function quotedCells(text, delimiter) {
    const cells = [""];
    let [isOpen, isStart] = [false, true];
    for (let i = 0; i < text.length; i += 1) {
      const last = cells.length - 1;
      if (text[i] === '"' && isStart) [isOpen, isStart] = [true, false];
      else if (isOpen && text[i] === '"' && text[i + 1] === '"') {
        cells[last] += '"';
        i += 1;
      } else if (isOpen && text[i] === '"') isOpen = false;
      else if (!isOpen && text[i] === delimiter) {
        cells.push("");
        isStart = true;
      } else {
        if (!isStart || text[i] !== " ") [cells[last], isStart] = [cells[last] + text[i], false];
      }
    }
    return cells;
  }

  function tableLayout(head, delimiter, phrase) {
    const lines = head.split("\n");
    const complete = lines.length > 1 ? lines.slice(0, -1) : lines;
    const every = complete.filter(hasContent).map((line) => split(line, delimiter));
    const names = every.length && areNames(every[0]) ? every.shift() : null;
    const rows = every.slice(0, DECISIVE);
    const counts = new Set([...rows, ...(names ? [names] : [])].map((row) => row.length));
    if (!rows.length || counts.size !== 1) return null;
    const [count] = [...counts];
    const columns = columnsOf(rows, count, names);
    const named = names ? namedColumns(names.map(lower), rows) : null;
    if (named && !agree(columns, named)) {
      const shown = names.filter((_, at) => named[at]).join(", ");
      const found = fill("The lines have {count} fields, of which these are read: {names}.", count, shown);
      const hint = named.includes("score") ? READ : OF_RANKS;
      return { convert: (bytes) => convertTable(bytes, delimiter, named, true), found, hint };
    }
    if (!columns || delimiter === "\t" || (delimiter === null && count >= 6)) return null;
    const found = fill("The lines have {count} fields, separated by {phrase}: {names}.", count, phrase, columns.join(", "));
    const hint = columns.includes("score") ? READ : OF_RANKS;
    const given = Object.assign(new Array(count).fill(""), columns);
    return { convert: (bytes) => convertTable(bytes, delimiter, given, false), found, hint };
  }

  /** Return what each named column is, "" for those that are not read; null if one is missing. */
  function namedColumns(names, rows) {
    const isAll = (at, pattern) => at >= 0 && rows.every((row) => pattern.test(row[at]));
    const place = (wanted) => names.indexOf(wanted.find((one) => names.includes(one)));
    const [query, document, score, ranks] = Object.values(MEANINGS).map(place);
    const rank = isAll(ranks, TrecPiece.WHOLE) ? ranks : -1;
    const value = score < 0 ? rank : score;
    if (Math.min(query, document, value) < 0 || !isAll(value, TrecPiece.NUMBER)) return null;
    const meant = new Map([[query, "query"], [document, "document"], [score, "score"], [rank, "rank"]]);
    return names.map((_, at) => meant.get(at) || "");
  }

  function agree(columns, named) {
    return columns !== null && named.every((one, at) => !one || one === columns[at]);
  }

  const isConstant = (rows, column) => rows.every((row) => /^q?0$/i.test(row[column]));

  /** Return the layout of trec_eval's lines after a column that counts them, as pandas' index; or null. */
  function indexLayout(head) {
    const lines = head.split("\n");
    const complete = (lines.length > 1 ? lines.slice(0, -1) : lines).filter(hasContent);
    for (const delimiter of [null, "\t", ",", ";"]) {
      const rows = complete.slice(0, DECISIVE).map((line) => split(line, delimiter));
      const areEqual = rows.length > 1 && rows.every((row) => row.length === 7);
      if (!areEqual || !isConstant(rows, 2) || isConstant(rows, 1) || !/^[01]$/.test(rows[0][0])) continue;
      if (rows.every((row, at) => row[0] === String(Number(rows[0][0]) + at))) {
        const convert = (bytes) => withoutIndex(bytes, delimiter);
        return { convert, found: "The first column counts the lines.", hint: READ };
      }
    }
    return null;
  }

  function withoutIndex(bytes, delimiter) {
    const lines = TrecLines.ascii(bytes, 0, bytes.length).split("\n").map((line, index) => {
      if (!hasContent(line)) return line;
      const row = split(line, delimiter);
      if (row.length !== 7 || row.some((one) => words(one).length !== 1)) {
        throw new UnfitLine(index + 1, "Every line needs the same fields, without blanks inside.");
      }
      return row.slice(1).join(" ");
    });
    return Uint8Array.from(lines.join("\n"), (one) => one.charCodeAt(0));
  }

  function columnsOf(rows, count, names) {
    const all = (column, pattern) => rows.every((row) => pattern.test(row[column]));
    if (count >= 6 && all(4, TrecPiece.NUMBER)) return ["query", "Q0", "document", "rank", "score", "run name"];
    const isSecond = count < 2 || isConstant(rows, 1);
    if (count === 5 && isSecond && all(4, TrecPiece.NUMBER)) return ["query", "Q0", "document", "rank", "score"];
    if (count === 4 && !isSecond && all(3, TrecPiece.NUMBER)) {
      return all(2, TrecPiece.WHOLE) ? ["query", "document", "rank", "score"] : null;
    }
    if (count === 3 && all(2, TrecPiece.NUMBER)) {
      const last = names ? lower(unquoted(names[2])) : "";
      const isScore = SCORE_WORDS.has(last) || !all(2, TrecPiece.WHOLE);
      return ["query", "document", isScore ? "score" : "rank"];
    }
    return null;
  }

  function convertTable(bytes, delimiter, columns, isNamed) {
    const lines = [];
    const ranks = new Map();
    let isFirst = true;
    TrecLines.ascii(bytes, 0, bytes.length).split("\n").forEach((line, index) => {
      if (!hasContent(line)) {
        lines.push(SEPARATOR.test(line) ? "#" : line);
        return;
      }
      const row = split(line, delimiter);
      lines.push(isFirst && areNames(row) ? "#" : tableLine(row, index + 1, columns, ranks, isNamed));
      isFirst = false;
    });
    if (!isNamed && columns[2] === "rank" && ![...ranks.values()].every(isSequence)) {
      throw new UnfitLine(0, "The third column holds no ranks from 1: give six columns.");
    }
    return Uint8Array.from(lines.join("\n"), (one) => one.charCodeAt(0));
  }

  function tableLine(row, line, columns, ranks, isNamed) {
    const cells = isNamed ? row.filter((_, at) => columns[at]) : row;
    const isWhole = row.length === columns.length && cells.every((one) => words(one).length === 1);
    if (!isWhole || cells.some((one) => one.includes("\0"))) {
      throw new UnfitLine(line, "Every line needs the same fields, without blanks inside.");
    }
    if (!isNamed && columns.length >= 6) return row.join(" ");
    const cell = (name) => row[columns.indexOf(name)];
    const [query, document] = [cell("query"), cell("document")];
    if (!columns.includes("rank")) return `${query} Q0 ${document} 0 ${cell("score")} run`;
    const rank = cell("rank");
    if (!TrecPiece.WHOLE.test(rank)) throw new UnfitLine(line, "The rank is not a whole number.");
    if (!ranks.has(query)) ranks.set(query, []);
    ranks.get(query).push(Number(rank));
    return `${query} Q0 ${document} ${rank} ${columns.includes("score") ? cell("score") : String(-Number(rank))} run`;
  }

  function isSequence(ranks) {
    const sorted = [...ranks].sort((one, other) => one - other);
    return (sorted[0] === 0 || sorted[0] === 1) && sorted.every((rank, index) => rank === sorted[0] + index);
  }

  function convertJson(bytes, rules) {
    const decoded = Utf8.decode(bytes);
    if (decoded.first >= 0) return null;
    const rows = jsonRows(decoded.text, rules);
    if (!rows.length || rows.some((row) => row === null)) return null;
    const lines = rows.map(([query, document, number]) => `${query} Q0 ${document} 0 ${Text.written(number)} run\n`);
    return utf8(lines.join(""));
  }

  function utf8(text) {
    const found = unescape(encodeURIComponent(text));
    return Uint8Array.from(found, (one) => one.charCodeAt(0));
  }

  /** Return query, document and number of each entry, null for anything else; nothing if it is not JSON. */
  function jsonRows(text, rules) {
    let values = jsonValues(text, rules);
    const [only] = values;
    if (values.length === 1 && Array.isArray(only)) values = only;
    else if (values.length === 1 && only instanceof Map && jsonRow(only) === null) values = jsonEntries(only);
    return withHits(values).map(jsonRow);
  }

  /** Return the records, those of a query with hits as a record for each hit. */
  function withHits(values) {
    const found = [];
    for (const one of values) {
      const listed = one instanceof Map ? [one.get("hits"), one.get("candidates")].find(Array.isArray) : undefined;
      if (listed === undefined) {
        found.push(one);
        continue;
      }
      const query = one.has("query") ? one.get("query") : null;
      const known = [query instanceof Map ? queryId(query) : null, queryId(one), query];
      for (const hit of listed) {
        if (!(hit instanceof Map)) {
          found.push(null);
          continue;
        }
        const id = [queryId(hit), ...known].find((key) => nameOf(key) !== null);
        const own = [...hit].filter(([name]) => !QUERY_WORDS.has(name.toLowerCase()) && name.toLowerCase() !== "doc");
        found.push(new Map([...own, ["query", id === undefined ? null : id]]));
      }
    }
    return found;
  }

  /** Return the id of a query, whose text may be a member as well. */
  function queryId(record) {
    for (const [name, held] of record) {
      const word = name.toLowerCase();
      if (QUERY_WORDS.has(word) && word !== "query" && word !== "topic") return held;
    }
    return null;
  }

  function jsonEntries(queries) {
    const found = [];
    queries.forEach((documents, query) => {
      const pairs = documents instanceof Map ? [...documents] : documents;
      const arePairs = Array.isArray(pairs) && pairs.every((one) => Array.isArray(one) && one.length === 2);
      if (!arePairs) found.push(null);
      else for (const [document, score] of pairs) found.push(new Map([["query", query], ["document", document], ["score", score]]));
    });
    return found;
  }

  function jsonValues(text, rules) {
    const parser = new Parser(text, rules);
    const values = [];
    try {
      for (let at = parser.space(0); at < text.length;) {
        const [value, end] = parser.value(at, 0);
        values.push(value);
        at = parser.space(end);
      }
    } catch (fault) {
      return [];
    }
    return parser.repeated.length ? [] : values;
  }

  function jsonRow(value) {
    if (!(value instanceof Map)) return null;
    const member = (names) => {
      for (const [name, held] of value) if (names.has(name.toLowerCase())) return held;
      return null;
    };
    const [query, document, number] = [nameOf(member(QUERY_WORDS)), nameOf(member(DOCUMENT_WORDS)), member(SCORE_WORDS)];
    const size = number instanceof Whole ? Number(number.text) : number;
    const isNumber = typeof size === "number" && Math.abs(size) <= LARGEST;
    return query === null || document === null || !isNumber ? null : [query, document, number];
  }

  function nameOf(value) {
    if (value instanceof Whole) return value.text;
    const isWord = typeof value === "string" && /^[^#\t-\r \0][^\t-\r \0]*$/.test(value) && !LONE.test(value);
    return isWord ? value : null;
  }

  return { read };
})();
