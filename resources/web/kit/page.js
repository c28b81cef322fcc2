"use strict";

/* The page: reads files locally and shows all text as text. */

const Page = (() => {
  const SHOWN = 500;
  const SLICE = 40; // milliseconds of work before control returns to the browser
  const kit = JSON.parse(document.getElementById("kit").textContent);
  const at = (id) => document.getElementById(id);
  Text.use(kit.characters);
  const check = RoleCheck.checking(checker(kit.facts, kit.options, kit.rules), kit);

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

  /** Return the bytes of a file, decompressed if it is gzip, and whether it was. */
  async function bytesOf(file) {
    const bytes = new Uint8Array(await file.arrayBuffer().catch(() => unsupported("The file cannot be read here.")));
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return [bytes, false];
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const unpacked = new Response(plain).arrayBuffer();
    const message = "The gzip data cannot be unpacked here: unpack it first.";
    return [new Uint8Array(await unpacked.catch(() => unsupported(message))), true];
  }

  function unsupported(message) { throw new UnsupportedFile(message); }

  /** Return control to the browser so that it can draw and handle events. */
  const yieldControl = () => new Promise((done) => { setTimeout(done, 20); });

  /** Return the defects of a file; a check in steps returns control between them. */
  async function checkFile([bytes, packed], name) {
    if (!check.begin) return check(bytes, name, packed);
    const started = check.begin(bytes, name, packed);
    let until = performance.now() + SLICE;
    while (started.advance()) {
      if (performance.now() < until) continue;
      at("busy").textContent = `Reading ${name} … ${Math.floor(100 * started.share())} %`;
      await yieldControl();
      until = performance.now() + SLICE;
    }
    return started.defects();
  }

  async function checkFiles(files) {
    for (const file of files) {
      at("busy").textContent = `Reading ${file.name} …`;
      await yieldControl();
      try {
        at("results").prepend(card(file.name, await checkFile(await bytesOf(file), file.name)));
      } catch (fault) {
        if (!(fault instanceof UnsupportedFile)) throw fault;
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
    const sentence = `${words.slice(0, -1).join(", ")} and ${words[2]}.`;
    return counts[0] ? `${sentence} A file with errors cannot be scored.` : `${sentence} It can be scored.`;
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
    checkFiles([...at("files").files]).then(() => { at("files").value = ""; });
  });
  for (const name of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      at("drop").classList.toggle("over", name === "dragover");
      if (name === "drop") checkFiles([...event.dataTransfer.files]);
    });
  }
  return { check, checkFiles };
})();
