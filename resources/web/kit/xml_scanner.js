"use strict";

/* Scanner of XML 1.0 tokens without a document type. */

const XmlToken = {
  WRONG: 0, MORE: 1, NONE: 2, TEXT: 3, NEWLINE: 4, START: 5, EMPTY: 6, END: 7, ENTITY: 8, CODE: 9,
  COMMENT: 10, INSTRUCTION: 11, DECLARATION: 12, CDATA: 13, CDATA_END: 14, LAST_CR: 15, BRACKETS: 16,
};

/** Scanner of one token of `bytes` (UTF-8) from a position, up to `end`; `next` is its end.

`WRONG` is what no token begins with: `next` is then the offending byte. `MORE` is a token that `end` cuts. */
class XmlScanner {
  constructor(bytes) {
    this.bytes = bytes;
    this.end = 0;
    this.next = 0;
    this.nameStart = 0;
    this.nameEnd = 0;
    this.attributes = []; // start and end of name and value, and whether the value is literal
  }

  done(next, token) {
    this.next = next;
    return token;
  }

  wrong(at) { return this.done(at, XmlToken.WRONG); }

  /** Return the end of the name at `at`: `at` itself without a name, -1 if `end` cuts it. */
  name(at) {
    const { bytes, end } = this;
    let here = at;
    while (here < end) {
      const width = XmlChars.nameWidth(bytes, here, end, here === at);
      if (width === 0) return here;
      if (width < 0) return -1;
      here += width;
    }
    return -1;
  }

  /** Return the first index from `at` that is not white space, or -1. */
  spaces(at) {
    const { bytes, end } = this;
    for (let here = at; here < end; here += 1) if (!XmlChars.isSpace(bytes[here])) return here;
    return -1;
  }

  /** Read what is between tags. */
  content(at) {
    const { bytes, end } = this;
    if (at >= end) return XmlToken.NONE;
    const byte = bytes[at];
    if (byte === 60) return this.markup(at + 1); // <
    if (byte === 38) return this.reference(at + 1); // &
    if (byte === 10) return this.done(at + 1, XmlToken.NEWLINE);
    if (byte === 13) {
      if (at + 1 >= end) return XmlToken.LAST_CR;
      return this.done(bytes[at + 1] === 10 ? at + 2 : at + 1, XmlToken.NEWLINE);
    }
    if (byte === 93) { // ]
      if (at + 1 >= end || (bytes[at + 1] === 93 && at + 2 >= end)) return XmlToken.BRACKETS;
      if (bytes[at + 1] === 93 && bytes[at + 2] === 62) return this.wrong(at + 2);
      return this.text(at + 1);
    }
    const width = XmlChars.width(bytes, at, end);
    if (width === 0) return this.wrong(at);
    return width < 0 ? XmlToken.MORE : this.text(at + width);
  }

  text(from) {
    const { bytes, end } = this;
    let at = from;
    while (at < end) {
      const byte = bytes[at];
      if (byte === 60 || byte === 38 || byte === 10 || byte === 13) break;
      if (byte === 93) { // ]]> is not allowed here
        if (at + 1 >= end || (bytes[at + 1] === 93 && at + 2 >= end)) break;
        if (bytes[at + 1] === 93 && bytes[at + 2] === 62) return this.wrong(at + 2);
      }
      const width = XmlChars.width(bytes, at, end);
      if (width <= 0) break;
      at += width;
    }
    return this.done(at, XmlToken.TEXT);
  }

