"use strict";

/* Recognizer of visual question answering: annotations, questions, choices and results. */

const { guess, has } = Roles;
const { stripped, unmarked } = FileSignatures;

function recognize(begin) {
  const text = stripped(unmarked(begin));
  if (text.startsWith("[")) {
    if (has(text, "imgname", "query")) return guess("references", 0.95, "ChartQA annotations (JSON)");
    const isAnswered = has(text, "answer") || has(text, "prediction");
    const isResult = (has(text, "question_id") || has(text, "questionId")) && isAnswered;
    return isResult && !has(text, "image_url") && !has(text, "answers") ? guess("results", 0.9, "answers to questions (JSON)") : null;
  }
  if (!text.startsWith("{")) return null;
  if (has(text, "answers", "question_id") || has(text, "answer_type", "question_type")) return guess("references", 0.95, "VQA annotations (JSON)");
  if (has(text, "questionId", "answers")) return guess("references", 0.95, "DocVQA annotations (JSON)");
  if (has(text, "isBalanced") || has(text, "entailed", "semantic")) return guess("references", 0.95, "GQA questions (JSON)");
  if (has(text, "valid", "plausible")) return guess("choices", 0.95, "GQA choices (JSON)");
  return has(text, "task_type", "questions") ? guess("questions", 0.95, "VQA questions (JSON)") : null;
}
