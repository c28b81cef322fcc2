"use strict";

/* Recognizer of region captioning: results with the ids of regions, and annotations with boxes. */

const { guess, has } = Roles;
const { stripped, unmarked } = FileSignatures;
const RESULTS = "a system's captions of given regions (JSON)";

function recognize(begin) {
  const text = stripped(unmarked(begin));
  const boxes = has(text, "bbox") || has(text, "segmentation");
  if (has(text, "pred_result")) return guess("results", 0.8, RESULTS);
  if (!has(text, "caption")) return null;
  if (text.startsWith("[")) {
    if (boxes || has(text, "box") || has(text, "annotations")) return null;
    if (has(text, "annotation_id") || has(text, "region_id")) return guess("results", 0.97, RESULTS);
    if (!has(text, "score") && has(text, "image_id")) return guess("results", has(text, "id") ? 0.55 : 0.9, RESULTS);
    return has(text, "id") && !has(text, "image_id") ? guess("results", 0.5, RESULTS) : null;
  }
  const annotated = text.startsWith("{") && boxes && has(text, "annotations");
  return annotated ? guess("annotations", 0.5, "captions of given regions (JSON)") : null;
}
