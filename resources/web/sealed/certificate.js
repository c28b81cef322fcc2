"use strict";

/* The page of a certificate: checks its signature without a network, and shows all text as text. */

const CertificatePage = (() => {
  const LANGUAGES = [["en", "English"], ["ru", "Русский"]];
  const VERDICTS = {
    ok: t("The signature is valid."),
    altered: t("It was altered after it was signed."),
    "weak key": t("Its key is weak: any text would seem to be signed with it."),
    "wrong length": t("Its key or its signature has a wrong length."),
    "another kind of document": t("It is another kind of document."),
    "floats are not signed": t("It has numbers that cannot be signed."),
    unsupported: t("The signature cannot be checked here: the page was not opened from a file or by https."),
  };
  const COMPARED = {
    better: "better than {system}",
    worse: "worse than {system}",
    "not significant": "no significant difference from {system}",
  };
  const at = (id) => document.getElementById(id);
  const page = JSON.parse(at("page").textContent);
  const source = at("certificate").textContent;
  let [found, key, words] = ["", "", ""];

  function element(tag, text, kind) {
    const made = document.createElement(tag);
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }

  function theme(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    at("theme").textContent = dark ? t("Light") : t("Dark");
  }

  function language(code) {
    Language.use(page.languages[code]);
    [at("language").lang, at("language").textContent] = LANGUAGES.find(([one]) => one !== code);
    theme(document.documentElement.dataset.theme === "dark");
    show();
  }

  /** Show the verdict, and what was signed if the signature is valid or cannot be checked here. */
  function show() {
    if (!found) return;
    at("verdict").textContent = Language.show(VERDICTS[found]);
    at("verdict").className = found === "ok" ? "good" : found === "unsupported" ? "warn" : "bad";
    if (found !== "ok" && found !== "unsupported") return;
    const body = JSON.parse(source).body;
    at("competition").textContent = body.competition;
    document.title = t("Certificate – {title}", { title: body.competition });
    at("scores").replaceChildren(...scoreRows(body));
    at("remarks").textContent = remarks(body).join(" ");
    at("facts").replaceChildren(...facts(body).flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
  }

  function scoreRows(body) {
    const limits = (one) => (one.low ? `[${one.low}, ${one.high}]` : "–");
    const rows = body.scores.map((one) => [one.metric, one.value, limits(one), one.step || "–"]);
    const heads = [t("metric"), t("score"), t("interval"), t("rounded to")];
    return [heads, ...rows].map((cells, i) => {
      const row = document.createElement("tr");
      row.append(...cells.map((text) => element(i ? "td" : "th", text)));
      return row;
    });
  }

  function remarks(body) {
    const { rank: { place, of, nearest, compared }, ledger: { looks, budget } } = body;
    const against = COMPARED[compared] ? t(COMPARED[compared], { system: nearest }) : "";
    return [
      place ? t("Rank {place} of {of}.", { place: place.replace("-", "–"), of: String(of) }) : "",
      against ? t("Against the nearest published system: {comparison}.", { comparison: against }) : "",
      budget ? t("Look {look} of {budget}.", { look: String(looks), budget: String(budget) }) : t("Look {look}.", { look: String(looks) }),
      body.counts ? "" : t("It was no new best: the scores are those of number {number}.", { number: String(body.best) }),
      body.overruled ? t("It was scored beyond the policy: {reason}", { reason: body.overruled }) : "",
    ].filter(Boolean);
  }

  function facts(body) {
    return [
      [t("Team"), body.team],
      [t("Statement of the team"), body.statement],
      [t("Time of the ledger"), body.issued],
      [t("Number of the ledger"), `${body.ledger.number} (${body.ledger.hash})`],
      [t("Entry"), body.entry],
      [t("Kit"), body.reference],
      [t("Profile"), body.profile],
      [t("Stamp"), body.stamp],
      [t("Organiser's key"), key && `${key} (${words})`],
    ].filter(([, value]) => value);
  }

  async function check() {
    const verdict = await Signed.verdict("certificate", source);
    if (verdict === "ok") {
      const bytes = Signed.decode(JSON.parse(source).key);
      [key, words] = [await Signed.keyText(bytes), await Signed.keyWords(bytes)];
    }
    found = verdict;
    show();
  }

  language(page.language);
  theme(window.matchMedia("(prefers-color-scheme: dark)").matches);
  at("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));
  at("language").addEventListener("click", () => language(at("language").lang));
  return { checked: check() };
})();
