"use strict";

/* Translation of a page: the same catalogue and the same rules as in the program (core/language). */

const Language = (() => {
  const PLACE = /\{(\w+)([^{}]*)\}/g;
  const FORMS = { one: 0, few: 1, many: 2, other: 1 };
  const NOUN_PLACES = ["entry", "entries", "item", "items", "picture", "pictures", "singular", "plural", "noun"];
  const DEEPEST = 3;
  let code = "en", texts = {}, forms = {}, templates = [], rules = null;

  /** Show a language; `catalogue` has its code, texts and plural forms by English sentence. */
  function use(catalogue) {
    if (!catalogue || catalogue.code === "en") return;
    ({ code, texts, forms } = catalogue);
    rules = new Intl.PluralRules(code);
    templates = [
      ...Object.keys(texts).map((id) => template(id, id, false)),
      ...Object.entries(forms).flatMap(([one, [many]]) =>
        [template(one, one, true), template(one, many, true)]),
    ].filter(Boolean).sort((a, b) => b.size - a.size);
    document.documentElement.lang = code;
    page(document.documentElement);
  }

  function template(id, sentence, plural) {
    const literals = sentence.split(/\{\w+[^{}]*\}/);
    const found = [...sentence.matchAll(PLACE)];
    const names = found.map((match) => match[1]);
    const letters = literals.join("").replace(/[^\p{L}]/gu, "").length;
    if (!found.length || letters < (plural ? 1 : 4) || new Set(names).size < names.length) return null;
    if (literals.slice(1, -1).some((one) => !one)) return null;
    const styles = found.map((match) => match[2]);
    return { id, literals, names, styles, plural, size: [...literals.join("")].length };
  }

  function valuesOf({ literals }, text) {
    const [first, last] = [literals[0], literals[literals.length - 1]];
    const end = text.length - last.length;
    if (!text.startsWith(first) || !text.endsWith(last) || end < first.length) return null;
    const found = [];
    let at = first.length;
    for (const literal of literals.slice(1, -1)) {
      const there = text.slice(0, end).indexOf(literal, at);
      if (there < 0) return null;
      found.push(text.slice(at, there));
      at = there + literal.length;
    }
    return [...found, text.slice(at, end)];
  }

  const whole = (text) => /^(\d{1,3}(,\d{3})*|\d+)$/.test(text);
  const number = (text) => (code === "ru" ? text.replace(/,/g, "\u00a0").replace(/\./g, ",") : text);
  const form = (id, count) => forms[id][1 + FORMS[rules.select(count)]];

  /** A finished English sentence in the page's language, or unchanged if it is unknown. */
  function sentence(text) {
    const found = code === "en" || !text ? null : recognized(text, 0);
    return found === null ? text : found;
  }

  function recognized(text, depth) {
    if (Object.hasOwn(texts, text)) return texts[text];
    for (const one of templates) {
      const values = valuesOf(one, text);
      if (values === null || (one.plural && !whole(values[0]))) continue;
      const shown = {};
      values.forEach((value, i) => { shown[one.names[i]] = valueOf(one.names[i], value, one.styles[i], depth); });
      const wanted = one.plural ? form(one.id, Number(values[0].replace(/,/g, ""))) : texts[one.id];
      return wanted.replace(PLACE, (_, name) => shown[name]);
    }
    const parts = text.split(". ");
    if (parts.length < 2 || depth) return null;
    const ended = parts.map((part, i) => recognized(i < parts.length - 1 ? `${part}.` : part, 1));
    return ended.includes(null) ? null : ended.join(" ");
  }

  function valueOf(name, value, style, depth) {
    if (style || whole(value)) return number(value);
    if (NOUN_PLACES.includes(name)) return Object.hasOwn(texts, value) ? texts[value] : value;
    const inner = value.includes(" ") && depth < DEEPEST ? recognized(value, depth + 1) : null;
    return inner === null ? value : inner;
  }

  /** An English sentence of the page in its language, with values in its named places. */
  function t(text, values = {}) {
    const known = Object.hasOwn(texts, text) ? texts[text] : text;
    return known.replace(PLACE, (place, name) => (Object.hasOwn(values, name) ? String(values[name]) : place));
  }

  /** Translate the texts and labels that a part of the page has now. */
  function page(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (["SCRIPT", "STYLE"].includes(node.parentNode.nodeName)) continue;
      const text = node.data.trim();
      if (text && Object.hasOwn(texts, text)) node.data = node.data.replace(text, () => texts[text]);
    }
    for (const node of root.querySelectorAll("[aria-label]")) {
      node.setAttribute("aria-label", t(node.getAttribute("aria-label")));
    }
  }

  return { use, t, sentence };
})();
const { t } = Language;
