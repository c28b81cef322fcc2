"use strict";

/* Recognizer of ranked answers: dialogues, dense annotations, and ranks. */

const { guess, has } = Roles;

function recognize(text) {
  if (has(text, "dialogs") || has(text, "answer_options")) return guess("dialogs", 0.95, "VisDial dialogues (JSON)");
  if (!has(text, "image_id", "round_id")) return null;
  if (has(text, "ranks") || has(text, "scores")) return guess("results", 0.95, "VisDial ranks (JSON)");
  return text.includes('relevance"') ? guess("relevance", 0.95, "VisDial dense annotations (JSON)") : null;
}
