"use strict";

/* The page: files are read where they are; all text is shown as text. */

const Page = (() => {
  const SHOWN = 500;
  const SLICE = 40; // milliseconds of work before the page rests
  const kit = JSON.parse(document.getElementById("kit").textContent);
  const at = (id) => document.getElementById(id);
  Text.use(kit.characters);
  const check = Misplaced.checking(checker(kit.facts, kit.options, kit.rules), kit);

  function element(tag, text, kind) {
    const made = document.createElement(tag);
    if (text) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }

  function theme(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    at("theme").textContent = dark ? "Light" : "Dark";
  }

  /** The bytes of a file, unpacked where it is gzip, and whether it is. */
  async function bytesOf(file) {
    const bytes = new Uint8Array(await file.arrayBuffer().catch(() => unable("The file cannot be read here.")));
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return [bytes, false];
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const unpacked = new Response(plain).arrayBuffer();
    const told = "The gzip data cannot be unpacked here: unpack it first.";
    return [new Uint8Array(await unpacked.catch(() => unable(told))), true];
  }

  function unable(message) { throw new Unable(message); }

  /** Let the page draw and answer. */
  const rest = () => new Promise((done) => { setTimeout(done, 20); });

  /** The defects of a file; where its check goes in steps, the page rests between them. */
  async function checked([bytes, packed], name) {
    if (!check.begin) return check(bytes, name, packed);
    const begun = check.begin(bytes, name, packed);
    let until = performance.now() + SLICE;
    while (begun.advance()) {
      if (performance.now() < until) continue;
      at("busy").textContent = `Reading ${name} … ${Math.floor(100 * begun.share())} %`;
      await rest();
      until = performance.now() + SLICE;
    }
    return begun.told();
  }

  async function take(files) {
    for (const file of files) {
      at("busy").textContent = `Reading ${file.name} …`;
      await rest();
      try {
        at("results").prepend(card(file.name, await checked(await bytesOf(file), file.name)));
      } catch (fault) {
        if (!(fault instanceof Unable)) throw fault;
        at("results").prepend(unreadable(file.name, fault.message));
      }
    }
    at("busy").textContent = "";
  }

  function unreadable(name, message) {
    const made = element("article", "", "file");
    made.append(element("h2", name), element("p", message, "bad"));
    return made;
  }

  const KINDS = ["error", "warning", "note"];

  function summary(defects) {
    const counts = KINDS.map((kind) => defects.filter((one) => one.severity === kind).length);
    if (!defects.length) return "Nothing is wrong with this file.";
    const words = KINDS.map((kind, i) => Text.counted(counts[i], kind));
    const told = `${words.slice(0, -1).join(", ")} and ${words[2]}.`;
    return counts[0] ? `${told} A file with errors cannot be scored.` : `${told} It can be scored.`;
  }

  function card(name, defects) {
    const made = element("article", "", "file");
    const kind = Defects.hasErrors(defects) ? "bad" : "good";
    made.append(element("h2", name), element("p", summary(defects), kind));
    const list = element("ul", "", "defects");
    const more = element("button", "");
    more.type = "button";
    let shown = 0;
    const show = () => {
      for (const one of defects.slice(shown, shown + SHOWN)) list.append(row(one));
      shown = Math.min(defects.length, shown + SHOWN);
      more.hidden = shown >= defects.length;
      more.textContent = `Show more (${Text.thousands(defects.length - shown)} left)`;
    };
    more.addEventListener("click", show);
    show();
    made.append(list, more);
    return made;
  }

  function row(one) {
    const made = element("li", "");
    const body = element("div", "");
    body.append(element("p", Defects.named(one.place), "place"), element("p", one.found));
    const advice = [one.expected, one.hint].filter(Boolean).join(" ");
    if (advice) body.append(element("p", advice, "advice"));
    made.append(element("b", one.severity, one.severity), body);
    return made;
  }

  at("title").textContent = kit.title;
  document.title = `Check your submission – ${kit.title}`;
  at("made").textContent = `Jurydesk ${kit.program}`;
  at("rules").textContent = `Rules ${kit.sha256}, made by Jurydesk ${kit.program}. The organiser's program says the same of a file, sentence by sentence.`;
  for (const [name, value] of Object.entries(kit.options)) kit.says.push(`The option ${name}: ${value}.`);
  for (const said of kit.says) at("says").append(element("li", said));
  for (const said of kit.unable) at("unable").append(element("li", said));
  at("unable-part").hidden = !kit.unable.length;
  for (const said of check.limits || []) at("limits").append(element("li", said));
  at("limits-part").hidden = !check.limits;
  theme(window.matchMedia("(prefers-color-scheme: dark)").matches);
  at("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));
  at("files").addEventListener("change", () => {
    take([...at("files").files]).then(() => { at("files").value = ""; });
  });
  for (const name of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      at("drop").classList.toggle("over", name === "dragover");
      if (name === "drop") take([...event.dataTransfer.files]);
    });
  }
  return { check, take };
})();
