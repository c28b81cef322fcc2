"use strict";

/* The rating page. It shows the views of a `judge` and asks it for five actions:
 * `do(act, item, question, value, seconds)`, with the acts answer, undo, skip, next and previous,
 * gives a promise of {saved, view, why}. Text from files reaches the page as text nodes alone. */

const Rating = (() => {
  const $ = (id) => document.getElementById(id);
  const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
  const makeKeys = () => [
    ["1–5", t("answer the statement in front")],
    [t("↑ ↓ or Tab"), t("choose a statement")],
    [t("Enter or →"), t("go on, when all statements are answered")],
    ["←", t("go back")],
    [t("U or Ctrl+Z"), t("undo the last answer")],
    ["S", t("skip: it comes again at the end")],
    ["+ −", t("larger and smaller text")],
    ["?", t("these keys and the instructions")],
  ];
  const SIZES = [80, 90, 100, 110, 125, 150, 175, 200];

  let judge, packet, view, shown = "", current = "", picked = {}, since = 0, photo = 0;
  let size = 2, work = Promise.resolve(), painted = true, painting = Promise.resolve();

  /** Return an element with attributes and children; strings become text nodes. */
  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "onclick") made.addEventListener("click", value);
      else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  /** Return the text with invisible control characters made visible. */
  function visible(text) {
    return text.replace(HIDDEN, (letter) => {
      const code = letter.codePointAt(0);
      if (code < 0x20) return String.fromCodePoint(0x2400 + code);
      return `⟦U+${code.toString(16).toUpperCase().padStart(4, "0")}⟧`;
    });
  }

  const STORIES = { entry: ["story", "stories"], picture: ["photo", "photos"] };
  const words = () => packet.words || STORIES;
  const wait = () => t("Wait until the {pictures} are shown.", { pictures: words().picture[1] });
  const capital = (text) => text[0].toUpperCase() + text.slice(1);

  const asked = () => packet.questionnaire.questions;
  const question = (id) => asked().find((one) => one.id === id);

  // Actions, executed one after the other in the order of the keys

  function act(name, makeQuestion = () => "", makeValue = () => null) {
    work = work.then(async () => {
      if (name === "answer" && !painted) {
        say(wait());
        return;
      }
      const id = makeQuestion();
      const value = makeValue(id);
      if (value === undefined) return;
      const now = performance.now();
      const seconds = Math.round(now - since) / 1000;
      const reply = await judge.do(name, view.item, id, value, seconds);
      if (reply.saved) since = now;
      receive(reply, name);
    }).catch((fault) => say(t("The answer was not saved: {reason}", { reason: fault.message || fault })));
  }

  function receive(reply, name) {
    view = reply.view || view;
    current = reply.saved ? view.current : current;
    if (reply.saved && (name === "answer" || name === "undo")) picked = {};
    show();
    $("saved").textContent = reply.saved ? t("✓ saved") : "";
    say(reply.saved ? "" : Language.show(reply.why || "") || refusal(name));
  }

  function refusal(name) {
    if (name === "next" && view.item) {
      return t("Answer every statement first, or press S to skip the {entry}.", { entry: words().entry[0] });
    }
    if (name === "skip") return t("This is the last {entry}: it cannot be skipped.", { entry: words().entry[0] });
    if (name === "undo") return t("There is no answer to undo.");
    return "";
  }

  function say(text) {
    $("message").textContent = text;
  }

  const answer = (id, value) => act("answer", () => id, () => value);
  const go = (target = null) => act("next", () => "", () => target);

  /** Answer the current question with a digit; best-worst needs two. */
  function digit(number) {
    act("answer", () => current, (id) => {
      const one = question(id);
      if (!one || one.kind === "comment") return undefined;
      const most = one.kind === "likert" ? packet.questionnaire.scale.length : packet.questionnaire.stories;
      if (number > most || (number === 0 && !(one.kind === "pairwise" && one.tie))) return undefined;
      return one.kind === "best-worst" ? bestWorst(one, "best" in picked ? "worst" : "best", number) : number;
    });
  }

  /** Return the pair once both are chosen; before, show the choice and return undefined. */
  function bestWorst(one, side, number) {
    const [best, worst] = view.answers[one.id] || [];
    const fresh = Object.keys(picked).length === 0;
    if (fresh && best !== undefined) picked = side === "best" ? { worst } : { best };
    picked[side] = number;
    if (picked.best === picked.worst) delete picked[side === "best" ? "worst" : "best"];
    showQuestions();
    return picked.best && picked.worst ? [picked.best, picked.worst] : undefined;
  }

  // Display

  function show() {
    const fresh = view.item !== shown;
    shown = view.item;
    $("rating").hidden = !view.item;
    $("review").hidden = Boolean(view.item);
    $("practice").hidden = !(view.item && view.content.practice);
    $("place").textContent = view.item
      ? t("{place} of {total}", { place: view.place + 1, total: view.total })
      : t("{done} of {total} done", { done: view.done, total: view.total });
    if (view.item) {
      if (fresh) {
        picked = {};
        showContent();
      }
      showQuestions();
      if (!fresh) document.querySelector(".question.current").scrollIntoView({ block: "nearest" });
      $("skip").hidden = view.reviewing;
      mark($("next"), view.complete || view.reviewing);
      mark($("previous"), view.place > 0);
    } else {
      showReview(fresh);
    }
    const { number } = view;
    painting.then(() => {
      if (view.number === number) document.documentElement.dataset.ready = String(number);
    });
  }

  function mark(button, possible) {
    button.setAttribute("aria-disabled", String(!possible));
  }

  /** Return the pictures of the item and of its entries, in the order of the page. */
  const pictures = () => [view.content.photos, ...(view.content.pictures || [])].flat();
  const picture = (i) => t("{picture} {number} of {total}", {
    picture: capital(words().picture[0]), number: i + 1, total: pictures().length,
  });

  function showContent() {
    const { photos, stories, context = [], pictures: own = [] } = view.content;
    const tiles = pictures().map((one, i) => element("li", {}, tile(one, i)));
    $("photos").replaceChildren(...tiles.splice(0, photos.length));
    $("context").replaceChildren(...context.flatMap(([title, text]) =>
      [element("dt", {}, visible(title)), element("dd", { dir: "auto" }, visible(text))]));
    const several = stories.length > 1;
    $("stories").classList.toggle("several", several);
    $("stories").replaceChildren(...stories.map((text, i) => {
      const name = several ? `${capital(words().entry[0])} ${i + 1}` : capital(words().entry[0]);
      const box = element("article", { "aria-label": name });
      if (several || context.length) {
        box.append(element("p", { class: "story-name", "aria-hidden": "true" }, name));
      }
      const shown = tiles.splice(0, (own[i] || []).length);
      if (shown.length) {
        box.append(element("ol", { class: "pictures", "aria-label": words().picture[1] }, ...shown));
      }
      if (text || !shown.length) {
        const part = element("p", { class: text ? "story" : "story empty", dir: "auto", tabindex: "-1" });
        part.textContent = text ? visible(text) : t("(empty)");
        box.append(part);
      }
      return box;
    }));
    $("missing").hidden = pictures().every((one) => one.src);
    document.querySelector("main").scrollTop = 0;
    paint();
  }

  /** Enable the answers once their pictures have been shown. */
  function paint() {
    const item = view.item;
    const images = [...document.querySelectorAll(".pictures img")];
    painted = images.length === 0;
    if (!painted) delete document.documentElement.dataset.ready;
    painting = Promise.allSettled(images.map((image) => image.decode())).then(() => {
      if (view.item !== item) return;
      painted = true;
      if ($("message").textContent === wait()) say("");
    });
  }

  function tile(one, i) {
    const name = picture(i);
    const number = element("span", { class: "number", "aria-hidden": "true" }, String(i + 1));
    if (!one.src) {
      const label = t("{picture} is missing: {name}", { picture: name, name: visible(one.missing) });
      return element("div", { class: "gap", role: "img", "aria-label": label },
        t("{picture} missing: {name}", { picture: capital(words().picture[0]), name: visible(one.missing) }), number);
    }
    const button = element("button", { type: "button", "aria-label": t("{picture}, enlarge", { picture: name }), onclick: () => enlarge(i) });
    const image = element("img", { alt: "" });
    image.src = one.src;
    button.append(image, number);
    return button;
  }

  function showQuestions() {
    const inside = $("questions").contains(document.activeElement);
    $("questions").replaceChildren(...asked().map(row));
    if (inside) choose(current, true, { preventScroll: true });
    const missing = "photos-missing" in view.answers;
    $("missing").setAttribute("aria-pressed", String(missing));
    showEnds();
  }

  /** Show what the ends of the current scale mean beside Next, where the scale may be out of sight. */
  function showEnds() {
    const { scale: labels } = packet.questionnaire;
    $("ends").textContent = question(current)?.kind === "likert"
      ? `1 ${labels[0].toLowerCase()} – ${labels.length} ${labels.at(-1).toLowerCase()}` : "";
  }

  function row(one, i) {
    const id = `statement-${one.id}`;
    const label = element("span", { class: "statement", id, title: one.help },
      element("span", { "aria-hidden": "true" }, String(i + 1)), element("span", {}, one.statement));
    const made = element("div", {
      class: one.id === current ? "question current" : "question",
      role: "group",
      "aria-labelledby": id,
      "data-question": one.id,
    }, label, field(one));
    if (one.id === current) made.setAttribute("aria-current", "true");
    made.addEventListener("focusin", () => choose(one.id, false));
    made.addEventListener("click", () => choose(one.id, false));
    return made;
  }

  function field(one) {
    const value = view.answers[one.id];
    if (one.kind === "comment") return comment(one, value || "");
    if (one.kind === "best-worst") {
      const [best, worst] = value || [];
      const chosen = { best: picked.best || (picked.worst ? 0 : best), worst: picked.worst || (picked.best ? 0 : worst) };
      return element("div", { class: "scales" }, ...["best", "worst"].map((side) =>
        scale(one, storyNames(), chosen[side], (n) => act("answer", () => one.id, () => bestWorst(one, side, n)), side === "best" ? t("best") : t("worst"))));
    }
    const labels = one.kind === "likert" ? packet.questionnaire.scale : storyNames();
    return scale(one, labels, value, (n) => answer(one.id, n), "");
  }

  const storyNames = () => view.content.stories.map((_, i) => `${capital(words().entry[0])} ${i + 1}`);

  function scale(one, labels, value, choose, side) {
    const tie = one.kind === "pairwise" && one.tie;
    const stop = value || (tie && value === 0 ? 0 : 1);
    const choices = [...labels.map((label, i) => [i + 1, label]), ...(tie ? [[0, tie]] : [])];
    const buttons = choices.map(([number, label]) => element("button", {
      type: "button",
      "aria-pressed": String(value === number),
      "aria-label": `${side ? `${side}: ` : ""}${number}, ${label}`,
      title: label,
      tabindex: number === stop ? "0" : "-1",
      onclick: () => choose(number),
    }, String(number)));
    const word = (text, kind) => element("span", { class: kind, "aria-hidden": "true" }, text);
    const [first, last] = one.kind === "likert"
      ? [labels[0], labels.at(-1)].map((label) => word(label.toLowerCase(), "end")) : [];
    const name = side ? word(side, "side") : first;
    const end = tie ? word(`0: ${tie}`, "end") : last;
    return element("div", { class: "scale" }, ...[name, ...buttons, end].filter(Boolean));
  }

  function comment(one, value) {
    const box = element("textarea", {
      "aria-labelledby": `statement-${one.id}`, maxlength: "4000",
    });
    box.value = value;
    box.addEventListener("change", () => answer(one.id, box.value));
    return box;
  }

  function choose(id, move, how = {}) {
    if (!question(id) || current === id && !move) return;
    current = id;
    for (const each of document.querySelectorAll(".question")) {
      const here = each.dataset.question === id;
      each.classList.toggle("current", here);
      if (here) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
      if (here && move) each.querySelector("[tabindex='0'], textarea").focus(how);
    }
    showEnds();
  }

  function step(by) {
    const ids = asked().map((one) => one.id);
    const place = Math.min(Math.max(ids.indexOf(current) + by, 0), ids.length - 1);
    choose(ids[place], true);
  }

  function showReview(fresh) {
    const open = view.review.filter(([, complete]) => !complete).length;
    $("review-text").textContent = open
      ? t("{open} of {total} {entries} are not answered yet. Choose one to go there.", { open, total: view.total, entries: words().entry[1] })
      : t("All {total} {entries} are answered. {handed} Choose one to change an answer.", {
        total: view.total, entries: words().entry[1], handed: Language.show(view.handed || ""),
      });
    $("review-show").hidden = !view.written;
    $("items").replaceChildren(...view.review.map(([id, complete, count], i) => {
      const name = `${capital(words().entry[0])} ${i + 1}`;
      const text = complete ? t("{entry}: answered", { entry: name })
        : t("{entry}: {count} of {total} answered", { entry: name, count, total: asked().length });
      const button = element("button", { type: "button", onclick: () => go(id) }, text);
      if (!complete) button.className = "open";
      return element("li", {}, button);
    }));
    if (fresh) $("review-title").focus();
  }

  // Photos and sheets

  function enlarge(i) {
    const photos = pictures();
    const there = photos.map((one, place) => (one.src ? place : -1)).filter((place) => place >= 0);
    if (!there.length) return;
    photo = there.includes(i) ? i : there[0];
    $("enlarged-photo").src = photos[photo].src;
    const name = picture(photo);
    $("enlarged-photo").alt = name;
    $("enlarged-place").textContent = name;
    if (!$("enlarged").open) $("enlarged").showModal();
  }

  function turn(by) {
    const photos = pictures();
    let place = photo + by;
    while (photos[place] && !photos[place].src) place += by;
    if (photos[place]) enlarge(place);
  }

  function openSheet() {
    if (!$("sheet").open) $("sheet").showModal();
    $("sheet").scrollTop = 0;
  }

  function fillSheet() {
    const { instructions } = packet.questionnaire;
    $("instructions").replaceChildren(...instructions.map((text) => element("p", {}, text)));
    $("key-list").replaceChildren(...makeKeys().flatMap(([keys, what]) =>
      [element("dt", {}, keys), element("dd", {}, what)]));
    $("examples").replaceChildren(...asked().map((one) => element("div", { class: "example" },
      element("strong", {}, one.statement), element("p", {}, one.help),
      ...(one.good ? [element("p", {}, t("Yes: {example}", { example: one.good }))] : []),
      ...(one.bad ? [element("p", {}, t("No: {example}", { example: one.bad }))] : []))));
    $("keys").textContent = t("1–5 answer · ↑↓ choose · Enter next · ← back · U undo · S skip");
  }

  function resize(by) {
    size = Math.min(Math.max(size + by, 0), SIZES.length - 1);
    document.documentElement.style.fontSize = `${13 * SIZES[size] / 100}px`;
    document.documentElement.toggleAttribute("data-large", size > SIZES.indexOf(100));
  }

  // Keys

  function pressed(event) {
    if (document.querySelector("dialog[open]")) return inDialog(event);
    const writing = event.target instanceof HTMLTextAreaElement;
    if (writing) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const control = event.ctrlKey || event.metaKey;
    if (event.altKey || (control && event.key.toLowerCase() !== "z")) return;
    const done = control ? (act("undo"), true) : plain(event);
    if (done) event.preventDefault();
  }

  /** Handle a key outside dialogs; return true if it had an effect. A focused button keeps Enter. */
  function plain(event) {
    const { key } = event;
    const onButton = event.target instanceof HTMLButtonElement && !event.target.closest(".scale, dialog");
    if (key === "Enter" && onButton) return false;
    if (key === "?") openSheet();
    else if (key === "+" || key === "=") resize(1);
    else if (key === "-") resize(-1);
    else if (key === "ArrowLeft") act("previous");
    else if (key.toLowerCase() === "u") act("undo");
    else if (!view.item) return false;
    else if (/^[0-9]$/.test(key)) digit(Number(key));
    else if (key === "ArrowDown" || key === "ArrowUp") step(key === "ArrowDown" ? 1 : -1);
    else if (key === "Enter" || key === "ArrowRight") go();
    else if (key.toLowerCase() === "s") act("skip");
    else return false;
    return true;
  }

  function inDialog(event) {
    if (!$("enlarged").open) return;
    if (event.key === "ArrowLeft") turn(-1);
    if (event.key === "ArrowRight") turn(1);
  }

  function connect() {
    const clicks = {
      next: () => go(),
      previous: () => act("previous"),
      "review-previous": () => act("previous"),
      skip: () => act("skip"),
      missing: () => answer("photos-missing", "photos-missing" in view.answers ? null : true),
      help: openSheet,
      smaller: () => resize(-1),
      larger: () => resize(1),
      "sheet-close": () => $("sheet").close(),
      "enlarged-close": () => $("enlarged").close(),
      "enlarged-previous": () => turn(-1),
      "enlarged-next": () => turn(1),
    };
    for (const [id, click] of Object.entries(clicks)) $(id).addEventListener("click", click);
    document.addEventListener("keydown", pressed);
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => event.preventDefault());
  }

  function theme(name) {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = name || (dark ? "dark" : "light");
  }

  function start(someJudge, somePacket, firstView) {
    judge = someJudge;
    packet = somePacket;
    view = firstView;
    current = view.current;
    since = performance.now();
    Language.use(packet.language);
    $("title").textContent = document.title = t("Rating · packet {rater}", { rater: packet.rater });
    $("photos").setAttribute("aria-label", t("{pictures} in their order", { pictures: capital(words().picture[1]) }));
    $("missing").textContent = t("Cannot judge, {pictures} missing", { pictures: words().picture[1] });
    fillSheet();
    connect();
    shown = null;
    show();
    if (view.number === 0) openSheet();
  }

  return { start, theme };
})();
