"use strict";

/* The board of certificates: checks each signature, and that its row says what was signed. */

const EntryBoard = (() => {
  const data = JSON.parse(document.getElementById("board").textContent);
  const table = document.querySelector("table");
  const digits = (text) => (text.match(/\d+/g) || []).join();

  function add(row, text, kind) {
    const cell = document.createElement(kind);
    cell.textContent = text;
    if (kind === "th") cell.scope = "col";
    row.append(cell);
  }

  /** Return whether the cells of a row say what a certificate says. */
  function isRow(cells, body) {
    const [team, rank] = cells;
    const scores = data.metrics.map((name) => {
      const one = body.scores.find((each) => each.metric === name);
      return !one ? "–" : one.low ? `${one.value} [${one.low}, ${one.high}]` : one.value;
    });
    const [nearest, look, time, entry, remark] = cells.slice(2 + scores.length);
    const { looks, budget } = body.ledger;
    return [
      team === body.team,
      digits(rank) === (body.rank.place ? digits(`${body.rank.place} ${body.rank.of}`) : ""),
      scores.every((text, i) => cells[2 + i] === text),
      nearest.includes(body.rank.nearest),
      digits(look) === (budget ? `${looks},${budget}` : String(looks)),
      time === body.issued,
      entry === body.entry.slice(0, 16),
      remark.endsWith(body.overruled || remark),
      Boolean(remark) === Boolean(body.overruled),
    ].every(Boolean);
  }

  async function verdictOf(row, document) {
    const found = await Signed.verdict("certificate", JSON.stringify(document));
    if (found === "unsupported") return data.says.unsupported;
    const cells = [...row.cells].map((cell) => cell.textContent);
    const isSame = found === "ok" && document.key === data.key && isRow(cells, document.body);
    return isSame ? data.says.valid : data.says.invalid;
  }

  async function check() {
    const rows = table ? [...table.tBodies[0].rows] : [];
    const verdicts = await Promise.all(rows.map((row, i) => verdictOf(row, data.certificates[i])));
    if (rows.length) add(table.tHead.rows[0], data.says.head, "th");
    rows.forEach((row, i) => add(row, verdicts[i], "td"));
    return verdicts;
  }

  return { checked: check() };
})();
