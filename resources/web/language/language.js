"use strict";

/* Messages of a page, templates with arguments until they are shown (core/language/message.py), and their display. */

/** Text for people, with the template and the arguments of which it is made; as a string it is English. */
class Message {
  constructor(template, values, many) { Object.assign(this, { template, values: values || {}, many: many || "" }); }

  /** Return the text or message of Python's `encode_message`. */
  static of(data) {
    if (!Array.isArray(data)) return data;
    const texts = data.filter((one) => typeof one === "string");
    const values = {};
    for (const [name, value] of Object.entries(data[texts.length] || {})) values[name] = Message.of(value);
    return new Message(texts[0], values, texts[1]);
  }

  toString() {
    const wanted = this.many && this.values.count !== 1 ? this.many : this.template;
    return this.filled(wanted, Message.written);
  }

  toJSON() { return this.toString(); }

  /** Return a template with the values as `show` gives them; other braces remain. */
  filled(template, show) {
    const other = this.many ? "," : "";
    return template.replace(Message.PLACE, (place, name, style) => {
      if (!Object.prototype.hasOwnProperty.call(this.values, name)) return place;
      const value = this.values[name];
      return show(value, style.slice(1) || (typeof value === "number" ? other : ""));
    });
  }

  /** Return a value as English has it. */
  static written(value, style) {
    if (typeof value !== "number") return Message.styled(String(value), style);
    const digits = /\.(\d)/.exec(style);
    let text = digits ? value.toFixed(Number(digits[1])) : String(value);
    if (style === "g") text = String(Number(value.toPrecision(6)));
    if (style === "02X") text = value.toString(16).toUpperCase().padStart(2, "0");
    return style.startsWith(",") ? text.replace(/\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ",")) : text;
  }

  /** Return a text with its first letter as the style of its place says. */
  static styled(text, style) {
    if (!style) return text;
    return (style === "lower" ? text.slice(0, 1).toLowerCase() : text.slice(0, 1).toUpperCase()) + text.slice(1);
  }
}
Message.PLACE = /\{(\w+)((?::[^{}]*)?)\}/g;

/** Return a text of the program as a message, which is translated inside another one. */
const translatable = (text) => (text instanceof Message ? text : new Message(text));

/** Return a message: a template with values in its places, in their order. */
function fill(template, ...values) {
  const named = {};
  template.replace(Message.PLACE, (_, name) => { if (!(name in named)) named[name] = values[Object.keys(named).length]; });
  return new Message(template, named);
}

/** Return several texts of the program as one, each of which is translated. */
function joinMessages(parts, separator) {
  const there = parts.filter((one) => String(one)).map(translatable);
  return fill(there.map((_, i) => `{part${i}}`).join(separator === undefined ? " " : separator), ...there);
}

/** Return a count with its noun: `1 story`, `1,938 sequences`. */
function counted(count, noun, plural) {
  return new Message(`{count} ${noun}`, { count }, `{count} ${plural || `${noun}s`}`);
}

/** Return the first names and the number of others: `cv4, cv9, cv11 and 9 more`. */
function nameList(names, shown = 3, count = 0) {
  const first = names.slice(0, shown).join(", ");
  const more = Math.max(names.length, count) - Math.min(names.length, shown);
  return more <= 0 ? first : fill("{names} and {more:,} more", first, more);
}

const Language = (() => {
  const FORMS = { one: 0, few: 1, many: 2, other: 1 };
  const CONTROLS = "\\u202a-\\u202e\\u2066-\\u2069";
  const LETTERS = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
  const DIRECTED = new RegExp(`[${LETTERS}${CONTROLS}\\u200e\\u200f]`, "u");
  const CONTROL = new RegExp(`[${CONTROLS}]`, "gu");
  const ISOLATED = new RegExp(`\\u2068[^${CONTROLS}]*\\u2069`, "gu");
  const RUN = new RegExp(`[${LETTERS}](?:[${LETTERS} _.'’"\\u05f4\\u05f3\\-]*[${LETTERS}])?`, "gu");
  let [code, texts, forms, rules] = ["en", new Map(), new Map(), null];
  const english = new Map(); // English of what is translated, by text node or element

  /** Show a language; `catalogue` has its code, texts and plural forms by English sentence. */
  function use(catalogue) {
    if (!catalogue || catalogue.code === code) return;
    code = catalogue.code;
    [texts, forms] = [catalogue.texts, catalogue.forms].map((one) => new Map(Object.entries(one)));
    rules = new Intl.PluralRules(code);
    document.documentElement.lang = code;
    page(document.documentElement);
  }

  const number = (text) => (code === "ru" ? text.replace(/,/g, "\u00a0").replace(/\./g, ",") : text);
  const known = (text) => (texts.has(text) ? texts.get(text) : text);

  /** Return a message, or a text of the program, in the page's language; other texts are unchanged. */
  function show(text) { return isolateRuns(translated(Message.of(text))); }

  function translated(text) {
    if (!(text instanceof Message)) return known(text);
    const { template, many, values: { count } } = text;
    const wanted = forms.has(template) ? forms.get(template)[FORMS[rules.select(count)]] : many && count !== 1 ? many : template;
    return text.filled(known(wanted), (value, style) => {
      if (value instanceof Message) return Message.styled(translated(value), style);
      const isLocal = typeof value === "number" && (style || !Number.isInteger(value));
      return isLocal ? number(Message.written(value, style)) : Message.written(value, style);
    });
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

  /** An English sentence of the page in its language, with values in its named places. */
  function t(text, values = {}) {
    const shown = {};
    for (const [name, value] of Object.entries(values)) shown[name] = typeof value === "string" ? isolate(value) : value;
    return translated(new Message(text, shown));
  }

  /** Translate the texts and labels that a part of the page has now. */
  function page(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (["SCRIPT", "STYLE"].includes(node.parentNode.nodeName)) continue;
      const text = source(node, node.data);
      const shown = text.replace(text.trim(), known);
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
  return { use, t, show, number, current, isolate, isolateRuns };
})();
const { t } = Language;
