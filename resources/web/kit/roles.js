"use strict";

/* What the first bytes of a file look like to each competition: its role, how sure that is, its form. */

const Roles = (() => {
  const S = "[ \\t\\n\\r\\f\\v]*";
  const { stripped, unmarked } = Looks;
  const guess = (role, confidence, form) => ({ role, confidence, form });
  const has = (text, ...names) => names.every((name) => text.includes(`"${name}"`));

  function densecap(text) {
    const people = "people's captioned boxes (JSON)";
    const system = guess("detections", 0.9, "a system's captioned boxes (JSON)");
    const described = has(text, "caption") && (has(text, "box") || has(text, "bbox"));
    if (has(text, "gt_boxes") || has(text, "regions", "phrase")) return guess("ground-truth", 0.9, people);
    if (has(text, "logprobs") || has(text, "results", "img_name")) return system;
    if (!described) return null;
    return has(text, "score") ? system : guess("ground-truth", 0.7, people);
  }

  const ID = `"[^"]*"${S}:${S}"?[0-5]"?${S}`;
  const IDS = new RegExp(`^${S}\\{(${S}${ID},)*${S}${ID}[,}]`);
  const RECORD = new RegExp(`^\\{${S}"[^"]*"${S}:${S}[\\[{]${S}\\{?${S}"(type|content)"${S}:`);
  const LIST_CONTENT = new RegExp(`"content"${S}:${S}\\[`);
  const TEXT_CONTENT = new RegExp(`"content"${S}:${S}"((?:[^"\\\\]|\\\\[^\\n])*)"`, "g");

  function fusionbrain(begin) {
    const text = stripped(unmarked(begin));
    if (IDS.test(text)) return guess("task-ids", 0.9, "FusionBrain task ids (JSON)");
    if (!RECORD.test(text)) return null;
    if (LIST_CONTENT.test(text)) return guess("truth", 0.9, "FusionBrain's accepted answers (JSON)");
    const contents = text.match(TEXT_CONTENT) || [];
    const asking = contents.filter((one) => one.slice(one.indexOf(":")).includes("?")).length;
    if (asking > 0.1 * contents.length) return guess("input", 0.6, "FusionBrain's questions (JSON)");
    return guess("predictions", 0.6, "FusionBrain predictions (JSON)");
  }

  function visdial(text) {
    if (!has(text, "image_id", "round_id")) return null;
    if (has(text, "generations")) return guess("generations", 0.95, "VisDial answers (JSON)");
    return has(text, "refs") ? guess("references", 0.95, "VisDial reference sets (JSON)") : null;
  }

  const STORY = new RegExp(`"story_text_normalized"${S}:${S}"([^"])?`, "g");

  function vist(begin) {
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

  function captions(begin) {
    const text = stripped(unmarked(begin));
    if (text.startsWith("[")) {
      if (has(text, "image_id", "SPICE")) return guess("spice", 0.9, "SPICE scores (JSON)");
      const boxes = has(text, "bbox") || has(text, "box");
      const said = has(text, "image_id", "caption") && !boxes;
      return said ? guess("results", 0.95, "COCO caption results (JSON)") : null;
    }
    if (!text.startsWith("{")) return null;
    if (has(text, "sentences", "raw")) return guess("references", 0.95, "Karpathy split (JSON)");
    if (has(text, "All", "f")) return guess("spice", 0.8, "SPICE scores (JSON)");
    const captioned = has(text, "annotations", "caption") && !has(text, "bbox");
    const listed = has(text, "images", "file_name") && text.includes('"license');
    return captioned || listed ? guess("references", captioned ? 0.95 : 0.6, "COCO captions (JSON)") : null;
  }

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
  const LOOKED_AT = 20;

  /** XML in UTF-16 without the bytes that are 0: names and marks of XML are ASCII. */
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

  /** The fields of the first lines that are neither blank nor comments; one cut short is left out. */
  function fieldsOf(text) {
    const lines = text.split("\n");
    const complete = lines.length > 1 ? lines.slice(0, -1) : lines;
    const fields = complete.map((line) => line.split(/[ \t\r\f\v]+/).filter(Boolean));
    return fields.filter((one) => one.length && !one[0].startsWith("#")).slice(0, LOOKED_AT);
  }

  function keywordSpotting(begin) {
    const root = ROOTS.get(rootOf(narrowed(begin)));
    if (root) return guess(root[0], 1, root[1]);
    const text = unmarked(begin);
    if (text.includes("\0") || /^[<{[]/.test(stripped(text))) return null;
    const lines = fieldsOf(text);
    const role = LINES.find(([, , is]) => lines.length > 0 && lines.every(is));
    return role ? guess(role[0], 0.85, role[1]) : null;
  }

  return { captions, densecap, fusionbrain, visdial, vist, "keyword-spotting": keywordSpotting };
})();
