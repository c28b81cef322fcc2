"use strict";

/* Translation of a page: the same catalogue and the same rules as in the program (core/language). */

const Language = (() => {
  const PLACE = /\{(\w+)([^{}]*)\}/g;
  const FORMS = { one: 0, few: 1, many: 2, other: 1 };
  const NOUN_PLACES = ["entry", "entries", "item", "items", "picture", "pictures", "singular", "plural", "noun",
    "kind", "label", "metric", "numeral", "origin", "other", "state", "title"];
  const SENTENCE_PLACES = ["choice", "error", "expected", "fault", "handed", "problem", "reason", "why"];
  const TYPE_PLACES = ["type", "value", "phrase", "second_phrase", "third_phrase"];
  const [COUNTED, LIST, WORD, WORDS] = [":counted", ":list", ":word", ":words"];
  const TEXT_STYLES = ["", COUNTED, LIST, WORD, WORDS];
  const JSON_WORDS = ["null", "true", "false"];
  const LEAST_LETTERS = 4, LEAST_OF_SENTENCES = 2, DEEPEST = 3, MOST_SENTENCES = 12;
  const NUMBER = /^[-+−]?(\d[\d,]*(\.\d+)?(e[-+]\d+)?|nan|inf|[\dA-F]+)$/;
  const MORE_ID = "{names} and {more:,} more";
  const CONTROLS = "\\u202a-\\u202e\\u2066-\\u2069";
  const LETTERS = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
  const DIRECTED = new RegExp(`[${LETTERS}${CONTROLS}\\u200e\\u200f]`, "u");
  const CONTROL = new RegExp(`[${CONTROLS}]`, "gu");
  const ISOLATED = new RegExp(`\\u2068[^${CONTROLS}]*\\u2069`, "gu");
  const RUN = new RegExp(`[${LETTERS}](?:[${LETTERS} _.'’"\\u05f4\\u05f3\\-]*[${LETTERS}])?`, "gu");
  let code = "en", texts = {}, forms = {}, templates = [], rules = null;
  const english = new Map(); // English of what is translated, by text node or element

  /** Show a language; `catalogue` has its code, texts and plural forms by English sentence. */
  function use(catalogue) {
    if (!catalogue || catalogue.code === code) return;
    ({ code, texts, forms } = catalogue);
    rules = new Intl.PluralRules(code);
    templates = [
      ...Object.keys(texts).map((id) => template(id, id, false)),
      ...Object.entries(forms).flatMap(([one, [many]]) =>
        [template(one, one, true), template(one, many, true)]),
    ].filter(Boolean);
    document.documentElement.lang = code;
    page(document.documentElement);
  }

  function template(id, sentence, plural) {
    const literals = sentence.split(/\{\w+[^{}]*\}/);
    const found = [...sentence.matchAll(PLACE)];
    const names = found.map((match) => match[1]);
    const letters = literals.join("").replace(/[^\p{L}]/gu, "").length;
    const styles = found.map((match) => match[2]);
    const isTyped = [COUNTED, WORD, WORDS].some((one) => styles.includes(one));
    const isSentence = /[.?!…]$/.test(literals[literals.length - 1]);
    const least = isSentence ? LEAST_OF_SENTENCES : LEAST_LETTERS;
    if (!found.length || letters < (plural ? 1 : isTyped ? 0 : least)) return null;
    if (new Set(names).size < names.length || literals.slice(1, -1).some((one) => !one)) return null;
    return { id, literals, names, styles, plural };
  }

  function valuesOf({ literals, styles }, text) {
    const [first, last] = [literals[0], literals[literals.length - 1]];
    const end = text.length - last.length;
    if (!text.startsWith(first) || !text.endsWith(last) || end < first.length) return null;
    const found = [];
    let at = first.length;
    for (const [i, literal] of literals.slice(1, -1).entries()) {
      let there = text.slice(0, end).indexOf(literal, at);
      if (literal === " " && !TEXT_STYLES.includes(styles[i + 1])) {
        const after = i + 3 < literals.length ? literals[i + 2] : "";
        const ahead = after ? text.slice(0, end).indexOf(after, there + 1) : end;
        // A number has no space, but words have.
        there = ahead < 0 ? -1 : text.slice(0, ahead).lastIndexOf(literal);
        if (there < at) there = -1;
      } else if (i === literals.length - 3 && styles[i + 1] && !styles[i]) {
        // A user's text before the last value that has a style may contain the same letters.
        const last = text.slice(at, end).lastIndexOf(literal);
        there = last < 0 ? -1 : at + last;
      }
      if (there < 0) return null;
      found.push(text.slice(at, there));
      at = there + literal.length;
    }
    found.push(text.slice(at, end));
    const isPhrase = !last && !literals[literals.length - 2].endsWith(": ");
    return isPhrase && /[.?!…]$/.test(found[found.length - 1]) ? null : found;
  }

  const whole = (text) => /^(\d{1,3}(,\d{3})*|\d+)$/.test(text);
  const number = (text) => (code === "ru" ? text.replace(/,/g, "\u00a0").replace(/\./g, ",") : text);
  const form = (id, count) => forms[id][1 + FORMS[rules.select(count)]];

  /** A finished English sentence in the page's language, or unchanged if it is unknown. */
  function sentence(text) {
    const found = code === "en" || !text ? null : recognized(text, 0);
    return isolateRuns(found === null ? text : found);
  }

  const isDirected = (text) => DIRECTED.test(text) && DIRECTED.test(text.replace(ISOLATED, ""));

  /** A text of a file for a place in a sentence, whose order it leaves unchanged (core/language/text_direction.py). */
  function isolate(text) {
    return isDirected(text) ? `\u2068${text.replace(CONTROL, "\ufffd")}\u2069` : text;
  }

  /** A finished sentence in which each right-to-left run of letters is isolated. */
  function isolateRuns(text) {
    return text && isDirected(text) ? text.replace(CONTROL, "\ufffd").replace(RUN, "\u2068$&\u2069") : text;
  }

  function recognized(text, depth) {
    if (Object.hasOwn(texts, text)) return texts[text];
    const found = text.replace(/([.?!…]) (?=\S)/g, "$1\0").split("\0");
    const parts = [...found.slice(0, MOST_SENTENCES), ...rest(found.slice(MOST_SENTENCES))];
    const several = parts.length > 1 ? sentences(parts, depth) : null;
    return several ?? one(text, depth);
  }

  function one(text, depth) { return single(text, depth) ?? joined(text, depth); }

  /** A place before what is said of it, or a count as a sentence. */
  function joined(text, depth) {
    const at = text.indexOf(": ");
    if (at < 0 && !/^\d.*\.$/.test(text)) return null;
    const [head, tail] = at < 0 ? [text.slice(0, -1), ""] : [text.slice(0, at), text.slice(at + 2)];
    const [place, fault] = [phrase(head, depth), tail ? phrase(tail, depth) : text.slice(-1)];
    return place === null || fault === null ? null : `${place}${tail ? ": " : ""}${fault}`;
  }

  function rest(parts) { return parts.length ? [parts.join(" ")] : []; }

  /** Several sentences, of which one may have several parts. */
  function sentences(parts, depth) {
    const done = [...parts.map(() => null), ""];
    for (let start = parts.length - 1; start >= 0; start -= 1) {
      for (let end = start + 1; end < parts.length + (start > 0) && done[start] === null; end += 1) {
        const found = done[end] === null ? null : one(parts.slice(start, end).join(" "), depth);
        if (found !== null) done[start] = `${found} ${done[end]}`.trimEnd();
      }
    }
    return done[0];
  }

  function single(text, depth, isStarted = false) {
    if (Object.hasOwn(texts, text)) return texts[text];
    const found = [];
    for (const one of templates) {
      if (isStarted && one.literals[0].length < LEAST_LETTERS) continue;
      const values = valuesOf(one, text);
      const done = values === null ? null : filled(one, values, depth);
      if (done !== null) found.push([done, one]);
    }
    for (const [done, one] of found) {
      if (found.every(([other, its]) => other === done || isSpecial(one, its))) return done;
    }
    found.sort((one, its) => letters(its[1]) - letters(one[1]));
    const isClear = found.length > 1 && letters(found[0][1]) > letters(found[1][1]);
    return isClear ? found[0][0] : null;
  }

  function letters({ literals }) { return literals.join("").length; }

  /** Whether a template is to be preferred to another one, which fits as well. */
  function isSpecial(one, other) {
    const [isPart, isWhole] = [isPartOf(one, other), isPartOf(other, one)];
    if (isPart && isWhole) return typed(one) >= typed(other);
    if (isPart || isWhole) return isPart;
    const [start, its] = [one.literals[0], other.literals[0]];
    if (its && start.length > its.length && start.startsWith(its)) return true;
    return hasStart(one) && !hasStart(other);
  }

  function hasStart({ literals, styles }) {
    return literals[0].length >= LEAST_OF_SENTENCES || Boolean(styles[0]);
  }

  function isPartOf(one, other) { return valuesOf(other, one.literals.join("\0")) !== null; }
  function typed({ styles }) { return styles.filter(Boolean).length; }

  function filled(one, values, depth) {
    if (one.plural && !whole(values[0])) return null;
    const wanted = one.plural ? form(one.id, Number(values[0].replace(/,/g, ""))) : texts[one.id];
    const isBare = !/\p{L}/u.test(one.literals.join(""));
    const shown = {};
    for (const [i, value] of values.entries()) {
      const part = valueOf(one.names[i], value, one.styles[i], depth);
      if (part === null || (isBare && !one.styles[i] && part === value)) return null;
      shown[one.names[i]] = part;
    }
    return wanted.replace(PLACE, (_, name) => shown[name]);
  }

  /** A value as it is shown; null if it does not have the style of its place. */
  function valueOf(name, value, style, depth) {
    const isCounted = whole(value.split(" ")[0]);
    if (style === COUNTED) return isCounted ? phrase(value, depth) : null;
    if (style === WORDS) return JSON_WORDS.includes(value) ? value : phrase(value, depth);
    if (style === LIST) return list(value);
    if (style === WORD) return value && !value.includes(" ") ? value : null;
    if (style) return NUMBER.test(value) ? number(value) : null;
    if (whole(value)) return number(value);
    if (/ and [\d,]+ more$/.test(value)) return list(value);
    if (NOUN_PLACES.includes(name.replace(/\d+$/, ""))) return phrase(value, depth) ?? value;
    const isInner = SENTENCE_PLACES.includes(name) && value.includes(" ") && depth < DEEPEST;
    let inner = isInner ? recognized(value, depth + 1) : null;
    if (inner === null && isCounted) inner = phrase(value, depth);
    // A text of a file may have the words of a template, but hardly begins with them.
    if (inner === null && value.includes(" ")) inner = phrase(value, depth, true);
    if (JSON_WORDS.includes(value)) return value;
    if (value === "missing") return null; // it is no type, and another sentence says so
    if (inner === null && TYPE_PLACES.includes(name) && Object.hasOwn(texts, value)) inner = texts[value];
    return inner === null ? value : inner;
  }

  function phrase(value, depth, isStarted = false) {
    return value && depth < DEEPEST ? single(value, depth + 1, isStarted) : null;
  }

  function list(value) {
    const match = /^([^]*) and ([\d,]+) more$/.exec(value);
    if (!match || !Object.hasOwn(texts, MORE_ID)) return value;
    const shown = { names: match[1], more: number(match[2]) };
    return texts[MORE_ID].replace(PLACE, (_, name) => shown[name]);
  }

  /** An English sentence of the page in its language, with values in its named places. */
  function t(text, values = {}) {
    const known = Object.hasOwn(texts, text) ? texts[text] : text;
    return known.replace(PLACE, (place, name) => (Object.hasOwn(values, name) ? isolate(String(values[name])) : place));
  }

  /** Translate the texts and labels that a part of the page has now. */
  function page(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (["SCRIPT", "STYLE"].includes(node.parentNode.nodeName)) continue;
      const text = source(node, node.data);
      const known = text.trim();
      const shown = known && Object.hasOwn(texts, known) ? text.replace(known, () => texts[known]) : text;
      if (shown !== node.data) node.data = shown;
      english.set(node, { text, shown });
    }
    for (const node of root.querySelectorAll("[aria-label]")) {
      const text = source(node, node.getAttribute("aria-label"));
      node.setAttribute("aria-label", t(text));
      english.set(node, { text, shown: t(text) });
    }
  }

  /** The English of what is shown now: the script may have changed it since. */
  function source(node, shown) {
    const known = english.get(node);
    return known && known.shown === shown ? known.text : shown;
  }

  const current = () => code;
  return { use, t, sentence, number, current, isolate, isolateRuns };
})();
const { t } = Language;
