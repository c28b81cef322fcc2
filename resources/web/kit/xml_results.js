"use strict";

/* Reader of a result list in the XML of ICFHR 2014: queries with ranked words, and defects. */

/** The rest of the file cannot be read; a defect was added. */
class UnreadableRest extends Error {}

class XmlResults {
  constructor(bytes, path, block) {
    Object.assign(this, { bytes, path, block, parser: null });
    this.errors = new BoundedDefects(path);
    this.query = "";
    this.word = 0;
    this.queries = new Map(); // line by query
    this.listed = []; // number of words by block
    this.unknown = new Map(); // first line and count by unknown attribute
    this.blockLine = 0;
    this.onBlockLine = [0, 0]; // first line and count of words on the line of their query's tag
  }

  /** Read up to `count` more tokens; return false at the end or after a fatal error. */
  advance(count) {
    try {
      if (!this.parser) this.begin();
      return this.parser.advance(count);
    } catch (fault) {
      this.addFatal(fault);
      return false;
    }
  }

  get share() { return this.parser ? this.parser.share : 0; }

  begin() {
    this.checkStart(this.bytes.subarray(0, this.block));
    this.parser = new XmlParser(this.bytes, this, this.block);
  }

  addFatal(fault) {
    const { parser } = this;
    if (fault instanceof XmlSyntaxError) {
      parser.event = fault.at;
      this.malformed(fault, parser);
    } else if (fault instanceof XmlTooLong) {
      const hint = "Look for a missing quote or closing bracket; nothing after it was read.";
      this.add(parser.line(), "A tag or comment is longer than 1 MiB.", "", hint);
    } else if (!(fault instanceof UnreadableRest)) {
      throw fault;
    }
  }

  checkStart(bytes) {
    if (!bytes.length) this.refuse("The file is empty.");
    let at = XmlParser.isMarked(bytes) ? 3 : 0;
    while (XmlChars.isSpace(bytes[at])) at += 1;
    if (at >= bytes.length || bytes[at] === 60 || (bytes[at] === 0 && bytes[at + 1] === 60)) return;
    const [one, two] = [bytes[at], bytes[at + 1]];
    if (!(one === 0xff && two === 0xfe) && !(one === 0xfe && two === 0xff)) this.refuse("The file is not XML.");
  }

  refuse(found) {
    this.add(1, found, XmlResults.EXPECTED, "Give the right file.");
    throw new UnreadableRest();
  }

  add(line, found, expected, hint) {
    this.errors.add(Math.max(line, 1), found, expected, hint);
  }

  malformed(fault, parser) {
    let [found, hint] = fault.complaint;
    if (fault.isCut) found = cutShort(parser.open, fault.isCut === "inside");
    this.add(parser.line(), found, "", hint);
  }

  /** Return the errors in the order of the file, followed by the warnings. */
  defects() {
    const defects = this.errors.defects();
    this.unknown.forEach(([line, count], name) => {
      const words = counted(count, "word has", "words have");
      const found = fill('{words} an unknown attribute "{name}".', words, name);
      defects.push(Defects.warning(Defects.place(this.path, line), found, "It was ignored.", "", count));
    });
    const [line, count] = this.onBlockLine;
    if (count) {
      const found = fill("{words} on the line of <{block}>.", counted(count, "word is", "words are"), "Rel");
      const expected = "rusteval drops such a word, here it counts.";
      const hint = "Begin a new line after the tag.";
      defects.push(Defects.warning(Defects.place(this.path, line), found, expected, hint, count));
    }
    return defects;
  }

  // Callbacks of the parser

  start(name, attributes, parser) {
    const depth = parser.open.length;
    if (depth === 2 && name === "word") this.takeWord(attributes, parser);
    else if (depth === 1 && name === "Rel") this.beginQuery(attributes, parser);
    else if (depth) this.wrongParent(name, depth, parser);
    else if (name !== "RelevanceListings") this.wrongRoot(name, parser);
  }

