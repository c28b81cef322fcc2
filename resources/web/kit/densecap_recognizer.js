"use strict";

/* Recognizer of dense captioning: ground truth and detections. */

const { guess, has } = Roles;
const { stripped, unmarked } = FileSignatures;

const CAPTIONS = ["caption", "object_descriptions", "phrase", "cap", "captions", "description"];
const SCORES = ["score", "confidence", "logprob", "log_prob", "scores"];

function recognize(begin) {
  const text = stripped(unmarked(begin));
  const people = "captioned ground-truth boxes (JSON)";
  const system = guess("detections", 0.9, "a system's captioned boxes (JSON)");
  const isList = text.startsWith("["), scored = SCORES.some((name) => has(text, name));
  const described = CAPTIONS.some((name) => has(text, name)) && (has(text, "box") || has(text, "bbox"));
  if (has(text, "gt_boxes") || has(text, "regions", "phrase")) return guess("ground-truth", 0.9, people);
  if (has(text, "logprobs") || has(text, "results", "img_name")) return system;
  if (isList && has(text, "width", "height", "coco_id")) return guess("image-data", 0.9, "sizes of images (JSON)");
  if (described) return scored ? system : guess("ground-truth", 0.7, people);
  if (!isList || !scored || !has(text, "id", "caption") || has(text, "image_id")) return null;
  return guess("detections", 0.6, "captions and scores of given annotations (JSON)");
}
