"use strict";

/* Conversion of XML encodings to UTF-8; an invalid byte becomes 0xFF. */

const XmlEncodings = (() => {
  const KNOWN = ["UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "US-ASCII", "ISO-8859-1"];
  const WINDOWS = // characters 0x80 to 0x9f of windows-1252; five are undefined
    "\u20ac\uffff\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\uffff\u017d\uffff" +
    "\uffff\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\uffff\u017e\u0178";
  const NO = () => -1;
  const LATIN = (byte) => byte;
  const WESTERN = (byte) => {
    const code = byte < 0xa0 ? WINDOWS.charCodeAt(byte - 0x80) : byte;
    return code === 0xffff ? -1 : code;
  };
  /* Aliases as in the organiser's Python, where UTF8 without a hyphen is ASCII. */
  const OTHERS = {
    latin1: LATIN, latin_1: LATIN, iso8859_1: LATIN, iso_8859_1: LATIN, l1: LATIN,
    windows_1252: WESTERN, cp1252: WESTERN, ascii: NO, us_ascii: NO, utf8: NO, utf_8: NO,
  };

  /** Return the byte order of UTF-16, "LE" or "BE", or empty for other files. */
  function wide(bytes) {
    const [first, second] = bytes;
    if (bytes.length < 2) return "";
    if ((first === 0xfe && second === 0xff) || first === 0) return "BE";
    return (first === 0xff && second === 0xfe) || second === 0 ? "LE" : "";
  }

  /** Convert UTF-16 to UTF-8, without the byte order mark. */
  function narrow(bytes, order) {
    const [high, low] = order === "BE" ? [0, 1] : [1, 0];
    const unit = (at) => (bytes[at + high] << 8) | bytes[at + low];
    const found = new Uint8Array(2 * bytes.length + 4);
    let [size, at] = [0, unit(0) === 0xfeff ? 2 : 0];
    for (; at + 1 < bytes.length; at += 2) {
      let code = unit(at);
      if (code >= 0xd800 && code < 0xdc00) {
        if (at + 3 >= bytes.length) {
          found[size] = 0xf0; // half of a surrogate pair, written as a lone first byte
          size += 1;
          break;
        }
        at += 2;
        code = 0x10000 + ((code & 0x3ff) << 10) + (unit(at) & 0x3ff);
      } else if (code >= 0xdc00 && code < 0xe000) {
        code = -1;
      }
      size = put(found, size, code);
    }
    return found.slice(0, size);
  }

  /** Write a code point, 0xFF for -1; return the index after it. */
  function put(found, at, code) {
    const bytes = code < 0 ? [0xff] : code < 0x80 ? [code] : utf8(code);
    for (let i = 0; i < bytes.length; i += 1) found[at + i] = bytes[i];
    return at + bytes.length;
  }

  function utf8(code) {
    const tail = (shift) => 0x80 | ((code >> shift) & 63);
    if (code < 0x800) return [0xc0 | (code >> 6), tail(0)];
    if (code < 0x10000) return [0xe0 | (code >> 12), tail(6), tail(0)];
    return [0xf0 | (code >> 18), tail(12), tail(6), tail(0)];
  }

  /** Convert what follows `from` from a single-byte encoding to UTF-8. */
  function single(bytes, from, table) {
    const found = new Uint8Array(3 * bytes.length); // upper bound for every table
    found.set(bytes.subarray(0, from));
    let size = from;
    for (let at = from; at < bytes.length; at += 1) {
      if (bytes[at] < 0x80) {
        found[size] = bytes[at];
        size += 1;
      } else {
        size = put(found, size, table(bytes[at]));
      }
    }
    return found.slice(0, size);
  }

  /** Return for the declared encoding whether it is `wrong` for these bytes, and its `table`. */
  function named(name, order) {
    const upper = name.toUpperCase();
    if (KNOWN.indexOf(upper) < 0) {
      const table = order ? undefined : OTHERS[name.toLowerCase().replace(/-/g, "_")];
      if (table) return { table };
      throw new UnsupportedFile(
        fill("Its first line names the encoding {name}, which this page does not read: save it as UTF-8.", name),
      );
    }
    const isWide = upper.indexOf("UTF-16") === 0;
    const fits = isWide ? order && (upper === "UTF-16" || upper === `UTF-16${order}`) : !order;
    if (!fits) return { wrong: true };
    return { table: { "US-ASCII": NO, "ISO-8859-1": LATIN }[upper] };
  }

  return { wide, narrow, single, named };
})();
