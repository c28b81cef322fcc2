"use strict";

/* Items: a table with search and sorting, and the details of one item for all systems. */

const Items = (() => {
  const PAGE = 50;
  const { systems, items: about } = Data.head;
  let ids, columns, shown = 0, order = [], sorting = { by: "valueRange", down: true }, page = 0, query = "", opened = -1;

  const column = () => columns[shown];
  const title = (one) => Language.show(one.title);
  const noun = (index) => Language.show(about.nouns[index]);
  const value = (system, item) => column().values[system][item];
  const present = () => systems.map((_, place) => place).filter((place) => columns.some((one) => one.values[place].some((known) => known !== null)));

  /** Return the range of the systems' values of an item. */
  function valueRange(item) {
    let low = Infinity, high = -Infinity;
    for (const row of column().values) {
      const known = row[item];
      if (known === null) continue;
      if (known < low) low = known;
      if (known > high) high = known;
    }
    return high >= low ? high - low : null;
  }

  const key = (by) => (by === "id" ? (item) => ids[item] : by === "valueRange" ? valueRange : (item) => value(by, item));

  async function arrange() {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    let kept = ids.map((_, item) => item);
    if (words.length) {
      const texts = await Data.searchable(ids);
      kept = kept.filter((item) => words.every((word) => texts[item].includes(word)));
    }
    const { by, down } = sorting, of = key(by);
    const keys = new Map(kept.map((item) => [item, of(item)]));
    const compare = new Intl.Collator("en", { numeric: true }).compare;
    order = kept.sort((one, other) => {
      const [a, b] = [keys.get(one), keys.get(other)];
      if (a === null || b === null) return (a === null) - (b === null) || one - other;
      const found = by === "id" ? compare(a, b) : a - b;
      return (down ? -found : found) || one - other;
    });
    page = 0;
    draw();
  }

  function heading(title, by, shown = title) {
    const on = sorting.by === by;
    const button = el("button", { type: "button", title: visible(title), onclick: () => {
      sorting = { by, down: on ? !sorting.down : by !== "id" };
      arrange().then(() => $("item-table").querySelector("[aria-sort] button").focus());
    } }, shown);
    return el("th", { scope: "col", class: by === "id" ? null : "number", "aria-sort": on ? (sorting.down ? "descending" : "ascending") : null }, button);
  }

  function draw() {
    const own = present(), { decimals, span: [low, high], better } = column();
    const heads = [heading(capital(noun(0)), "id"), heading(t("Range"), "valueRange"), ...own.map((place) => heading(systems[place].name, place, Chart.fitted(systems[place].name, 104)))];
    const rows = order.slice(page * PAGE, (page + 1) * PAGE).map((item) => {
      const known = own.map((place) => value(place, item)).filter((number) => number !== null);
      const [least, most] = [Math.min(...known), Math.max(...known)];
      const best = known.length > 1 && least < most ? (better === "lower" ? least : most) : null;
      const cells = own.map((place) => {
        const number = value(place, item);
        const text = fixed(number, decimals);
        const cell = el("td", { class: "number" }, number !== null && number === best ? el("b", {}, text) : text);
        if (number !== null) cell.style.setProperty("--v", String((number - low) / (high - low || 1)));
        return cell;
      });
      const name = el("button", { type: "button", title: visible(ids[item]), onclick: () => open(item) }, ids[item]);
      return el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "number" }, fixed(valueRange(item), decimals)), ...cells);
    });
    const caption = el("caption", { class: "hidden" }, t("{items} by {metric}", { items: capital(noun(1)), metric: title(column()) }));
    $("item-table").replaceChildren(el("table", {}, caption, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)));
    pager();
  }

  const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

  function pager() {
    const last = Math.max(0, Math.ceil(order.length / PAGE) - 1);
    const go = (to, id) => () => { page = to; draw(); $(id).focus(); };
    const first = order.length ? page * PAGE + 1 : 0;
    const until = count(Math.min(order.length, (page + 1) * PAGE));
    const text = t("{first}–{last} of {count}", { first: count(first), last: until, count: count(order.length) });
    const left = about.count < about.of
      ? ` ${t("(the {count} of {all} on which systems differ most)", { count: count(about.count), all: count(about.of) })}` : "";
    $("item-pages").replaceChildren(
      el("button", { type: "button", id: "page-back", disabled: page === 0, onclick: go(page - 1, "page-back") }, t("Back")),
      el("button", { type: "button", id: "page-on", disabled: page >= last, onclick: go(page + 1, "page-on") }, t("More")),
      el("span", { role: "status" }, `${text}${left}`));
  }

  // One item

  async function open(item) {
    opened = item;
    const texts = await Data.texts(item);
    $("item-name").textContent = visible(ids[item]);
    const shared = texts ? texts[0] : [];
    const body = [
      shared.length ? el("section", { class: "card one shared" }, ...shared.map(passage)) : null,
      el("div", { class: "systems" }, ...byValue(item).map((place) => system(place, item, texts))),
      texts ? null : el("p", { class: "remark" }, about.with_texts ? t("The report does not contain the texts of this item; the desk does.") : t("The report contains no texts of items; the numbers are above.")),
    ];
    $("item-body").replaceChildren(...body.filter(Boolean));
    const at = order.indexOf(item);
    $("item-previous").disabled = at <= 0;
    $("item-next").disabled = at < 0 || at >= order.length - 1;
    if (!$("item").open) $("item").showModal();
    $("item-name").focus();
    $("item").scrollTop = 0;
  }

  /** Return the systems ordered by their value of the item, best first. */
  function byValue(item) {
    const sign = column().better === "lower" ? 1 : -1;
    const of = (place) => value(place, item);
    return present().sort((one, other) => (of(one) === null) - (of(other) === null) || sign * ((of(one) ?? 0) - (of(other) ?? 0)) || one - other);
  }

  function system(place, item, texts) {
    const own = texts ? texts[1][place] : null;
    const values = columns.filter((one) => one.values[place][item] !== null);
    const text = values.map((one, i) => [i ? " · " : "", `${title(one)} `, el("b", {}, fixed(one.values[place][item], one.decimals))]).flat();
    return el("section", { class: "card one" },
      el("div", { class: "row" }, el("h3", {}, systems[place].name)), el("p", { class: "values" }, ...text),
      ...(own || []).map(passage), own || !texts ? null : el("p", { class: "remark" }, t("This system has no texts here.")));
  }

  function passage([head, text, note]) {
    const lines = text.includes("\n") && text.length > 60;
    return el("div", {}, el("h4", {}, Language.show(head)), el("p", { class: lines ? "passage lines" : "passage", dir: "auto" }, text), note ? el("p", { class: "remark" }, Language.show(note)) : null);
  }

  function step(by) {
    const at = order.indexOf(opened) + by;
    if (at < 0 || at >= order.length) return;
    page = Math.floor(at / PAGE);
    draw();
    open(order[at]);
  }

  function tools() {
    const hint = t("Find {items} by their words", { items: noun(1) });
    const search = el("input", { type: "search", size: hint.length + 2, placeholder: hint, "aria-label": t("Find {items}", { items: noun(1) }) });
    let waiting = 0;
    search.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { query = search.value; arrange(); }, 200);
    });
    const names = columns.map(title);
    $("item-tools").append(search, ...(names.length > 1 ? [picker(t("Metric"), names, (index) => { shown = index; arrange(); })] : []));
  }

  async function start() {
    if (!about) return;
    $("items").hidden = false;
    $("items-title").textContent = capital(noun(1));
    if (!Data.able) {
      $("item-table").replaceChildren(el("p", {}, t("This browser is too old to unpack the items: any of 2023 or later does.")));
      return;
    }
    ({ ids, columns } = await Data.numbers());
    if (!columns.length) { $("items").hidden = true; return; }
    tools();
    await arrange();
    $("item-previous").addEventListener("click", () => step(-1));
    $("item-next").addEventListener("click", () => step(1));
    $("item-close").addEventListener("click", () => $("item").close());
    $("item").addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "ArrowLeft" || event.key === "k") step(-1);
      else if (event.key === "ArrowRight" || event.key === "j") step(1);
    });
    $("item").addEventListener("close", () => {
      const at = order.indexOf(opened) % PAGE;
      $("item-table").querySelectorAll("tbody th button")[at]?.focus();
    });
  }

  return { start };
})();
