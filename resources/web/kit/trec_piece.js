"use strict";

/** A piece of a result file in trec_eval's format: its lines by query, and its defects. */
class TrecPiece {
  constructor(bytes, [from, to, line], path, options) {
    Object.assign(this, { bytes, at: from, to, line, options });
    this.errors = new BoundedDefects(path);
    this.duplicates = new BoundedDefects(path);
    this.blocks = new Map();
    this.block = null; // of the previous line
    this.isRanked = true;
    this.oddRank = null; // the first rank that is no whole number: line, number of fields, rank
    this.shifted = null; // the first line of more fields with a number as the run name, likewise, and that
    this.hasNul = TrecLines.find(bytes, 0, from, to) >= 0;
  }

  /** Read up to `count` more lines; return false at the end. */
  advance(count) {
    const { bytes, to } = this;
    for (let i = 0; i < count && this.at < to; i += 1) {
      let end = TrecLines.find(bytes, 10, this.at, to);
      if (end < 0) end = to;
      const places = TrecLines.fields(bytes, this.at, end);
      const hasNul = this.hasNul && TrecLines.find(bytes, 0, this.at, end) >= 0;
      if (places.length && (bytes[places[0]] !== 35 || hasNul)) { // # begins a comment
        const invalid = hasNul ? TrecPiece.NUL : this.lineError(places);
        if (invalid) this.errors.add(this.line, ...invalid);
        else this.take(places);
      }
      this.at = end + 1;
      this.line += 1;
    }
    return this.at < to;
  }

  /** Return what was found in an invalid line, what is expected, and a hint; null for a valid line. */
  lineError(places) {
    const { bytes } = this;
    const count = places.length / 2;
    if (count < 6) {
      const found = fill("{fields_were} found.", counted(count, "field was", "fields were"));
      const isJoined = count === 1 && /[,;|]/.test(TrecLines.ascii(bytes, places[0], places[1]));
      const hint = isJoined ? "Separate the fields by blanks or tabs." : "Complete the line.";
      return [found, fill("6 are expected: {result_fields}.", "query, Q0, document, rank, score, run name"), hint];
    }
    const score = TrecLines.ascii(bytes, places[8], places[9]);
    if (TrecPiece.NUMBER.test(score)) return null;
    const hint = "Give every document a number as its score.";
    if (/^[-+]*nan$/i.test(score)) {
      return ["The score is NaN.", "Nothing is more or less than that, so the document has no rank.", hint];
    }
    const found = fill('The score "{decode_name}" is not a number.', TrecLines.text(bytes, places[8], places[9]));
    const isDecimal = /^[-+]?[0-9]+,(?![0-9]{3}$)[0-9]+$/.test(score);
    const point = isDecimal ? fill("Write a decimal point: {point}.", score.replace(",", ".")) : hint;
    return [found, fill("trec_eval would read it as {value} without a warning.", TrecPiece.cNumber(score)), point];
  }

  /** Return the number that C's `atof` reads at the start of a text; 0 without one. */
  static cNumber(text) {
    const match = TrecPiece.C_NUMBER.exec(text);
    if (!match) return "0";
    const value = TrecPiece.cValue(match[0].toLowerCase());
    const isWhole = Number.isInteger(value) && Math.abs(value) < 1e15;
    return isWhole ? String(value + 0 === 0 ? 0 : value) : Text.written(value);
  }

  static cValue(text) {
    const sign = text[0] === "-" ? -1 : 1;
    const plain = text.replace(/^[-+]/, "");
    if (plain === "nan") return NaN;
    if (plain[0] === "i") return sign * Infinity;
    if (!plain.startsWith("0x")) return sign * Number(plain);
    const [digits, power] = plain.slice(2).split("p");
    const [whole, part] = `${digits}.`.split(".");
    return sign * parseInt(`0${whole}${part}`, 16) * 2 ** (Number(power || 0) - 4 * part.length);
  }

