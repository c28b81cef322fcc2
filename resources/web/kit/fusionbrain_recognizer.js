"use strict";

/* Recognizer of FusionBrain: predictions, and the organisers' files. */

const { S, guess } = Roles;
const { stripped, unmarked } = FileSignatures;
const ID = `"[^"]*"${S}:${S}"?[0-5]"?${S}`;
const NUMBERED = ID.replace("[^\"]*", "[0-9]+");
const IDS = new RegExp(`^${S}\\{((${S}${ID},)*${S}${ID}\\}${S}$|(${S}${ID},){10}|(${S}${NUMBERED},){2})`);
const RECORD = new RegExp(`^\\{${S}"[^"]*"${S}:${S}[\\[{]${S}\\{?${S}"(type|content)"${S}:`);
const LIST_CONTENT = new RegExp(`"content"${S}:${S}\\[`, "g");
const TEXT_CONTENT = new RegExp(`"content"${S}:${S}"((?:[^"\\\\]|\\\\[^\\n])*)"`, "g");

function recognize(begin) {
  const text = stripped(unmarked(begin));
  if (IDS.test(text)) return guess("task-ids", 0.9, "FusionBrain task ids (JSON)");
  if (!RECORD.test(text)) return null;
  const texts = text.match(TEXT_CONTENT) || [];
  const lists = (text.match(LIST_CONTENT) || []).length;
  if (lists > 0.2 * (lists + texts.length)) return guess("truth", 0.9, "FusionBrain's accepted answers (JSON)");
  const asking = texts.filter((one) => one.slice(one.indexOf(":")).includes("?")).length;
  if (asking > 0.1 * texts.length) return guess("input", 0.6, "FusionBrain's questions (JSON)");
  return guess("predictions", 0.6, "FusionBrain predictions (JSON)");
}
