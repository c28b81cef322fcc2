"use strict";

/* Recognizer of visual dialogue: answers, and reference sets. */

const { guess, has } = Roles;

function recognize(text) {
  if (!has(text, "image_id", "round_id")) return null;
  if (has(text, "generations")) return guess("generations", 0.95, "VisDial answers (JSON)");
  return has(text, "refs") ? guess("references", 0.95, "VisDial reference sets (JSON)") : null;
}