  /** Read a CDATA section. */
  cdata(from) {
    const { bytes, end } = this;
    if (from >= end) return XmlToken.NONE;
    let at = from;
    while (at < end) {
      const byte = bytes[at];
      if (at > from && (byte === 10 || byte === 13 || byte === 93)) break;
      if (byte === 10) return this.done(at + 1, XmlToken.NEWLINE);
      if (byte === 13 || byte === 93) {
        if (at + 1 >= end) return XmlToken.MORE;
        if (byte === 13) return this.done(bytes[at + 1] === 10 ? at + 2 : at + 1, XmlToken.NEWLINE);
        if (bytes[at + 1] === 93) {
          if (at + 2 >= end) return XmlToken.MORE;
          if (bytes[at + 2] === 62) return this.done(at + 3, XmlToken.CDATA_END);
        }
      }
      const width = XmlChars.width(bytes, at, end);
      if (width <= 0) {
        if (at > from) break;
        return width === 0 ? this.wrong(at) : XmlToken.MORE;
      }
      at += width;
    }
    return this.done(at, XmlToken.TEXT);
  }

  /** Read what follows `<` between tags. */
  markup(at) {
    const { bytes, end } = this;
    if (at >= end) return XmlToken.MORE;
    if (bytes[at] === 33) { // !
      if (at + 1 >= end) return XmlToken.MORE;
      if (bytes[at + 1] === 45) return this.comment(at + 2);
      return bytes[at + 1] === 91 ? this.cdataStart(at + 2) : this.wrong(at + 1);
    }
    if (bytes[at] === 63) return this.instruction(at + 1); // ?
    if (bytes[at] === 47) return this.endTag(at + 1); // /
    return this.startTag(at);
  }

  /** Read what follows `<!-`. */
  comment(from) {
    const { bytes, end } = this;
    if (from >= end) return XmlToken.MORE;
    if (bytes[from] !== 45) return this.wrong(from);
    let found = this.upTo(45, from + 1);
    while (found === XmlToken.TEXT) {
      const at = this.next + 1;
      if (at >= end) return XmlToken.MORE;
      if (bytes[at] === 45) {
        if (at + 1 >= end) return XmlToken.MORE;
        return bytes[at + 1] === 62 ? this.done(at + 2, XmlToken.COMMENT) : this.wrong(at + 1);
      }
      found = this.upTo(45, at);
    }
    return found;
  }

  /** Find the next `byte` that may end a comment or an instruction: `TEXT` if it is at `next`. */
  upTo(byte, from) {
    const { bytes, end } = this;
    let at = from;
    while (at < end) {
      if (bytes[at] === byte) return this.done(at, XmlToken.TEXT);
      const width = XmlChars.width(bytes, at, end);
      if (width === 0) return this.wrong(at);
      if (width < 0) return XmlToken.MORE;
      at += width;
    }
    return XmlToken.MORE;
  }

  /** Read what follows `<![`. */
  cdataStart(at) {
    if (this.end - at < 6) return XmlToken.MORE;
    for (let i = 0; i < 6; i += 1) {
      if (this.bytes[at + i] !== "CDATA[".charCodeAt(i)) return this.wrong(at + i);
    }
    return this.done(at + 6, XmlToken.CDATA);
  }

  /** Read what follows `<?`: a processing instruction, or the declaration `<?xml ...?>`. */
  instruction(from) {
    const { bytes, end } = this;
    const target = this.name(from);
    if (target < 0) return XmlToken.MORE;
    const asks = bytes[target] === 63;
    if (target === from || !(asks || XmlChars.isSpace(bytes[target]))) return this.wrong(target);
    const name = String.fromCharCode(...bytes.subarray(from, Math.min(target, from + 4)));
    if (name !== "xml" && name.toLowerCase() === "xml") return this.wrong(target);
    const token = name === "xml" ? XmlToken.DECLARATION : XmlToken.INSTRUCTION;
    let at = target + 1;
    if (asks) {
      if (at >= end) return XmlToken.MORE;
      return bytes[at] === 62 ? this.done(at + 1, token) : this.wrong(at);
    }
    let found = this.upTo(63, at);
    while (found === XmlToken.TEXT) {
      at = this.next + 1;
      if (at < end && bytes[at] === 62) return this.done(at + 1, token);
      found = this.upTo(63, at);
    }
    return found;
  }

