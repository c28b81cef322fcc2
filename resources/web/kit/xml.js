"use strict";

/* XML parser equal to that of the organiser's program in tags, texts, errors and lines. */

/** Streaming parser; calls `start(name, attributes, parser)`, `end` and `text` of `handler`. */
class XmlParser {
  constructor(bytes, handler, block) {
    this.handler = handler;
    this.block = block;
    this.order = XmlEncodings.wide(bytes);
    if (this.order) this.requireSmall(bytes.length);
    this.scanner = new XmlScanner(this.order ? XmlEncodings.narrow(bytes, this.order) : bytes);
    this.prolog = new XmlPrologScanner(this.scanner);
    this.texts = new XmlText(this);
    if (this.order) this.texts.piece = 1024;
    this.nothing = this.order && bytes.length % 2 ? XmlToken.MORE : XmlToken.NONE; // at the end of the input
    this.open = [];
    this.mode = "before";
    this.state = "start";
    this.last = false;
    this.at = this.order || !XmlParser.isMarked(bytes) ? 0 : 3;
    this.event = this.at;
    [this.counted, this.lines] = [0, 1];
  }

  static isMarked(bytes) { return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf; }

  requireSmall(size) {
    if (size >= this.block) {
      throw new UnsupportedFile("It is a large file that is not in UTF-8, which this page does not read: save it as UTF-8.");
    }
  }

  /** Read up to `count` more tokens; return false at the end. */
  advance(count) {
    for (let i = 0; i < count; i += 1) {
      this.event = this.at;
      if (!this[this.mode]() && !this.nextBlock()) return false;
    }
    return true;
  }

  /** Continue with the next block, as in the organiser's program; return false after the last. */
  nextBlock() {
    const { scanner, last } = this;
    if (last) return false;
    this.texts.flush();
    this.line();
    if (scanner.end - this.at >= this.block) throw new XmlTooLong();
    this.last = scanner.end === scanner.bytes.length;
    scanner.end = Math.min(scanner.bytes.length, scanner.end + this.block);
    return true;
  }

  get share() { return this.at / (this.scanner.bytes.length || 1); }

  /** Return the line of the current token. */
  line() {
    const { bytes } = this.scanner;
    for (let at = this.counted; at < this.event; at += 1) {
      const byte = bytes[at];
      if (byte === 10 || byte === 13) this.lines += 1;
      if (byte === 13 && at + 1 < this.event && bytes[at + 1] === 10) at += 1;
    }
    this.counted = Math.max(this.counted, this.event);
    return this.lines;
  }

  slice(from, to) {
    const { bytes } = this.scanner;
    if (to - from > 64) return Utf8.decode(bytes.subarray(from, to)).text;
    let text = "";
    for (let at = from; at < to; at += 1) {
      if (bytes[at] > 127) return Utf8.decode(bytes.subarray(from, to)).text;
      text += String.fromCharCode(bytes[at]);
    }
    return text;
  }

  fail(fault, at) { throw new XmlSyntaxError(XmlErrors[fault], at === undefined ? this.event : at); }

  /** Handle an incomplete token; return false to wait for more bytes. */
  stop(found) {
    const token = found === XmlToken.NONE ? this.nothing : found;
    if (token === XmlToken.WRONG) this.fail("TOKEN", this.scanner.next);
    if (!this.last) return false;
    if (token === XmlToken.NONE) this.endBetween();
    throw new XmlSyntaxError(XmlErrors.CUT, this.event, "inside");
  }

  endBetween() { throw new XmlSyntaxError(XmlErrors.CUT, this.event, "between"); }

  before() {
    this.prolog.last = this.last;
    const token = this.prolog.token(this.at);
    if (token <= XmlToken.NONE) return this.stop(token);
    this.role(token);
    this.at = this.scanner.next;
    return true;
  }

  role(token) {
    const doctype = XmlParser.DOCTYPE[this.state];
    if (doctype) {
      this.documentType(token, doctype);
    } else if (token === XmlToken.DECLARATION && this.state === "start") {
      this.declaration();
      this.state = "misc";
    } else if (token === XmlPrologToken.SPACE || token === XmlToken.COMMENT || token === XmlToken.INSTRUCTION) {
      this.state = "misc";
    } else if (token === XmlPrologToken.ROOT) {
      this.mode = "content";
    } else if (token === XmlPrologToken.TYPE && this.slice(this.at, this.scanner.next) === "<!DOCTYPE") {
      this.state = "name";
    } else {
      this.misplaced(token);
    }
  }

  misplaced(token) {
    const faults = new Map([[XmlToken.DECLARATION, "DECLARATION"], [XmlPrologToken.PARAMETER, "PARAMETER"]]);
    this.fail(faults.get(token) || "SYNTAX");
  }

