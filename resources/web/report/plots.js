"use strict";

/* Plots of the board: intervals of a metric, significant differences, values of items. */

const Plots = (() => {
  const { WIDTH, NAMES } = Chart, RIGHT = 20, TOP = 10, ROW = 24;
  const systems = Data.head.systems;
  const title = (info) => Language.show(info.title);

  /** Return the scores of a metric with their intervals, in the order of the board. */
  function intervals(metric) {
    const info = Data.head.metrics[metric];
    const rows = systems.map((system, place) => [place, system.scores[metric]]).filter(([, score]) => score);
    const known = rows.flatMap(([, score]) => score).filter((value) => value !== null);
    const margin = (Math.max(...known) - Math.min(...known)) * 0.04 || 0.5;
    const span = [Math.min(...known) - margin, Math.max(...known) + margin];
    const bottom = TOP + rows.length * ROW;
    const x = Chart.scale(span, [NAMES, WIDTH - RIGHT]);
    const drawing = Chart.sheet(WIDTH, bottom + 40, t("Intervals of {metric}", { metric: title(info) }));
    drawing.append(Chart.across(x, span, bottom, TOP, title(info)));
    rows.forEach(([place, [value, low, high]], i) => {
      const y = TOP + i * ROW + ROW / 2;
      const ends = low === null ? "" : ` ${t("({low} to {high})", { low: fixed(low, info.decimals), high: fixed(high, info.decimals) })}`;
      const text = `${Language.isolate(systems[place].name)}: ${fixed(value, info.decimals)}${ends}`;
      drawing.append(Tip.on(svg("g", { class: "c0" },
        svg("rect", { x: 0, y: y - ROW / 2, width: WIDTH, height: ROW, fill: "transparent" }),
        svg("text", { class: "name", x: NAMES - 12, y: y + 4, "text-anchor": "end" }, Chart.fitted(systems[place].name, NAMES - 14)),
        low === null ? null : svg("line", { class: "mark-line", x1: x(low), x2: x(high), y1: y, y2: y }),
        svg("circle", { class: "mark-dot", cx: x(value), cy: y, r: 4.5 })), () => text));
    });
    return drawing;
  }

  /** Return the matrix of all pairs: large dots for significant differences. */
  function pairs(found) {
    const { tests, level, claims } = found;
    const own = [...new Set(found.systems)].sort((one, other) => one - other);
    const places = new Map(own.map((system, place) => [system, place]));
    const info = Data.head.metrics.find((metric) => metric.name === found.metric);
    const size = Math.min(30, (WIDTH - NAMES - RIGHT) / own.length), height = Math.max(15, size), top = 30;
    const step = size < 18 ? 5 : 1;
    const drawing = Chart.sheet(WIDTH, top + own.length * height + 8, t("Which systems differ significantly"));
    own.forEach((system, i) => {
      const y = top + i * height + height / 2;
      drawing.append(svg("text", { class: "name", x: NAMES - 12, y: y + 4, "text-anchor": "end" }, `${Language.isolate(Chart.fitted(systems[system].name, NAMES - 38))}  ${i + 1}`),
        i && (i + 1) % step ? "" : svg("text", { x: NAMES + i * size + size / 2, y: top - 10, "text-anchor": "middle" }, String(i + 1)),
        svg("line", { class: "guide", x1: NAMES, x2: NAMES + own.length * size, y1: y, y2: y }));
    });
    const dot = (row, column, difference, p, method) => {
      const better = info.better === "lower" ? -difference : difference;
      const isSignificant = claims && p !== null && p < 1 - level;
      const kind = !isSignificant ? "even" : better > 0 ? "ahead" : "behind";
      const names = t("{first} less {second}", { first: systems[own[row]].name, second: systems[own[column]].name });
      const shown = Language.number(p < 0.001 ? "p < 0.001" : `p = ${(p || 0).toFixed(3)}`);
      const words = { p: shown, method: Language.show(found.methods[method]), family: Language.show(found.family) };
      const said = tests.length > 1 ? t("{p}, {method}, corrected over the {family}", words) : t("{p} ({method}, {family})", words);
      const chance = p === null ? t("not tested") : said;
      const text = `${names}: ${fixed(difference, info.decimals)}\n${chance}`;
      drawing.append(Tip.on(svg("g", {},
        svg("rect", { x: NAMES + column * size, y: top + row * height, width: size, height, fill: "transparent" }),
        svg("circle", { class: kind, cx: NAMES + column * size + size / 2, cy: top + row * height + height / 2, r: (isSignificant ? 0.3 : 0.12) * size })), () => text));
    };
    for (const [first, second, difference, p, method] of tests) {
      const [i, j] = [places.get(first), places.get(second)];
      if (i === undefined || j === undefined || difference === null) continue;
      dot(i, j, difference, p, method);
      dot(j, i, -difference, p, method);
    }
    const sentence = t("Large dots: the row is ahead (first colour) or behind (second) at {percent} %, by {method} with the correction of {correction}, over {size}.", {
      percent: 100 * level, method: Language.show(found.methods[0]),
      correction: Language.show(found.correction), size: Language.show(found.size),
    });
    return Chart.card(t("Significant differences in {metric}", { metric: title(info) }), sentence, drawing);
  }

  /** Return the distribution of item values: one histogram for each system. */
  function spread(column) {
    const [low, high] = column.span;
    const bins = 48, rows = column.values.map((values, place) => [place, counted(values, low, high, bins)]).filter(([, found]) => found.n);
    const lift = 26, hill = 40, bottom = TOP + hill + rows.length * lift;
    const x = Chart.scale([low, high], [NAMES, WIDTH - RIGHT]);
    const most = Math.max(...rows.map(([, found]) => Math.max(...found.shares)));
    const drawing = Chart.sheet(WIDTH, bottom + 40, t("Values of {metric}", { metric: title(column) }));
    drawing.append(Chart.across(x, [low, high], bottom, TOP + hill, title(column)));
    rows.forEach(([place, found], i) => {
      const base = TOP + hill + (i + 1) * lift;
      const y = (share) => base - (share / most) * (hill + lift - 8);
      const at = (bin) => x(low + ((high - low) * (bin + 0.5)) / bins).toFixed(1);
      const path = found.shares.map((share, bin) => `L${at(bin)} ${y(share).toFixed(1)}`).join("");
      const text = t("{system}: mean {mean}, median {median} of {count}", {
        system: systems[place].name, mean: fixed(found.mean, column.decimals),
        median: fixed(found.median, column.decimals), count: count(found.n),
      });
      drawing.append(Tip.on(svg("g", { class: "c0" },
        svg("path", { class: "hill", d: `M${x(low)} ${base}${path}L${x(high)} ${base}Z` }),
        svg("line", { class: "tick", x1: x(found.median), x2: x(found.median), y1: base - 9, y2: base }),
        svg("text", { class: "name", x: NAMES - 12, y: base - 2, "text-anchor": "end" }, Chart.fitted(systems[place].name, NAMES - 14))), () => text));
    });
    return drawing;
  }

  function counted(values, low, high, bins) {
    const known = values ? values.filter((value) => value !== null).sort((one, other) => one - other) : [];
    const shares = new Array(bins).fill(0);
    for (const value of known) shares[Math.min(bins - 1, Math.floor(((value - low) / (high - low || 1)) * bins))] += 1 / known.length;
    const mean = known.reduce((sum, value) => sum + value, 0) / (known.length || 1);
    return { n: known.length, shares, mean, median: known.length ? known[Math.floor((known.length - 1) / 2)] : null };
  }

  /** Return a plot of one of several metrics, with its selector. */
  function chosen(title, sentence, names, draw, first = 0) {
    const holder = el("div", {});
    const show = (index) => holder.replaceChildren(draw(index));
    show(first);
    return Chart.card(title, sentence, names.length > 1 ? picker(t("Metric"), names, show, first) : null, holder);
  }

  async function start() {
    const cards = $("plot-cards"), { head } = Data;
    const ranking = head.metrics.map((info, place) => [info, place])
      .filter(([info, place]) => info.better !== "neither" && systems.some((system) => system.scores[place]));
    const first = Math.max(0, ranking.findIndex(([info]) => info.name === head.headline));
    if (ranking.length) {
      cards.append(chosen(t("Intervals"), "", ranking.map(([info]) => title(info)), (index) => intervals(ranking[index][1]), first));
    }
    head.pairs.filter((found) => found.tests.length).forEach((found) => cards.append(pairs(found)));
    head.figures.forEach((figure) => cards.append(Figures.draw(figure)));
    $("plots").hidden = !cards.children.length;
    if (!head.items || !Data.able) return;
    const { columns } = await Data.numbers();
    if (!columns.length) return;
    cards.append(chosen(t("Values of the items"), t("The mark below each hill is the median."), columns.map(title), (index) => spread(columns[index])));
    $("plots").hidden = false;
  }

  return { start };
})();
