"use strict";

/* Lines of a trec_eval file: pieces of whole lines, their fields, and their text. */

const TrecLines = (() => {
  const isBlank = (byte) => byte === 32 || (byte >= 9 && byte <= 13);

  /** Return the index of a byte in `bytes` from `from` to before `to`, or -1. */
  function find(bytes, byte, from, to) {
    const found = bytes.subarray(from, to).indexOf(byte);
    return found < 0 ? -1 : from + found;
  }

  function findLast(bytes, byte, from, to) {
    for (let at = to - 1; at >= from; at -= 1) if (bytes[at] === byte) return at;
    return -1;
  }

  /** Return the start of the content of the line at `start`; -1 for a blank line or a comment. */
  function content(bytes, start, end) {
    let at = start;
    while (at < end && bytes[at] !== 10 && isBlank(bytes[at])) at += 1;
    return at < end && bytes[at] !== 10 && bytes[at] !== 35 ? at : -1;
  }

  /** Return the query of the first line from `start` that is neither blank nor a comment. */
  function queryAt(bytes, start, end) {
    for (let line = start; line >= 0 && line < end;) {
      const from = content(bytes, line, end);
      if (from >= 0) {
        let to = from;
        while (to < end && !isBlank(bytes[to])) to += 1;
        return ascii(bytes, from, to);
      }
      line = find(bytes, 10, line, end);
      if (line >= 0) line += 1;
    }
    return null;
  }

  /** Return the start of the last complete line with content. */
  function lastContent(bytes, start, stop) {
    let end = findLast(bytes, 10, start, stop);
    while (end > start) {
      const line = findLast(bytes, 10, start, end) + 1 || start;
      if (content(bytes, line, end) >= 0) return line;
      end = line - 1;
    }
    return start;
  }

  /** Return the start of the lines of the last query; `start` if all complete lines are of one query.

  Found by bisection, as the organiser's program does it, from the line at `from` on. */
  function lastQuery(bytes, start, from, stop) {
    let [low, high] = [from, lastContent(bytes, start, stop)];
    const last = queryAt(bytes, high, stop);
    if (high <= low || queryAt(bytes, low, stop) === last) return start;
    for (;;) {
      const middle = start + Math.floor((low - start + high - start) / 2);
      let line = find(bytes, 10, middle, high) + 1;
      if (!(low < line && line < high)) line = findLast(bytes, 10, low, middle) + 1;
      if (!(low < line && line < high)) return high;
      if (queryAt(bytes, line, stop) === last) high = line; else low = line;
    }
  }

  /** Cut a file, read in blocks, into pieces between the lines of two queries: [from, to, line]. */
  function pieces(bytes, mark, block, size) {
    const found = [];
    let [start, line, enough] = [mark, 1, size];
    for (let from = 0; from < bytes.length; from += block) {
      const [part, end] = [Math.max(from, mark), Math.min(from + block, bytes.length)];
      if (end - start >= enough) {
        let cut = lastQuery(bytes, part, find(bytes, 10, part, end) + 1 || part, end);
        if (cut === part) cut = lastQuery(bytes, start, start, end);
        if (cut > start) {
          found.push([start, cut, line]);
          for (let at = find(bytes, 10, start, cut); at >= 0; at = find(bytes, 10, at + 1, cut)) line += 1;
        }
        start = cut;
        enough = Math.max(size, 2 * (end - start));
      }
    }
    if (bytes.length > start) found.push([start, bytes.length, line]);
    return found;
  }

  /** Return each byte as one character. */
  function ascii(bytes, from, to) {
    let text = "";
    for (let at = from; at < to; at += 1) text += String.fromCharCode(bytes[at]);
    return text;
  }

  /** Return the byte length of the UTF-8 character at `at`, 0 if invalid; `end` may cut the last one. */
  function width(bytes, at, end) {
    const lead = bytes[at];
    if (lead < 0x80) return 1;
    const needed = lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xc2 && lead < 0xe0 ? 2 : 0;
    const lows = { 0xe0: 0xa0, 0xf0: 0x90 };
    const highs = { 0xed: 0x9f, 0xf4: 0x8f };
    for (let i = 1; i < needed && at + i < end; i += 1) {
      const [low, high] = i === 1 ? [lows[lead] || 0x80, highs[lead] || 0xbf] : [0x80, 0xbf];
      if (bytes[at + i] < low || bytes[at + i] > high) return 0;
    }
    return needed;
  }

  /** Return a name as text; bytes that are not UTF-8 are escaped. */
  function text(bytes, from, to) {
    const plain = ascii(bytes, from, to);
    if (!/[^\x00-\x7f]/.test(plain)) return plain;
    let found = "";
    for (let at = from; at < to;) {
      const size = width(bytes, at, to);
      if (size && at + size <= to) {
        found += Utf8.decode(bytes.subarray(at, at + size)).text;
        at += size;
      } else {
        found += `\\x${bytes[at].toString(16)}`;
        at += 1;
      }
    }
    return found;
  }

  /** Return true for UTF-8, apart from an incomplete character at the end. */
  function isUtf8(bytes) {
    for (let at = 0; at < bytes.length;) {
      const size = width(bytes, at, bytes.length);
      if (!size) return false;
      at += size;
    }
    return true;
  }

  /** Return start and end of each field of a line, as a flat list. */
  function fields(bytes, from, to) {
    const found = [];
    let at = from;
    for (;;) {
      while (at < to && isBlank(bytes[at])) at += 1;
      if (at >= to) return found;
      found.push(at);
      while (at < to && !isBlank(bytes[at])) at += 1;
      found.push(at);
    }
  }

  return { isBlank, find, pieces, ascii, text, isUtf8, fields };
})();
