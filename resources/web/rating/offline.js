"use strict";

/* The page as a separate file: the browser stores the events and saves them as an answers file. */

const Offline = (() => {
  const packet = JSON.parse(document.getElementById("packet").textContent);
  const items = new Map(packet.items.map((item) => [item.id, item]));
  const key = (number) => `jurydesk ${packet.sha256} ${number}`;
  let events = storedEvents();
  let raterState = new RaterState([...items.keys()], packet.questionnaire, events);

  /** Return the stored events up to the first missing or invalid one. */
  function storedEvents() {
    const found = [];
    const trial = new RaterState([...items.keys()], packet.questionnaire);
    try {
      for (let n = 1; ; n += 1) {
        const text = localStorage.getItem(key(n));
        if (text === null) return found;
        const event = JSON.parse(text);
        if (!trial.possible(event)) return found;
        trial.apply(event);
        found.push(event);
      }
    } catch {
      return found;
    }
  }

  function view() {
    const found = raterState.view();
    if (found.item) {
      const item = items.get(found.item);
      const shown = (photos) => photos.map(([name, missing]) => ({
        src: name ? `data:image/jpeg;base64,${packet.photos[name]}` : "", missing,
      }));
      const { stories, practice, context = [], pictures = [] } = item;
      found.content = {
        photos: shown(item.photos), stories, practice, context, pictures: pictures.map(shown),
      };
    }
    found.handed = t("Press “Save answers” and send the file to the organiser.");
    return found;
  }

  async function act(name, item, question, value, seconds) {
    const event = { n: raterState.number + 1, act: name, item, question, value, seconds, at: now() };
    if (!raterState.possible(event)) return { saved: false, view: view() };
    try {
      localStorage.setItem(key(event.n), JSON.stringify(event));
    } catch {
      return { saved: false, view: view(), why: t("The browser cannot keep answers here: save them as a file often.") };
    }
    raterState.apply(event);
    events.push(event);
    return { saved: true, view: view() };
  }

  const now = () => `${new Date().toISOString().slice(0, 19)}Z`;

  /** Return the answers file, byte for byte as the program writes it. */
  function file() {
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
    const digest = sha256(new TextEncoder().encode(lines));
    const head = {
      format: "jurydesk answers", version: 1, packet: packet.sha256, rater: packet.rater,
      events: events.length, sha256: digest,
    };
    const said = [packet.sha256, packet.rater, events.length, digest].join("\n");
    head.signature = hmac(packet.key, said);
    return `${JSON.stringify(head)}\n${lines}`;
  }

  function download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([file()], { type: "application/octet-stream" }));
    link.download = `${packet.rater}.juryanswers`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  for (const id of ["download", "review-download"]) {
    const button = document.getElementById(id);
    button.hidden = false;
    button.addEventListener("click", download);
  }
  Rating.theme("");
  Rating.start({ do: act }, packet, view());
  return { file };
})();
