"use strict";

/* The page: reads files locally and shows all text as text. */

const Page = (() => {
  const SHOWN = 500;
  const LANGUAGES = [["en", "English"], ["ru", "Русский"]];
  const SLICE = 40; // milliseconds of work before control returns to the browser
  const kit = JSON.parse(document.getElementById("kit").textContent);
  const at = (id) => document.getElementById(id);
  const shownFiles = []; // functions that return the card of a file, the newest first
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
    at("theme").textContent = dark ? t("Light") : t("Dark");
  }

  /** Show a language; files that were checked are shown in it as well. */
  function language(code) {
    Language.use(kit.languages[code]);
    const other = LANGUAGES.find(([one]) => one !== code);
    [at("language").lang, at("language").textContent] = other;
    describe();
    theme(document.documentElement.dataset.theme === "dark");
    at("results").replaceChildren(...shownFiles.map((one) => one()));
    if (kit.entries) SealForm.show();
  }

  /** Return the bytes of a file, decompressed if it is gzip, and whether it was. */
  async function bytesOf(file) {
    const bytes = new Uint8Array(await file.arrayBuffer().catch(() => unsupported("The file cannot be read here.")));
    if (/^(?:BZh[1-9]1AY&SY|\xfd7zXZ\0)/.test(String.fromCharCode(...bytes.subarray(0, 10)))) {
      unsupported("The file is compressed by bzip2 or xz: unpack it first.");
    }
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
      const percent = Math.floor(100 * started.share());
      at("busy").textContent = t("Reading {name} … {percent} %", { name, percent });
      await yieldControl();
      until = performance.now() + SLICE;
    }
    return started.defects();
  }

  async function checkFiles(files) {
    for (const file of files) {
      at("busy").textContent = t("Reading {name} …", { name: file.name });
      await yieldControl();
      try {
        const defects = await checkFile(await bytesOf(file), file.name);
        add(() => card(file, defects));
      } catch (fault) {
        if (!(fault instanceof UnsupportedFile)) throw fault;
        add(() => unreadable(file.name, fault.said));
      }
    }
    at("busy").textContent = "";
  }

  /** Show a file above the others; `make` returns its card in the language of the page. */
  function add(make) {
    shownFiles.unshift(make);
    at("results").prepend(make());
  }

  function unreadable(name, message) {
    const made = element("article", "", "file");
    made.append(element("h2", Language.isolate(name)), element("p", Language.show(message), "bad"));
    return made;
  }

  const KINDS = ["error", "warning", "note"];

  function summary(defects) {
    const counts = KINDS.map((kind) => defects.filter((one) => one.severity === kind).length);
    if (!defects.length) return t("Nothing is wrong with this file.");
    const kinds = KINDS.map((kind, i) => counted(counts[i], kind));
    const sentence = fill("{errors}, {warnings} and {notes}.", ...kinds);
    return `${Language.show(sentence)} ${counts[0] ? t("A file with errors cannot be scored.") : t("It can be scored.")}`;
  }

  function card(file, defects) {
    const made = element("article", "", "file");
    const kind = Defects.hasErrors(defects) ? "bad" : "good";
    made.append(element("h2", Language.isolate(file.name)), element("p", summary(defects), kind));
    const list = element("ul", "", "defects");
    const more = element("button", "");
    more.type = "button";
    let shown = 0;
    const show = () => {
      for (const one of defects.slice(shown, shown + SHOWN)) list.append(row(one));
      shown = Math.min(defects.length, shown + SHOWN);
      more.hidden = shown >= defects.length;
      more.textContent = Language.show(fill("Show more ({count:,} left)", defects.length - shown));
    };
    more.addEventListener("click", show);
    show();
    made.append(list, more);
    if (kit.entries && !Defects.hasErrors(defects)) made.append(SealForm.sealButton(file));
    return made;
  }

  function row(one) {
    const made = element("li", "");
    const body = element("div", "");
    body.append(element("p", Language.show(Defects.named(one.place)), "place"), element("p", Language.show(one.found)));
    const advice = [one.expected, one.hint].filter(Boolean).map(Language.show).join(" ");
    if (advice) body.append(element("p", advice, "advice"));
    made.append(element("b", t(one.severity), one.severity), body);
    return made;
  }

  /** Show what the page knows, in its language. */
  function describe() {
    document.title = t("Check your submission – {title}", { title: kit.title });
    at("rules").textContent = t(
      "Rules {hash}, made by Jurydesk {version}. The organiser's program reports the same about a file, sentence by sentence.",
      { hash: kit.sha256, version: kit.program },
    );
    const options = Object.entries(kit.options).map(
      ([name, value]) => fill("The option {name}: {value}.", name, value),
    );
    const list = (id, sentences) => at(id).replaceChildren(...sentences.map((one) => element("li", Language.show(one))));
    list("says", [...kit.says, ...options]);
    list("unable", kit.unable);
    list("limits", check.limits || []);
  }

  at("title").textContent = kit.title;
  at("made").textContent = `Jurydesk ${kit.program}`;
  at("unable-part").hidden = !kit.unable.length;
  at("limits-part").hidden = !check.limits;
  language(kit.language);
  theme(window.matchMedia("(prefers-color-scheme: dark)").matches);
  at("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));
  at("language").addEventListener("click", () => language(at("language").lang));
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
