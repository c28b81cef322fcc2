"use strict";

/* Recognizer of FusionBrain: predictions, and the organisers' files. */

const { S, guess } = Roles;
const { stripped, unmarked } = FileSignatures;
const ID = `"[^"]*"${S}:${S}"?[0-5]"?${S}`;
const IDS = new RegExp(`^${S}\\{(${S}${ID},)*${S}${ID}[,}]`);
const RECORD = new RegExp(`^\\{${S}"[^"]*"${S}:${S}[\\[{]${S}\\{?${S}"(type|content)"${S}:`);
const LIST_CONTENT = new RegExp(`"content"${S}:${S}\\[`);
const TEXT_CONTENT = new RegExp(`"content"${S}:${S}"((?:[^"\\\\]|\\\\[^\\n])*)"`, "g");

function recognize(begin) {
  const text = stripped(unmarked(begin));
  if (IDS.test(text)) return guess("task-ids", 0.9, "FusionBrain task ids (JSON)");
  if (!RECORD.test(text)) return null;
  if (LIST_CONTENT.test(text)) return guess("truth", 0.9, "FusionBrain's accepted answers (JSON)");
  const contents = text.match(TEXT_CONTENT) || [];
  const asking = contents.filter((one) => one.slice(one.indexOf(":")).includes("?")).length;
  if (asking > 0.1 * contents.length) return guess("input", 0.6, "FusionBrain's questions (JSON)");
  return guess("predictions", 0.6, "FusionBrain predictions (JSON)");
}