  /** Read what follows `</`. */
  endTag(from) {
    const name = this.name(from);
    if (name < 0) return XmlToken.MORE;
    if (name === from) return this.wrong(name);
    [this.nameStart, this.nameEnd] = [from, name];
    const at = this.spaces(name);
    if (at < 0) return XmlToken.MORE;
    return this.bytes[at] === 62 ? this.done(at + 1, XmlToken.END) : this.wrong(at);
  }

  /** Read what follows `<` at the start of a tag. */
  startTag(from) {
    const { bytes } = this;
    const name = this.name(from);
    if (name < 0) return XmlToken.MORE;
    if (name === from) return this.wrong(name);
    [this.nameStart, this.nameEnd] = [from, name];
    this.attributes = [];
    let at = name;
    for (;;) {
      const isSpace = XmlChars.isSpace(bytes[at]);
      if (isSpace) at = this.spaces(at);
      if (at < 0) return XmlToken.MORE;
      if (bytes[at] === 62) return this.done(at + 1, XmlToken.START);
      if (bytes[at] === 47) { // /
        if (at + 1 >= this.end) return XmlToken.MORE;
        return bytes[at + 1] === 62 ? this.done(at + 2, XmlToken.EMPTY) : this.wrong(at + 1);
      }
      if (!isSpace) return this.wrong(at);
      const token = this.attribute(at);
      if (token !== XmlToken.TEXT) return token;
      at = this.next;
      if (at >= this.end) return XmlToken.MORE;
    }
  }

  /** Read one attribute; return `TEXT` if it is valid. */
  attribute(from) {
    const { bytes } = this;
    const name = this.name(from);
    if (name < 0) return XmlToken.MORE;
    if (name === from) return this.wrong(name);
    const equals = this.spaces(name);
    if (equals < 0) return XmlToken.MORE;
    if (bytes[equals] !== 61) return this.wrong(equals);
    const quote = this.spaces(equals + 1);
    if (quote < 0) return XmlToken.MORE;
    if (bytes[quote] !== 34 && bytes[quote] !== 39) return this.wrong(quote);
    return this.value(from, name, quote);
  }

  value(from, name, quote) {
    const { bytes, end } = this;
    const mark = bytes[quote];
    let [at, plain] = [quote + 1, 1];
    while (at < end) {
      const byte = bytes[at];
      if (byte === mark) {
        this.attributes.push(from, name, quote + 1, at, plain);
        return this.done(at + 1, XmlToken.TEXT);
      }
      if (byte === 60) return this.wrong(at);
      if (byte === 38) {
        const token = this.reference(at + 1);
        if (token === XmlToken.WRONG || token === XmlToken.MORE) return token;
        [at, plain] = [this.next, 0];
      } else {
        const width = XmlChars.width(bytes, at, end);
        if (width === 0) return this.wrong(at);
        if (width < 0) return XmlToken.MORE;
        if (byte < 32 || byte > 127) plain = 0;
        at += width;
      }
    }
    return XmlToken.MORE;
  }

  /** Read what follows `&`. */
  reference(from) {
    const { bytes, end } = this;
    if (from >= end) return XmlToken.MORE;
    if (bytes[from] === 35) return this.code(from + 1); // #
    const name = this.name(from);
    if (name < 0) return XmlToken.MORE;
    if (name === from || bytes[name] !== 59) return this.wrong(name);
    return this.done(name + 1, XmlToken.ENTITY);
  }

  /** Read what follows `&#`. */
  code(from) {
    const { bytes, end } = this;
    const isHex = from < end && bytes[from] === 120;
    const isDigit = isHex ? XmlChars.isHex : XmlChars.isDigit;
    const first = isHex ? from + 1 : from;
    let at = first;
    while (at < end && isDigit(bytes[at])) at += 1;
    if (at >= end) return XmlToken.MORE;
    return at > first && bytes[at] === 59 ? this.done(at + 1, XmlToken.CODE) : this.wrong(at);
  }
}
