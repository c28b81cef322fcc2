"use strict";

/* Elements from names and text; content of files becomes text nodes only. */

const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

const ISOLATED = /(\u2068[^\u202a-\u202e\u2066-\u2069]*\u2069)/;

/** Return the text with invisible control characters made visible, except those around an isolated name. */
function visible(text) {
  return String(text).split(ISOLATED).map((part, place) => (
    place % 2 ? `\u2068${mark(part.slice(1, -1))}\u2069` : mark(part))).join("");
}

function mark(text) {
  return text.replace(HIDDEN, (letter) => {
    const code = letter.codePointAt(0);
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return `⟦U+${code.toString(16).toUpperCase().padStart(4, "0")}⟧`;
  });
}

const $ = (id) => document.getElementById(id);

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined)
    .map((child) => (typeof child === "string" ? visible(child) : child)));
  return made;
}

/** Return an HTML element; attributes such as `onclick` are listeners, strings become text. */
function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Return an SVG element. */
function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/** Format a number with a fixed number of decimals and a typographic minus; a dash for null. */
function fixed(value, decimals) {
  if (value === null || value === undefined) return "–";
  return Language.number(value.toFixed(decimals)).replace("-", "−");
}

const count = (n) => Language.number(n.toLocaleString("en-US"));

/** Return a labelled selector; `chosen` receives the index. */
function picker(title, options, chosen, first = 0) {
  const select = el("select", {},
    ...options.map((text, index) => el("option", { value: index, selected: index === first }, text)));
  select.addEventListener("change", () => chosen(Number(select.value)));
  return el("label", {}, title, select);
}

/** Tool tip of the mark under the mouse or with the focus. */
const Tip = (() => {
  const note = $("tip");
  const hide = () => { note.hidden = true; };
  function show(text, x, y) {
    note.textContent = visible(text);
    note.hidden = false;
    const { width, height } = note.getBoundingClientRect();
    note.style.left = `${Math.max(6, Math.min(x + 14, innerWidth - width - 6))}px`;
    note.style.top = `${Math.max(6, Math.min(y + 14, innerHeight - height - 6))}px`;
  }
  /** Show `text()` while the mouse is on the mark. */
  function on(mark, text) {
    mark.addEventListener("pointermove", (event) => show(text(), event.clientX, event.clientY));
    mark.addEventListener("pointerleave", hide);
    return mark;
  }
  return { on, show, hide };
})();