  /** Read a token of a document type; raise an error at its end or its subset. */
  documentType(token, wanted) {
    if (token === XmlPrologToken.SPACE) return;
    const kinds = {
      [XmlPrologToken.NAME]: "name", [XmlPrologToken.LITERAL]: "literal",
      [XmlPrologToken.OPEN]: "end", [XmlPrologToken.CLOSE]: "end",
    };
    const kind = kinds[token];
    if (!kind || !(kind in wanted)) this.misplaced(token);
    if (kind === "end") this.handler.documentType(this);
    const text = this.slice(this.at, this.scanner.next);
    if (this.state === "public") {
      const wrong = text.slice(1, -1).search(/[^ \r\na-zA-Z0-9\-'()+,./:=?;!*#@$_%]/);
      if (wrong >= 0) this.fail("PUBLIC", this.at + 1 + wrong);
    }
    const next = wanted[kind];
    this.state = typeof next === "string" ? next : next[text] || this.misplaced(token);
  }

  declaration() {
    const { bytes, next } = this.scanner;
    const found = XmlDeclaration.read(bytes, this.at, next);
    if (found.wrong >= 0) this.fail("ILL_DECLARED", found.wrong);
    if (found.encoding === null) return;
    const { wrong, table } = XmlEncodings.named(found.encoding, this.order);
    if (wrong) this.fail("ENCODING", found.at);
    if (!table) return;
    const changed = XmlEncodings.single(bytes, next, table);
    if (changed.length !== bytes.length) this.requireSmall(bytes.length);
    if (this.scanner.end === bytes.length) this.scanner.end = changed.length;
    this.scanner.bytes = changed;
    if (found.encoding.toUpperCase() !== "US-ASCII") this.texts.piece = 1024;
  }

  after() {
    this.prolog.last = true; // any further token is an error
    const token = this.prolog.token(this.at);
    if (token === XmlToken.NONE && this.nothing === token) return false;
    if (token <= XmlToken.NONE) return this.stop(token);
    const allowed = [XmlPrologToken.SPACE, XmlToken.COMMENT, XmlToken.INSTRUCTION];
    if (allowed.indexOf(token) < 0) this.fail("AFTER");
    this.at = this.scanner.next;
    return true;
  }

  cdata() {
    const token = this.scanner.cdata(this.at);
    if (token === XmlToken.WRONG || token === XmlToken.MORE) return this.stop(token);
    if (token === XmlToken.NONE) return this.stop(XmlToken.MORE);
    if (token === XmlToken.NEWLINE) this.texts.code(10);
    if (token === XmlToken.TEXT) this.texts.range(this.at, this.scanner.next);
    if (token === XmlToken.CDATA_END) this.mode = "content";
    this.at = this.scanner.next;
    return true;
  }

  content() {
    const { scanner, texts } = this;
    const token = scanner.content(this.at);
    if (token <= XmlToken.NONE) return this.stop(token);
    if (token === XmlToken.LAST_CR || token === XmlToken.BRACKETS) {
      if (this.last && token === XmlToken.LAST_CR) texts.code(10);
      return this.last ? this.endBetween() : false;
    }
    if (token === XmlToken.TEXT) texts.range(this.at, scanner.next);
    else if (token === XmlToken.NEWLINE) texts.code(10);
    else if (token === XmlToken.START || token === XmlToken.EMPTY) this.startTag(token);
    else if (token === XmlToken.END) this.endTag(this.slice(scanner.nameStart, scanner.nameEnd));
    else if (token === XmlToken.ENTITY) texts.code(this.entity(this.at, scanner.next));
    else if (token === XmlToken.CODE) texts.code(this.number(this.at, scanner.next));
    else if (token === XmlToken.CDATA) this.mode = "cdata";
    else if (token === XmlToken.DECLARATION) this.fail("DECLARATION");
    this.at = scanner.next;
    return true;
  }

  startTag(token) {
    const { scanner, handler } = this;
    const next = scanner.next;
    const name = this.slice(scanner.nameStart, scanner.nameEnd);
    const attributes = this.attributes(scanner.attributes);
    this.texts.flush();
    handler.start(name, attributes, this);
    this.open.push(name);
    if (token === XmlToken.EMPTY) this.close();
    scanner.next = next;
  }

  endTag(name) {
    if (name !== this.open[this.open.length - 1]) this.fail("MISMATCH", this.scanner.nameStart);
    this.texts.flush();
    this.close();
  }

  close() {
    this.open.pop();
    if (!this.open.length) this.mode = "after";
  }

  attributes(places) {
    const found = new Map();
    for (let i = 0; i < places.length; i += 5) {
      const name = this.slice(places[i], places[i + 1]);
      if (found.has(name)) this.fail("TWICE", places[i]);
      const [from, to] = [places[i + 2], places[i + 3]];
      found.set(name, places[i + 4] ? this.slice(from, to) : this.value(from, to));
    }
    return found;
  }

  /** Return an attribute value that has references, line ends or non-ASCII characters. */
  value(from, to) {
    const { bytes } = this.scanner;
    const parts = [];
    let start = from;
    for (let at = from; at < to; at += 1) {
      if (bytes[at] === 38) {
        const end = bytes.indexOf(59, at) + 1;
        const code = bytes[at + 1] === 35 ? this.number(at, end) : this.entity(at, end);
        parts.push(this.spaced(start, at), String.fromCodePoint(code));
        start = end;
        at = end - 1;
      }
    }
    parts.push(this.spaced(start, to));
    return parts.join("");
  }

  spaced(from, to) { return this.slice(from, to).replace(/\r\n|[\r\n\t]/g, " "); }

  entity(from, to) {
    const code = XmlParser.ENTITIES[this.slice(from + 1, to - 1)];
    return code === undefined ? this.fail("ENTITY") : code;
  }

  number(from, to) {
    const isHex = this.scanner.bytes[from + 2] === 120;
    const code = parseInt(this.slice(from + (isHex ? 3 : 2), to - 1), isHex ? 16 : 10);
    return XmlChars.isCode(code) ? code : this.fail("CODE", from);
  }
}
XmlParser.ENTITIES = { lt: 60, gt: 62, amp: 38, quot: 34, apos: 39 };
/* States within a document type, with the next state for each token. */
XmlParser.DOCTYPE = {
  name: { name: "id" },
  id: { end: "", name: { SYSTEM: "system", PUBLIC: "public" } },
  public: { literal: "system" },
  system: { literal: "closing" },
  closing: { end: "" },
};
