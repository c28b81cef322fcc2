"use strict";

/* Recognizer of keyword spotting: ranked lists and relevance judgements, as XML or as lines. */

const { guess } = Roles;
const { stripped, unmarked } = FileSignatures;
const PREAMBLE = /[ \t\n\r\f\v]+|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^[>]*(?:\[[^]*?\][ \t\n\r\f\v]*)?>/y;
const ROOT = /<([A-Za-z]+)[ \t\n\r\f\v/>]/y;
const ROOTS = new Map([
  ["GroundTruthRelevanceJudgements", ["relevance", "relevance judgements in ICFHR 2014 XML"]],
  ["RelevanceListings", ["results", "ranked lists in ICFHR 2014 XML"]],
]);
const D = "[0-9](?:_?[0-9])*";
const FLOAT = new RegExp(`^[+-]?(?:(?:${D}(?:\\.(?:${D})?)?|\\.${D})(?:e[+-]?${D})?|inf(?:inity)?|nan)$`, "i");
const LINES = [
  ["relevance", "relevance judgements for trec_eval", (fields) => fields.length === 4 && FLOAT.test(fields[3])],
  ["results", "ranked lists for trec_eval", (fields) => fields.length >= 6 && FLOAT.test(fields[4])],
];
const MAX_LINES = 20;

/** Remove the zero bytes of UTF-16: names and delimiters of XML are ASCII. */
function narrowed(begin) {
  const big = begin.startsWith("\xfe\xff");
  if (!big && !begin.startsWith("\xff\xfe")) return unmarked(begin);
  let text = "";
  for (let at = 2; at + 1 < begin.length; at += 2) {
    const [high, low] = big ? [begin[at], begin[at + 1]] : [begin[at + 1], begin[at]];
    text += high === "\0" ? low : "\xbf";
  }
  return text;
}

function rootOf(text) {
  let at = 0;
  for (let was = -1; was < at;) {
    was = at;
    PREAMBLE.lastIndex = at;
    if (PREAMBLE.test(text)) at = PREAMBLE.lastIndex;
  }
  ROOT.lastIndex = at;
  const root = ROOT.exec(text);
  return root ? root[1] : "";
}

/** Return the fields of the first lines that are neither blank nor comments, without an incomplete line. */
function fieldsOf(text) {
  const lines = text.split("\n");
  const complete = lines.length > 1 ? lines.slice(0, -1) : lines;
  const fields = complete.map((line) => line.split(/[ \t\r\f\v]+/).filter(Boolean));
  return fields.filter((one) => one.length && !one[0].startsWith("#")).slice(0, MAX_LINES);
}

function recognize(begin) {
  const root = ROOTS.get(rootOf(narrowed(begin)));
  if (root) return guess(root[0], 1, root[1]);
  const text = unmarked(begin);
  if (text.includes("\0") || /^[<{[]/.test(stripped(text))) return null;
  const lines = fieldsOf(text);
  const role = LINES.find(([, , is]) => lines.length > 0 && lines.every(is));
  if (!role) return null;
  const isWhole = (fields) => Number.isInteger(Number(fields[3].replace(/_/g, "")));
  return guess(role[0], role[0] === "results" || lines.some(isWhole) ? 0.85 : 0.6, role[1]);
}
