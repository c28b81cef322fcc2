"use strict";

/* Elements made of names and text; what comes from files reaches the page as text nodes alone. */

const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** The text with what would act on it, and not be seen, made visible. */
function visible(text) {
  return String(text).replace(HIDDEN, (letter) => {
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

/** An HTML element; `onclick` and its like are listeners, strings become text. */
function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** An element of a drawing. */
function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/** A number with so many decimals and a true minus; a dash where there is none. */
function fixed(value, decimals) {
  if (value === null || value === undefined) return "–";
  return value.toFixed(decimals).replace("-", "−");
}

const count = (n) => n.toLocaleString("en-US");

/** A choice with its label; `chosen` hears the index. */
function picker(title, options, chosen, first = 0) {
  const select = el("select", {},
    ...options.map((text, index) => el("option", { value: index, selected: index === first }, text)));
  select.addEventListener("change", () => chosen(Number(select.value)));
  return el("label", {}, title, select);
}

/** What the mouse or the keyboard is on, in a small note beside it. */
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