  take(places) {
    const { bytes, line, options } = this;
    this.lookAt(places);
    const block = this.blockOf(TrecLines.text(bytes, places[0], places[1]));
    const name = TrecLines.text(bytes, places[4], places[5]);
    const before = block.names.get(name);
    if (before === undefined) {
      block.names.set(name, line);
    } else {
      const found = fill('Document "{name}" is listed twice for query "{queries}" (first on line {before}).', name, block.query, before);
      this.duplicates.add(line, found, "", "Remove one of the two lines.");
    }
    const score = TrecPiece.number(TrecLines.ascii(bytes, places[8], places[9]));
    block.lines.push(line);
    block.scores.push(options.compat === "trec10" ? score : Math.fround(score));
    this.takeRank(block, TrecLines.ascii(bytes, places[6], places[7]));
  }

  lookAt(places) {
    const found = [this.line, places.length / 2, TrecLines.text(this.bytes, places[6], places[7])];
    if (!this.oddRank && !TrecPiece.WHOLE.test(found[2])) this.oddRank = found;
    const isLong = !this.shifted && found[1] > 6;
    if (isLong && TrecPiece.NUMBER.test(TrecLines.ascii(this.bytes, places[10], places[11]))) {
      this.shifted = [...found, TrecLines.text(this.bytes, places[10], places[11])];
    }
  }

  blockOf(query) {
    if (!this.block || this.block.query !== query) {
      this.block = this.blocks.get(query);
      if (!this.block) {
        this.block = { query, line: this.line, names: new Map(), lines: [], scores: [], highs: [], lows: [] };
        this.blocks.set(query, this.block);
      }
    }
    return this.block;
  }

  takeRank(block, rank) {
    this.isRanked = this.isRanked && TrecPiece.WHOLE.test(rank);
    if (!this.isRanked) return;
    // Integers of 18 digits are stored as two of nine: a float64 represents only 15 exactly.
    const digits = rank.replace(/^[-+]/, "");
    const sign = rank[0] === "-" ? -1 : 1;
    block.highs.push(sign * Number(digits.slice(0, -9)));
    block.lows.push(sign * Number(digits.slice(-9)));
  }

  /** Return the first line of each query, the defects, and the state of the rank column. */
  result() {
    const queries = new Map();
    this.blocks.forEach((block, query) => queries.set(query, block.line));
    const invalid = this.isRanked && this.options.ties !== "rank" ? this.contradictions() : [];
    const [oddRank, shifted] = this.errors.isEmpty ? [this.oddRank, this.shifted] : [null, null];
    this.errors.join(this.duplicates);
    return {
      queries, defects: this.errors, isRanked: this.isRanked, oddRank, shifted,
      contradicted: invalid.length, contradictedLine: Math.min(...invalid.slice(0, 1000)),
    };
  }

  /** Return the lines whose rank contradicts the order by score, by query. */
  contradictions() {
    const found = [];
    this.blocks.forEach(({ lines, scores, highs, lows }) => {
      const order = scores.map((_, row) => row);
      const falls = (one, other) => (scores[one] === scores[other] ? one - other : scores[one] < scores[other] ? 1 : -1);
      if (scores.some((score, row) => row > 0 && score > scores[row - 1])) order.sort(falls);
      for (let i = 1; i < order.length; i += 1) {
        const [above, row] = [order[i - 1], order[i]];
        const isBefore = highs[row] === highs[above] ? lows[row] < lows[above] : highs[row] < highs[above];
        if (isBefore && scores[row] < scores[above]) found.push(lines[row]);
      }
    });
    return found;
  }

  static number(text) {
    if (/i/i.test(text)) return text[0] === "-" ? -Infinity : Infinity;
    return Number(text);
  }
}
TrecPiece.NUL = ["The line holds a NUL byte.", "Plain text is expected.", "Write the file again; it may be damaged."];
TrecPiece.NUMBER = /^(?:[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?|[-+]?inf(?:inity)?)$/i;
TrecPiece.C_NUMBER = /^[-+]?(?:0x(?:[0-9a-f]{1,13}\.?[0-9a-f]{0,4}|\.[0-9a-f]{1,13})(?:p[-+]?[0-9]{1,3})?|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?|infinity|inf|nan)/i;
TrecPiece.WHOLE = /^[-+]?[0-9]{1,18}$/;
