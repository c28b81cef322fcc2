"use strict";

/* Recognizer of visual dialogue: answers, and reference sets. */

const { guess, has } = Roles;

function recognize(text) {
  if (has(text, "image_id", "round_id")) {
    if (has(text, "generations")) return guess("generations", 0.95, "VisDial answers (JSON)");
    if (has(text, "refs")) return guess("references", 0.95, "VisDial reference sets (JSON)");
  }
  if (has(text, "dialogs") || has(text, "answer_options")) return guess("dialogs", 0.6, "VisDial dialogues (JSON)");
  if (!has(text, "image_id", "round_id")) return null;
  if (has(text, "ranks") || has(text, "scores")) return guess("ranks", 0.6, "VisDial ranks (JSON)");
  return text.includes('relevance"') ? guess("relevance", 0.6, "VisDial dense annotations (JSON)") : null;
}
