"use strict";

/* Detection of file types of no competition, from the first bytes (one character each). */

const FileSignatures = (() => {
  const HEAD = 65536, TAIL = 4096;
  const OWN_FORMAT = /^\{[ \t\n\r\f\v]*"format"[ \t\n\r\f\v]*:[ \t\n\r\f\v]*"jurydesk ([a-z ]{1,40})"/;
  const OWN_RESULT = /^\{[ \t\n\r\f\v]*"schema"[ \t\n\r\f\v]*:[ \t\n\r\f\v]*[0-9]+[ \t\n\r\f\v]*,[ \t\n\r\f\v]*"(short|jurydesk|task|system|errata|agreement|weights|devices|findings|fid|method)"/;
  const OWN_RESULTS = {
    short: translatable("a stamp that Jurydesk wrote"), jurydesk: translatable("the list of a job that Jurydesk wrote"),
  };
  const OWN_MANIFEST = /^\{[ \t\n\r\f\v]*"title"[ \t\n\r\f\v]*:[ \t\n\r\f\v]*"(?:[^"\\]|\\[^\n])*"[ \t\n\r\f\v]*,[ \t\n\r\f\v]*"task"[ \t\n\r\f\v]*:[ \t\n\r\f\v]*"/;
  const OWN_ITEM = /^(?:system,profile,item,|\{"system": "(?:[^"\\]|\\[^\n])*", "profile": "[^"]*", "item": )/;
  const SQLITE = "SQLite format 3\0";
  const DESK = "JURY"; // SQLite's application id
  const FOREIGN = [
    ["%PDF-", translatable("a PDF document")],
    ["PK\x03\x04", translatable("a zip archive or an office document")],
    ["7z\xbc\xaf\x27\x1c", translatable("a 7z archive")],
    ["Rar!\x1a\x07", translatable("a RAR archive")],
    ["BZh", translatable("a bzip2 archive")],
    ["\xfd7zXZ\0", translatable("an xz archive")],
    ["\x28\xb5\x2f\xfd", translatable("a Zstandard archive")],
    ["\x89PNG\r\n", translatable("a picture")],
    ["\xff\xd8\xff", translatable("a picture")],
    ["GIF8", translatable("a picture")],
    ["\x93NUMPY", translatable("an array of NumPy")],
    ["\x7fELF", translatable("a program")],
    ["version https://git-lfs.github.com/spec/", translatable("a Git LFS pointer in place of the file")],
  ];
  const PAGE = /^<(?:!doctype[ \t\n\r\f\v]+html|html)[ \t\n\r\f\v>]/i;

  const stripped = (text) => text.replace(/^[ \t\n\r\f\v]+/, "");
  const unmarked = (text) => (text.startsWith("\xef\xbb\xbf") ? text.slice(3) : text);

  /** Return the first bytes as text; the last ones of a long object of JSON follow. */
  function head(bytes, packed) {
    const text = (part) => Array.from(part, (byte) => String.fromCharCode(byte)).join("");
    const start = text(bytes.subarray(0, HEAD));
    const tail = bytes.subarray(Math.max(HEAD, bytes.length - TAIL));
    return !packed && tail.length && stripped(unmarked(start)).startsWith("{") ? `${start}\n${text(tail)}` : start;
  }

  /** Return the type of one of Jurydesk's own files, else empty. */
  function own(begin, packed) {
    if (!packed && begin.startsWith(SQLITE)) return begin.slice(68, 72) === DESK ? translatable("a desk of Jurydesk") : "";
    const text = stripped(unmarked(begin));
    const named = OWN_FORMAT.exec(text);
    if (named) {
      const file = translatable(named[1]);
      return named[1].endsWith("s") ? fill("{file} of Jurydesk", file) : fill("a {file} of Jurydesk", file);
    }
    const result = OWN_RESULT.exec(text);
    if (result) return OWN_RESULTS[result[1]] || translatable("a result that Jurydesk wrote");
    if (OWN_MANIFEST.test(text)) return translatable("the list of files of one of Jurydesk's examples");
    return OWN_ITEM.test(text) ? translatable("a table of items that Jurydesk wrote") : "";
  }

  /** Return the type of a file that no competition takes; empty if unknown. */
  function foreign(begin, packed) {
    if (!packed) {
      if (begin.startsWith(SQLITE)) return translatable("an SQLite database");
      const kind = FOREIGN.find(([magic]) => begin.startsWith(magic));
      if (kind) return kind[1];
    }
    if (begin.slice(257, 262) === "ustar") return translatable("a tar archive");
    return PAGE.test(stripped(begin)) ? translatable("a web page") : "";
  }

  /** Return true for a file that packs others, or is packed. */
  const isArchive = (begin, packed) => String(foreign(begin, packed)).includes("archive");

  return { isArchive, head, stripped, unmarked, own, foreign };
})();
