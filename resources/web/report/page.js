"use strict";

/* Page frame: sorting of the board, metric definitions, stamps, and contents. */

const Page = (() => {
  const holder = $("board-table");
  const table = holder.querySelector("table");

  /** Sort the board by a click on a column head; undefined numbers are last. */
  function sortable() {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (head.classList.contains("strip")) return;
      const button = el("button", { type: "button" }, head.textContent);
      head.replaceChildren(button);
      button.addEventListener("click", () => sort(heads, column));
    });
  }

  function sort(heads, column) {
    const numbers = heads[column].classList.contains("number");
    const before = heads[column].getAttribute("aria-sort");
    const down = before ? before === "ascending" : numbers;
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
    const by = (row) => {
      const cell = row.cells[column];
      if (column === 1) return cell.textContent;
      return cell.dataset.value ? Number(cell.dataset.value) : null;
    };
    const compare = new Intl.Collator("en", { numeric: true }).compare;
    const rows = [...table.tBodies[0].rows].sort((one, other) => {
      const [a, b] = [by(one), by(other)];
      if (a === null || b === null) return (a === null) - (b === null);
      const found = column === 1 ? compare(a, b) : a - b;
      return down ? -found : found;
    });
    table.tBodies[0].append(...rows);
  }

  /** Give the columns of long names room for them. */
  function widen() {
    for (const head of document.querySelectorAll("main .scroll tbody th")) {
      head.classList.toggle("long", head.textContent.length > 24);
    }
  }

  function tools() {
    const hidden = table.tHead.querySelectorAll(".extra").length;
    if (!hidden) return;
    const all = el("button", { type: "button", "aria-pressed": "false", onclick: () => {
      const on = holder.classList.toggle("all");
      all.setAttribute("aria-pressed", String(on));
    } }, t("All {count} metrics", { count: table.tHead.querySelectorAll(".number").length }));
    $("board-tools").append(all);
  }

  function note() {
    const { pairs, headline } = Data.head;
    const parts = [t("The best of every metric is bold.")];
    const tested = pairs.find((found) => found.tests.length);
    if (tested) {
      const { seed, level } = tested;
      parts.push(t("Systems without a significant difference share a range of ranks: {method} of every two systems by {metric}, {rounds}, {size}, correction of {correction}, {percent} %.", {
        method: Language.show(tested.methods[0]), metric: title(headline), size: Language.show(tested.size),
        rounds: tested.rounds ? t("{rounds} rounds, seed {seed}", { rounds: count(tested.rounds), seed }) : t("all signs"),
        correction: Language.show(tested.correction), percent: 100 * level,
      }));
    }
    $("board-note").textContent = parts.join(" ");
  }

  const title = (name) => Language.show((Data.head.metrics.find((metric) => metric.name === name) || { title: name }).title);

  // Origin of the numbers

  function origin() {
    const stamps = Data.stamps().systems;
    const parts = [el("h3", {}, t("Metrics")), ...Data.head.metrics.filter((metric) => metric.shown).map(definition)];
    if (stamps.length) {
      parts.push(el("h3", {}, t("Stamps")), el("p", { class: "small" }, t("A stamp names the files (by SHA-256), settings, versions and seeds of a result. “jurydesk verify” with this file computes every number again.")),
        ...stamps.map(({ name, stamp }) => described(name, stamp)));
    }
    $("origin-text").append(...parts);
  }

  function definition(metric) {
    const direction = { higher: t("Higher is better."), lower: t("Lower is better.") }[metric.better] || t("It ranks no systems.");
    const summary = Language.show(metric.summary);
    return el("details", {}, el("summary", {}, Language.show(metric.title)), el("p", {}, `${summary} ${direction}`), metric.source ? el("p", { class: "remark" }, metric.source) : null);
  }

  function described(name, stamp) {
    const files = [...stamp.references, stamp.submission];
    const bare = (path) => path.split(/[\\/]/).pop();
    const facts = [[t("Made"), stamp.created], [t("Version"), stamp.versions.jurydesk], [t("Device"), stamp.device],
      ...files.map((file) => [file.role, t("{name} · {size} bytes · SHA-256 {hash}", { name: bare(file.path), size: count(file.size), hash: file.sha256 || t("none") })])];
    return el("details", {}, el("summary", {}, `${Language.isolate(name)} (${stamp.profile})`), el("pre", {}, stamp.short),
      el("dl", { class: "facts" }, ...facts.flatMap(([key, value]) => [el("dt", {}, String(key)), el("dd", {}, String(value))])));
  }

  function contents() {
    const parts = [...document.querySelectorAll("main .part")].filter((part) => !part.hidden);
    $("parts").replaceChildren(...parts.map((part, place) => {
      part.id ||= `part-${place}`;
      return el("a", { href: `#${part.id}` }, part.querySelector("h2").textContent);
    }));
  }

  /** Translate what the page has without its scripts, and offer the other language. */
  function language() {
    const other = Data.language === "ru" ? ["en", "English"] : ["ru", "Русский"];
    $("language").append(el("a", { href: `?lang=${other[0]}`, lang: other[0], hreflang: other[0] }, other[1]));
    Language.use(Data.catalogue);
    for (const node of document.querySelectorAll("[data-text]")) node.textContent = Language.show(JSON.parse(node.dataset.text));
    for (const node of document.querySelectorAll("[data-title]")) node.title = Language.show(JSON.parse(node.dataset.title));
    for (const node of holder.querySelectorAll("td.number, td.number :is(b, i), .interval")) {
      for (const part of node.childNodes) {
        if (part.nodeType === Node.TEXT_NODE) part.data = Language.number(part.data);
      }
    }
  }

  async function start() {
    language();
    widen();
    if (table) { sortable(); tools(); note(); }
    origin();
    contents();
    await Promise.all([Plots.start(), Items.start()]);
    contents();
    document.documentElement.dataset.ready = "true";
  }

  return { start };
})();

Page.start();
