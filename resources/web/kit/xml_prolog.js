"use strict";

/* Scanner of the prolog: white space, comments, the declaration, a document type. */

const XmlPrologToken = { SPACE: 20, ROOT: 21, OPEN: 22, CLOSE: 23, NAME: 24, LITERAL: 25, TYPE: 26, PARAMETER: 27, OTHER: 28 };

/** Scanner of tokens before and after the outermost tag; the end of the file completes a token. */
class XmlPrologScanner {
  constructor(scanner) {
    this.scanner = scanner;
    this.last = false;
  }

  /** Return a token that `end` may have cut. */
  cut(token) { return this.last ? this.scanner.done(this.scanner.end, token) : XmlToken.MORE; }

  token(at) {
    const { scanner } = this;
    const { bytes, end } = scanner;
    if (at >= end) return XmlToken.NONE;
    const byte = bytes[at];
    if (byte === 60) return this.markup(at);
    if (XmlChars.isSpace(byte)) return this.space(at);
    if (byte === 34 || byte === 39) return this.literal(at);
    if (byte === 62) return scanner.done(at + 1, XmlPrologToken.CLOSE);
    if (byte === 91) return scanner.done(at + 1, XmlPrologToken.OPEN);
    if (byte === 44 || byte === 40 || byte === 124) return scanner.done(at + 1, XmlPrologToken.OTHER); // , ( |
    if (byte === 93) return this.bracket(at + 1);
    if (byte === 41) return this.parenthesis(at + 1);
    if (byte === 37) return this.percent(at + 1);
    if (byte === 35) return this.pound(at + 1);
    return this.name(at);
  }

  markup(at) {
    const { scanner } = this;
    const { bytes, end } = scanner;
    if (at + 1 >= end) return XmlToken.MORE;
    const byte = bytes[at + 1];
    if (byte === 33) return this.type(at + 2);
    if (byte === 63) return scanner.instruction(at + 2);
    const begins = byte < 128 ? XmlChars.nameWidth(bytes, at + 1, end, true) : byte >= 0xc0 && byte < 0xf5;
    return begins ? scanner.done(at, XmlPrologToken.ROOT) : scanner.wrong(at + 1);
  }

  /** Read what follows `<!`. */
  type(from) {
    const { scanner } = this;
    const { bytes, end } = scanner;
    if (from >= end) return XmlToken.MORE;
    if (bytes[from] === 45) return scanner.comment(from + 1);
    if (bytes[from] === 91) return scanner.done(from + 1, XmlPrologToken.OTHER);
    const isLetter = (at) => bytes[at] < 128 && XmlChars.nameWidth(bytes, at, end, true) === 1;
    let at = from;
    while (at < end && isLetter(at)) at += 1;
    if (at >= end) return XmlToken.MORE;
    if (at === from) return scanner.wrong(at);
    if (bytes[at] === 37) {
      if (at + 1 >= end) return XmlToken.MORE;
      const after = bytes[at + 1];
      return XmlChars.isSpace(after) || after === 37 ? scanner.wrong(at) : scanner.done(at, XmlPrologToken.TYPE);
    }
    return XmlChars.isSpace(bytes[at]) ? scanner.done(at, XmlPrologToken.TYPE) : scanner.wrong(at);
  }

  /** Read white space; a CR at the end may be the first half of a line end. */
  space(at) {
    const { bytes, end } = this.scanner;
    if (bytes[at] === 13 && at + 1 === end) return this.cut(XmlPrologToken.SPACE);
    let next = at + 1;
    while (next < end && XmlChars.isSpace(bytes[next]) && (bytes[next] !== 13 || next + 1 !== end)) next += 1;
    return this.scanner.done(next, XmlPrologToken.SPACE);
  }

  literal(from) {
    const { scanner } = this;
    const { bytes, end } = scanner;
    let at = from + 1;
    while (at < end) {
      if (bytes[at] === bytes[from]) {
        if (at + 1 >= end) return this.cut(XmlPrologToken.LITERAL);
        const ends = XmlChars.isSpace(bytes[at + 1]) || ">%[".indexOf(String.fromCharCode(bytes[at + 1])) >= 0;
        return ends ? scanner.done(at + 1, XmlPrologToken.LITERAL) : scanner.wrong(at + 1);
      }
      const width = XmlChars.width(bytes, at, end);
      if (width === 0) return scanner.wrong(at);
      if (width < 0) return XmlToken.MORE;
      at += width;
    }
    return XmlToken.MORE;
  }

  bracket(at) {
    const { scanner } = this;
    if (at >= scanner.end) return this.cut(XmlPrologToken.OTHER);
    if (scanner.bytes[at] === 93) {
      if (at + 1 >= scanner.end) return XmlToken.MORE;
      if (scanner.bytes[at + 1] === 62) return scanner.done(at + 2, XmlPrologToken.OTHER);
    }
    return scanner.done(at, XmlPrologToken.OTHER);
  }

  parenthesis(at) {
    const { scanner } = this;
    if (at >= scanner.end) return this.cut(XmlPrologToken.OTHER);
    const byte = scanner.bytes[at];
    if (!XmlChars.isSpace(byte) && "*?+>,|)".indexOf(String.fromCharCode(byte)) < 0) return scanner.wrong(at);
    return scanner.done(at, XmlPrologToken.OTHER);
  }

