"use strict";

/* Recognizer of visual storytelling: stories, templates, and human stories. */

const { S, guess, has } = Roles;
const { stripped, unmarked } = FileSignatures;
const STORY = new RegExp(`"story_text_normalized"${S}:${S}"([^"])?`, "g");

function recognize(begin) {
  const text = unmarked(begin);
  if (!stripped(text).startsWith("{")) return null;
  const gold = "VIST stories in sequence (JSON)";
  if (has(text, "output_stories")) {
    const stories = text.match(STORY) || [];
    const areEmpty = stories.length > 0 && stories.every((one) => one.endsWith('"'));
    return areEmpty ? guess("template", 0.9, "a VIST template (JSON)") : guess("submission", 0.95, "VIST stories (JSON)");
  }
  const names = ["worker_arranged_photo_order", "photo_flickr_id", "story-in-sequence"];
  if (names.some((name) => has(text, name))) return guess("references", 0.95, gold);
  return has(text, "datetaken", "album_id") ? guess("references", 0.8, gold) : null;
}
