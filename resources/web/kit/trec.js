"use strict";

/** A result file in trec_eval's format, read in pieces as in the organiser's program. */
class Trec {
  constructor(given, path, sizes, options, rules) {
    const { bytes, defects } = TrecLayouts.read(given, path, rules);
    Object.assign(this, { bytes, path, sizes, options, noted: defects });
    this.isMixed = Defects.hasErrors(defects);
    this.mark = XmlParser.isMarked(bytes) ? 3 : 0;
    this.cut(sizes.piece);
  }

  cut(size) {
    this.pieces = TrecLines.pieces(this.bytes, this.mark, this.sizes.block, size);
    this.results = [];
    this.piece = null;
    this.seen = new Set();
    const [from, to] = this.pieces[0] || [this.mark, this.mark];
    this.fileDefect = TrecDefects.fileDefect(this.bytes.subarray(from, to), this.path);
  }

  /** Read up to `count` more lines; return false at the end. */
  advance(count) {
    const { pieces, results } = this;
    if (this.isMixed || this.fileDefect || results.length === pieces.length) return false;
    if (!this.piece) this.piece = new TrecPiece(this.bytes, pieces[results.length], this.path, this.options);
    if (this.piece.advance(count)) return true;
    this.keep(this.piece.result());
    return true;
  }

  /** Store the result of a piece; if a query occurs in two pieces, read the file again as one piece. */
  keep(result) {
    const queries = [...result.queries.keys()];
    if (queries.some((query) => this.seen.has(query))) {
      this.cut(Infinity);
      return;
    }
    for (const query of queries) this.seen.add(query);
    this.results.push(result);
    this.piece = null;
  }

  get share() { return this.piece ? this.piece.at / this.bytes.length : 0; }

  defects(queries) {
    if (this.isMixed) return this.noted;
    if (this.fileDefect) return [...this.noted, this.fileDefect];
    return TrecDefects.defectsOf(this.results, this.path, queries, this.options, this.noted);
  }
}
