"use strict";

/* Messages of XML syntax errors, as in the organiser's program. */

/** XML syntax error at a byte; `complaint` is what was found and a hint. */
class XmlSyntaxError extends Error {
  constructor(complaint, at, isCut) {
    super(complaint[0]);
    Object.assign(this, { complaint, at, isCut: isCut || "" });
  }
}

const XmlErrors = (() => {
  const MEND = "Fix this place: the rest of the file was not read.";
  const SAVE = "Save the file as UTF-8.";
  const other = (name) => [fill("The XML is malformed: {ErrorString}.", name), MEND];
  return {
    TOKEN: ["The text is not valid XML: a stray < or &, a control character, or a byte that is not in the file's encoding.", MEND],
    MISMATCH: ["The closing tag does not fit the open tag.", MEND],
    TWICE: ["A tag has the same attribute twice.", MEND],
    AFTER: ["There is text after the end of the outermost tag.",
      "Remove it; nothing after it was read."],
    ENTITY: ["An entity other than &lt; &gt; &amp; &quot; and &apos; is not allowed.",
      "Replace the reference by the character itself; nothing after it was read."],
    ENCODING: ["The file is not in the encoding that its first line names.", SAVE],
    DECLARATION: ["The XML declaration (<?xml ...?>) is not at the very start.",
      "Remove what is before it, or join only the contents of several files."],
    ILL_DECLARED: other("XML declaration not well-formed"),
    SYNTAX: other("syntax error"),
    CODE: other("reference to invalid character number"),
    PUBLIC: other("illegal character(s) in public id"),
    PARAMETER: other("illegal parameter entity reference"),
    CUT: ["", "Get the complete file: copy or write it again."], // the message depends on the open tags
  };
})();

/** A tag or comment exceeds the limit of the organiser's program. */
class XmlTooLong extends Error {}