  text(text, parser) {
    const isSpace = (at) => XmlChars.isSpace(text.charCodeAt(at));
    let [start, end] = [0, text.length];
    while (start < end && isSpace(start)) start += 1;
    while (end > start && isSpace(end - 1)) end -= 1;
    if (start === end) return;
    const stray = text.slice(start, end);
    const found = fill('There is text between the tags: "{shorten}".', XmlWord.short(stray));
    const line = parser.line() - (text.slice(start).split("\n").length - 1);
    this.add(line, found, "Only tags belong there.", "Remove it.");
  }

  documentType(parser) {
    this.add(
      parser.line(), "A document type or entity declaration (<!DOCTYPE ...>) is not allowed.",
      "The format needs none, and entities can reach for other files.",
      "Remove it, and write the characters themselves; nothing after it was read.",
    );
    throw new UnreadableRest();
  }

  wrongRoot(name, parser) {
    let [found, hint] = [fill("The outermost tag is <{name}>.", name), XmlWord.suggestion([name], "RelevanceListings")];
    if (name === "GroundTruthRelevanceJudgements") {
      found = fill("This is a relevance file (<{name}>).", name);
      hint = "The two files are swapped: give the relevance file with --relevance and the result list with --results.";
    }
    this.add(parser.line(), found, XmlResults.EXPECTED, hint || "Give the right file.");
    throw new UnreadableRest();
  }

  wrongParent(name, depth, parser) {
    const right = depth === 1 ? "Rel" : "word";
    const found = fill("<{name}> is inside <{open}>.", name, parser.open[depth - 1]);
    const expected = fill("<{root}> holds <{block}>, which holds <word>, which is empty.", "RelevanceListings", "Rel");
    const suggestion = name === right ? "" : XmlWord.suggestion([name], right);
    this.add(parser.line(), found, expected, suggestion || "Move or remove it.");
  }

  beginQuery(attributes, parser) {
    const query = attributes.get("queryid") || "";
    if (!query) {
      const hint = XmlWord.suggestion(attributes.keys(), "queryid") || "Add it.";
      this.add(parser.line(), fill('<{block}> has no attribute "queryid".', "Rel"), fill("Every <{block}> names its query.", "Rel"), hint);
    } else if (this.queries.has(query)) {
      const values = [query, "Rel", this.queries.get(query)];
      const found = fill('Query "{query}" has a second <{block}>; its first is on line {queries}.', ...values);
      this.add(parser.line(), found, "Each query may occur only once.", "Join the two, or remove one.");
    }
    [this.query, this.word, this.blockLine] = [query, 0, parser.line()];
    if (!this.queries.has(query)) this.queries.set(query, parser.line());
    this.listed.push(0);
  }

  takeWord(attributes, parser) {
    this.word += 1;
    if (!XmlWord.isValid(attributes)) {
      for (const [found, expected, hint] of XmlWord.errors(attributes)) {
        this.add(parser.line(), fill('query "{query}", word {word}: {fault}', this.query, this.word, translatable(found)), expected, hint);
      }
      return;
    }
    if (attributes.size > XmlWord.NEEDED.length) {
      for (const name of [...attributes.keys()].filter((one) => !XmlWord.KNOWN.has(one)).sort(Text.compare)) {
        const [line, count] = this.unknown.get(name) || [parser.line(), 0];
        this.unknown.set(name, [line, count + 1]);
      }
    }
    if (parser.line() === this.blockLine) this.onBlockLine = [this.onBlockLine[0] || this.blockLine, this.onBlockLine[1] + 1];
    if (this.listed.length) this.listed[this.listed.length - 1] += 1;
  }
}
XmlResults.EXPECTED = fill("A file that begins with <{root}> is expected.", "RelevanceListings");

function cutShort(open, isInside) {
  if (!open.length) return isInside ? "The file ends inside a tag." : "The file holds no tag at all.";
  const tags = open.slice().reverse().map((name) => `<${name}>`).join(" and ");
  if (open.length > 1) {
    return isInside ? fill("The file ends inside a tag, and before {tags} are closed: it was cut short.", tags)
      : fill("The file ends before {tags} are closed: it was cut short.", tags);
  }
  return isInside ? fill("The file ends inside a tag, and before {tags} is closed: it was cut short.", tags)
    : fill("The file ends before {tags} is closed: it was cut short.", tags);
}
