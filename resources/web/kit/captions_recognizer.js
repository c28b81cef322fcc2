"use strict";

/* Recognizer of image captioning: results and references. */

const { guess, has } = Roles;
const { stripped, unmarked } = FileSignatures;
const LINES = /^\{[^{}[\]]*\}[ \t\r]*\n[ \t\n\r\f\v]*\{/;

/** Return the confidence in results; annotations, too, have captions, with ids of their own. */
const certainty = (text, usual) => (has(text, "id") ? 0.6 : usual);

function recognize(begin) {
  const text = stripped(unmarked(begin));
  if (text.startsWith("[")) {
    const boxes = ["bbox", "box", "annotations"].some((name) => has(text, name));
    const said = has(text, "image_id", "caption") && !boxes;
    return said ? guess("results", certainty(text, 0.95), "COCO caption results (JSON)") : null;
  }
  if (!text.startsWith("{")) return null;
  if (has(text, "sentences", "raw")) return guess("references", 0.95, "Karpathy split (JSON)");
  if (LINES.test(text) && has(text, "image_id", "caption")) return guess("results", certainty(text, 0.9), "COCO caption results (JSON)");
  const listed = has(text, "images");
  const annotated = has(text, "annotations") || (listed && has(text, "image_id"));
  const captioned = annotated && has(text, "caption") && !has(text, "bbox");
  const licensed = listed && has(text, "file_name") && text.includes('"license');
  return captioned || licensed ? guess("references", captioned && listed ? 0.95 : 0.6, "COCO captions (JSON)") : null;
}
