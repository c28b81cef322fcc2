"use strict";

/* Figures of a competition: curves and classes of all systems, and heat maps. */

const Figures = (() => {
  const { WIDTH } = Chart, HEIGHT = Math.min(380, Math.round(WIDTH * 0.75)), LEFT = 52, RIGHT = 14, TOP = 30, BOTTOM = 46;

  function ends(values, limits) {
    if (limits) return limits;
    const known = values.filter((value) => value !== null);
    if (!known.length) return [0, 1];
    return [Math.min(...known), Math.max(...known)];
  }

  const inside = (value, [low, high]) => value >= low && value <= high;

  const axisTitle = (axis) => (axis.unit ? `${Language.show(axis.title)} (${axis.unit})` : Language.show(axis.title));

  /** Return the curves of all systems; the highlighted one has its band. */
  function curve(figure) {
    const lines = figure.lines;
    const xs = ends(lines.flatMap((line) => line.x), figure.x.limits);
    const ys = ends(lines.flatMap((line) => [...line.mean, ...(line.low || []), ...(line.high || [])]), figure.y.limits);
    const x = Chart.scale(xs, [LEFT, WIDTH - RIGHT]);
    const y = Chart.scale(ys, [HEIGHT - BOTTOM, TOP]);
    const drawing = Chart.sheet(WIDTH, HEIGHT, Language.show(figure.title));
    drawing.append(Chart.upwards(y, ys, LEFT, WIDTH - RIGHT, axisTitle(figure.y)),
      Chart.across(x, xs, HEIGHT - BOTTOM, TOP, axisTitle(figure.x), Math.round(WIDTH / 80), figure.x.ticks, figure.x.labels));
    if (figure.diagonal) drawing.append(...diagonal(figure, xs, x, y));
    const marks = lines.map((line, place) => {
      const points = line.x.map((at, i) => [at, line.mean[i]]).filter(([at, value]) => value !== null && inside(at, xs));
      const path = svg("path", { class: "line", d: trace(points, x, y) });
      const wide = svg("path", { d: trace(points, x, y), fill: "none", stroke: "transparent", "stroke-width": 12 });
      const band = line.low ? svg("path", { class: "band", hidden: true, d: around(line, x, y, xs) }) : null;
      const group = svg("g", { class: Chart.hue(place) }, band, path, wide, ...pointsOf(line, x, y));
      Tip.on(wide, () => Data.head.systems[line.system].name);
      return { group, band, system: line.system };
    });
    drawing.append(...marks.map((mark) => mark.group).reverse());
    const shown = (front) => marks.forEach((mark) => {
      mark.group.classList.toggle("quiet", front !== -1 && mark.system !== front);
      if (mark.band) mark.band.toggleAttribute("hidden", mark.system !== front);
      if (mark.system === front) drawing.append(mark.group);
    });
    const hint = figure.band ? t("Choose a system to see its band ({band}).", { band: Language.show(figure.band) }) : "";
    return Chart.card(Language.show(figure.title), hint, drawing,
      lines.length > 1 || hint ? Chart.legend(lines.map((line) => line.system), shown) : null);
  }

  /** Return the named points of a line, such as that of the largest F1. */
  const pointsOf = (line, x, y) => (line.marks || []).map(([title, at, value]) => Tip.on(
    svg("circle", { class: "mark-dot", cx: x(at), cy: y(value), r: 4.5 }),
    () => `${Language.show(title)}\n${Language.isolate(Data.head.systems[line.system].name)}: ${fixed(at, 4)}, ${fixed(value, 4)}`));

  /** Return the line on which both axes are equal, with its name. */
  const diagonal = (figure, [low, high], x, y) => [
    svg("line", { class: "zero", x1: x(low), y1: y(low), x2: x(high), y2: y(high) }),
    svg("text", { x: x(high) - 4, y: y(high) + 14, "text-anchor": "end" }, Language.show(figure.diagonal))];

  const trace = (points, x, y) => points.map(([at, value], i) => `${i ? "L" : "M"}${x(at).toFixed(2)} ${y(value).toFixed(2)}`).join("");

  function around(line, x, y, xs) {
    const known = line.x.map((at, i) => [at, line.low[i], line.high[i]]).filter(([at, low, high]) => low !== null && high !== null && inside(at, xs));
    const there = trace(known.map(([at, , high]) => [at, high]), x, y);
    const back = trace(known.map(([at, low]) => [at, low]).reverse(), x, y).replace(/^M/, "L");
    return known.length ? `${there}${back}Z` : "";
  }

  /** Return the values of named classes with their intervals: a row for each class, a dot for each system. */
  function bars(figure) {
    const { lines } = figure, { NAMES } = Chart, step = 11, gap = 9;
    const names = lines.map((line) => line.labels.map((label) => Language.show(label)));
    const labels = [...new Set(names.flat())];
    const values = lines.flatMap((line) => [...line.mean, ...(line.low || []), ...(line.high || [])]);
    const span = ends(values, figure.y.limits), row = lines.length * step + gap;
    const bottom = TOP + labels.length * row, x = Chart.scale(span, [NAMES, WIDTH - RIGHT]);
    const drawing = Chart.sheet(WIDTH, bottom + 40, Language.show(figure.title));
    drawing.append(Chart.across(x, span, bottom, TOP, axisTitle(figure.y)));
    labels.forEach((label, i) => drawing.append(svg("text", { class: "name", x: NAMES - 12, y: TOP + i * row + row / 2 + 4, "text-anchor": "end" },
      Chart.fitted(label, NAMES - 14))));
    const groups = lines.map((line, place) => {
      const group = svg("g", { class: Chart.hue(place) });
      names[place].forEach((label, j) => {
        const value = line.mean[j], [low, high] = [line.low?.[j] ?? null, line.high?.[j] ?? null];
        if (value === null) return;
        const y = TOP + labels.indexOf(label) * row + gap / 2 + (place + 0.5) * step;
        const ends = low === null ? "" : ` ${t("({low} to {high})", { low: fixed(low, 4), high: fixed(high, 4) })}`;
        const text = `${label}\n${Language.isolate(Data.head.systems[line.system].name)}: ${fixed(value, 4)}${ends}`;
        group.append(Tip.on(svg("g", {},
          svg("rect", { x: NAMES, y: y - step / 2, width: WIDTH - RIGHT - NAMES, height: step, fill: "transparent" }),
          low === null ? null : svg("line", { class: "mark-line", x1: x(low), x2: x(high), y1: y, y2: y }),
          svg("circle", { class: "mark-dot", cx: x(value), cy: y, r: 3.5 })), () => text));
      });
      return group;
    });
    drawing.append(...groups);
    const shown = (front) => groups.forEach((group, place) => group.classList.toggle("quiet", front !== -1 && lines[place].system !== front));
    return Chart.card(Language.show(figure.title), Language.show(figure.band), drawing,
      lines.length > 1 ? Chart.legend(lines.map((line) => line.system), shown) : null);
  }

  // Viridis at nine points (van der Walt and Smith, 2015), interpolated linearly.
  const VIRIDIS = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]];

  function viridis(share) {
    const at = Math.max(0, Math.min(1, share)) * (VIRIDIS.length - 1);
    const low = Math.min(Math.floor(at), VIRIDIS.length - 2);
    return VIRIDIS[low].map((part, i) => Math.round(part + (VIRIDIS[low + 1][i] - part) * (at - low)));
  }

  /** Return the heat map; colours are scaled by the square root over all systems. */
  function heatmap(figure) {
    const all = figure.maps.flatMap((map) => [...map.values.flat(), ...(map.lead || [])]).filter((value) => value !== null);
    const most = Math.max(...all, 1e-9);
    const holder = el("div", {});
    const names = figure.maps.map((map) => Data.head.systems[map.system].name);
    const draw = (place) => holder.replaceChildren(matrix(figure, figure.maps[place], most, names[place]));
    draw(0);
    const tools = names.length > 1 ? picker(t("System"), names, draw) : null;
    return Chart.card(Language.show(figure.title), "", tools, holder);
  }

  function matrix(figure, map, most, name) {
    const rows = map.values.length, columns = map.values[0].length;
    const lead = map.lead ? 1 : 0, gap = lead ? 14 : 0, left = 62, top = 8;
    const width = (WIDTH - left - RIGHT - gap) / (columns + lead), height = 46;
    const drawing = Chart.sheet(WIDTH, top + rows * height + 44, `${Language.show(figure.title)}: ${Language.isolate(name)}`);
    const labels = (axis, i) => axis.labels[i] ?? (axis.ticks[i] === undefined ? String(i + 1) : Chart.short(axis.ticks[i]));
    const place = (column) => left + column * width + (column >= lead && lead ? gap : 0);
    for (let i = 0; i < rows; i += 1) {
      // The lowest row of the axis is at the bottom.
      const y = top + (rows - 1 - i) * height;
      const cells = [...(lead ? [map.lead[i]] : []), ...map.values[i]];
      cells.forEach((value, j) => drawing.append(cell(place(j), y, width, height, value, most, figure.decimals)));
      drawing.append(svg("text", { x: left - 8, y: y + height / 2 + 4, "text-anchor": "end" }, labels(figure.y, i)));
    }
    const below = top + rows * height + 17;
    const texts = Array.from({ length: columns }, (_, j) => labels(figure.x, j));
    const step = texts.some((text) => Chart.length(text) > width - 5) ? 2 : 1;
    for (let j = 0; j < columns + lead; j += 1) {
      if (j >= lead && (j - lead) % step) continue;
      const text = j < lead ? Language.show(figure.lead_label) : texts[j - lead];
      drawing.append(svg("text", { x: place(j) + width / 2, y: below, "text-anchor": "middle" }, text));
    }
    drawing.append(svg("text", { x: WIDTH - RIGHT, y: below + 18, "text-anchor": "end" }, axisTitle(figure.x)),
      svg("text", { x: 2, y: top + 12 }, axisTitle(figure.y)));
    return drawing;
  }

  function cell(x, y, width, height, value, most, decimals) {
    const colour = viridis(Math.sqrt(Math.max(0, value ?? 0) / most));
    const [r, g, b] = colour.map((part) => (part / 255) ** 2.2);
    const ink = 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.25 ? "#000" : "#fff";
    const number = svg("text", { x: x + width / 2, y: y + height / 2 + 5, "text-anchor": "middle" }, fixed(value, width < 40 ? Math.min(2, decimals) : decimals));
    number.style.fill = ink;
    const known = value !== null;
    const box = svg("rect", { x: x + 1, y: y + 1, width: width - 2, height: height - 2, rx: 3, fill: known ? `rgb(${colour})` : "none" });
    return svg("g", {}, box, number);
  }

  const draw = (figure) => ({ curve, bars, heatmap })[figure.kind](figure);
  return { draw };
})();
