"use strict";

/* Axes, scales and names of all plots; a drawing has the width of its card when the page opens. */

const Chart = (() => {
  /** Width of a drawing in pixels, so that its texts have their own size. */
  const WIDTH = (() => {
    const cards = Array.from({ length: 4 }, () => card("", "", el("div", {})));
    $("plots").hidden = false;
    $("plot-cards").append(...cards);
    const found = cards[0].lastChild.clientWidth;
    $("plot-cards").replaceChildren();
    $("plots").hidden = true;
    return Math.max(280, Math.min(640, found));
  })();

  /** Width of the names at the left of a drawing. */
  const NAMES = Math.round(Math.min(196, WIDTH * 0.4));

  /** Map data to coordinates of the drawing. */
  const scale = ([low, high], [from, to]) => {
    const span = high - low || 1;
    return (value) => from + ((value - low) / span) * (to - from);
  };

  /** Return round numbers between two ends. */
  function ticks(low, high, about = 5) {
    const raw = (high - low) / about || 1;
    const size = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map((n) => n * size).find((n) => n >= raw) || raw;
    const found = [];
    for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n += 1) found.push(n * step);
    return found;
  }

  const short = (value) => Language.number(String(Number(value.toPrecision(6)))).replace("-", "−");

  /** Return a drawing with a title for screen readers. */
  function sheet(width, height, title) {
    return svg("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  }

  /** Return the horizontal axis at `y`, with guides up to `top`, at its own ticks if it has some. */
  function across(x, [low, high], y, top, title, about = 5, own = [], labels = []) {
    const group = svg("g", {});
    const shown = own.filter((value) => value >= low && value <= high);
    for (const value of shown.length ? shown : ticks(low, high, about)) {
      group.append(svg("line", { class: "guide", x1: x(value), x2: x(value), y1: top, y2: y }),
        svg("text", { x: x(value), y: y + 16, "text-anchor": "middle" }, labels[own.indexOf(value)] ?? short(value)));
    }
    group.append(svg("line", { class: "axis", x1: x(low), x2: x(high), y1: y, y2: y }));
    if (title) group.append(svg("text", { x: x(high), y: y + 33, "text-anchor": "end" }, title));
    return group;
  }

  /** Return the vertical axis at `x`, with guides up to `end`. */
  function upwards(y, [low, high], x, end, title) {
    const group = svg("g", {});
    for (const value of ticks(low, high)) {
      group.append(svg("line", { class: "guide", x1: x, x2: end, y1: y(value), y2: y(value) }),
        svg("text", { x: x - 8, y: y(value) + 4, "text-anchor": "end" }, short(value)));
    }
    if (title) group.append(svg("text", { x: x - 8, y: y(high) - 12, "text-anchor": "start" }, title));
    return group;
  }

  const ruler = el("canvas", {}).getContext("2d");
  ruler.font = `12px ${getComputedStyle(document.body).fontFamily}`;

  const length = (text) => ruler.measureText(text).width;

  /** Shorten a name in its middle to a width: long names often differ at their end. */
  function fitted(name, width) {
    const text = visible(name), letters = [...text];
    const fits = (one) => length(one) <= width;
    if (fits(text)) return text;
    const cut = (kept) => `${letters.slice(0, Math.ceil(kept / 2)).join("")}…${letters.slice(letters.length - Math.floor(kept / 2)).join("")}`;
    let kept = letters.length - 1;
    while (kept > 2 && !fits(cut(kept))) kept -= 1;
    return cut(kept);
  }

  /** Return the colour of a system: the first eight of the board have one each. */
  const hue = (place) => (place < 8 ? `c${place}` : "cx");

  /** Return buttons that highlight a system; `changed` receives its index, or -1 for all. */
  function legend(systems, changed) {
    let front = -1;
    const buttons = systems.map((place, index) => {
      const { name } = Data.head.systems[place];
      const button = el("button", { type: "button", class: hue(index), "aria-pressed": "false", title: visible(name) },
        el("i", { class: "swatch" }), el("span", {}, fitted(name, 180)));
      button.addEventListener("click", () => {
        front = front === place ? -1 : place;
        buttons.forEach((one, at) => one.setAttribute("aria-pressed", String(systems[at] === front)));
        changed(front);
      });
      return button;
    });
    return el("div", { class: "legend", role: "group", "aria-label": t("Systems") }, ...buttons);
  }

  function card(title, sentence, ...children) {
    return el("figure", { class: "card" }, el("h3", {}, title),
      sentence ? el("p", { class: "small" }, sentence) : null, ...children);
  }

  return { WIDTH, NAMES, scale, ticks, short, sheet, across, upwards, length, fitted, hue, legend, card };
})();
