"use strict";

/** Text between two tags, buffered as in the organiser's parser: up to 8,192 bytes at a time. */
class XmlText {
  constructor(parser) {
    this.parser = parser;
    this.piece = Infinity; // bytes per call; smaller for converted encodings
    this.clear();
  }

  clear() { [this.parts, this.size, this.isBlank] = [[], 0, true]; }

  /** Add the bytes from `from` to `to`. */
  range(from, to) {
    const { bytes } = this.parser.scanner;
    for (let at = from; at < to && this.isBlank; at += 1) if (!XmlChars.isSpace(bytes[at])) this.isBlank = false;
    let at = from;
    while (at < to) {
      let end = Math.min(to, at + this.piece);
      while (end < to && (bytes[end] & 0xc0) === 0x80) end -= 1;
      this.add(at, end, end - at);
      at = end;
    }
  }

  code(code) {
    if (code > 32 || !XmlChars.isSpace(code)) this.isBlank = false;
    this.add(-1, code, code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
  }

  add(from, to, size) {
    const isBlank = this.isBlank;
    if (this.size + size > XmlText.MOST) this.flush();
    this.isBlank = isBlank && this.isBlank;
    this.parts.push(from, to);
    this.size += size;
    if (size > XmlText.MOST) this.flush();
  }

  flush() {
    if (!this.isBlank) {
      const found = [];
      for (let i = 0; i < this.parts.length; i += 2) {
        const [from, to] = [this.parts[i], this.parts[i + 1]];
        found.push(from < 0 ? String.fromCodePoint(to) : this.parser.slice(from, to));
      }
      this.parser.handler.text(found.join(""), this.parser);
    }
    if (this.parts.length) this.clear();
  }
}
XmlText.MOST = 8192;