  percent(from) {
    const { scanner } = this;
    if (from >= scanner.end) return XmlToken.MORE;
    const byte = scanner.bytes[from];
    if (XmlChars.isSpace(byte) || byte === 37) return scanner.done(from, XmlPrologToken.OTHER);
    const at = scanner.name(from);
    if (at < 0) return XmlToken.MORE;
    if (at === from || scanner.bytes[at] !== 59) return scanner.wrong(at);
    return scanner.done(at + 1, XmlPrologToken.PARAMETER);
  }

  pound(from) {
    const { scanner } = this;
    if (from >= scanner.end) return XmlToken.MORE;
    const at = this.word(from, true);
    if (at < 0) return at === -2 ? XmlToken.MORE : this.cut(XmlPrologToken.OTHER);
    const byte = scanner.bytes[at];
    const ends = XmlChars.isSpace(byte) || ")>%|".indexOf(String.fromCharCode(byte)) >= 0;
    return at > from && ends ? scanner.done(at, XmlPrologToken.OTHER) : scanner.wrong(at);
  }

  name(from) {
    const { scanner } = this;
    const { bytes, end } = scanner;
    const width = XmlChars.nameWidth(bytes, from, end, true);
    const at = this.word(from, false);
    if (at === -2) return XmlToken.MORE;
    const token = width > 0 ? XmlPrologToken.NAME : XmlPrologToken.OTHER;
    if (at === -1) return this.cut(token);
    if (at === from) return scanner.wrong(at);
    const letter = String.fromCharCode(bytes[at]);
    if (XmlChars.isSpace(bytes[at]) || ">),|[%".indexOf(letter) >= 0) return scanner.done(at, token);
    const repeats = "+*?".indexOf(letter) >= 0 && token === XmlPrologToken.NAME;
    return repeats ? scanner.done(at + 1, XmlPrologToken.OTHER) : scanner.wrong(at);
  }

  /** Return the end of a name; -1 if `end` comes first, -2 if `end` cuts a character. */
  word(from, asName) {
    const { bytes, end } = this.scanner;
    let at = from;
    while (at < end) {
      const width = XmlChars.nameWidth(bytes, at, end, asName && at === from);
      if (width === 0) return at;
      if (width < 0) return -2;
      at += width;
    }
    return -1;
  }
}

/** Parser of the declaration `<?xml ...?>`: its encoding and position; `wrong` if it is invalid. */
const XmlDeclaration = (() => {
  const isSpace = XmlChars.isSpace;

  function read(bytes, from, to) {
    const end = to - 2;
    const at = (index) => (index < end && bytes[index] < 128 ? bytes[index] : -1);
    const found = { encoding: null, at: from, wrong: -1 };
    const fail = (place) => Object.assign(found, { wrong: place });
    let one = pair(at, from + 5, end);
    if (one.wrong >= 0 || one.name === null) return fail(one.wrong >= 0 ? one.wrong : one.next);
    if (one.name !== "version") return fail(one.from);
    if (!/^1\.[0-9]+$/.test(one.value)) return fail(one.valueFrom);
    one = pair(at, one.next, end);
    if (one.wrong >= 0) return fail(one.wrong);
    if (one.name === "encoding") {
      if (!XmlChars.isLetter(at(one.valueFrom))) return fail(one.valueFrom);
      Object.assign(found, { encoding: one.value, at: one.valueFrom });
      one = pair(at, one.next, end);
      if (one.wrong >= 0) return fail(one.wrong);
    }
    if (one.name === null) return found;
    if (one.name !== "standalone") return fail(one.from);
    if (one.value !== "yes" && one.value !== "no") return fail(one.valueFrom);
    let rest = one.next;
    while (isSpace(at(rest))) rest += 1;
    return rest === end ? found : fail(rest);
  }

  /** Return the next name and value; the name is null if only white space is left. */
  function pair(at, from, end) {
    const wrong = (place) => ({ wrong: place, name: null });
    if (from === end) return { wrong: -1, name: null, next: from };
    if (!isSpace(at(from))) return wrong(from);
    const start = skip(at, from);
    if (start === end) return { wrong: -1, name: null, next: from };
    let here = start;
    while (at(here) !== 61 && at(here) !== -1 && !isSpace(at(here))) here += 1;
    const name = text(at, start, here);
    here = skip(at, here);
    if (at(here) !== 61 || !name) return wrong(here);
    here = skip(at, here + 1);
    const mark = at(here);
    if (mark !== 34 && mark !== 39) return wrong(here);
    const valueFrom = here + 1;
    for (here = valueFrom; at(here) !== mark; here += 1) {
      const byte = at(here);
      if (!XmlChars.isLetter(byte) && !XmlChars.isDigit(byte) && [46, 45, 95].indexOf(byte) < 0) return wrong(here);
    }
    return { wrong: -1, from: start, name, valueFrom, value: text(at, valueFrom, here), next: here + 1 };
  }

  function skip(at, from) {
    let here = from;
    while (isSpace(at(here))) here += 1;
    return here;
  }

  function text(at, from, to) {
    let found = "";
    for (let here = from; here < to; here += 1) found += String.fromCharCode(at(here));
    return found;
  }

  return { read };
})();
