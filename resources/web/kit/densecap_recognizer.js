"use strict";

/* Recognizer of dense captioning: ground truth and detections. */

const { guess, has } = Roles;

const CAPTIONS = ["caption", "object_descriptions", "phrase", "cap", "captions", "description"];
const SCORES = ["score", "confidence", "logprob", "log_prob", "scores"];

function recognize(text) {
  const people = "captioned ground-truth boxes (JSON)";
  const system = guess("detections", 0.9, "a system's captioned boxes (JSON)");
  const described = CAPTIONS.some((name) => has(text, name)) && (has(text, "box") || has(text, "bbox"));
  if (has(text, "gt_boxes") || has(text, "regions", "phrase")) return guess("ground-truth", 0.9, people);
  if (has(text, "logprobs") || has(text, "results", "img_name")) return system;
  if (!described) return null;
  return SCORES.some((name) => has(text, name)) ? system : guess("ground-truth", 0.7, people);
}
