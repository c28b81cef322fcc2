"use strict";

/* Form of the checker page that seals a checked file for the organiser; the entry and the key are saved as files. */

const SealForm = (() => {
  const at = (id) => document.getElementById(id);
  const kit = JSON.parse(at("kit").textContent);
  let [secret, said] = ["", ""];

  function show() { at("sealed").textContent = Language.show(said); }

  function say(sentence) { said = sentence; show(); }

  function save(name, content) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  async function sealed(file) {
    if (!await SealedEntry.isSupported()) {
      throw new SealedEntry.SealError("This browser lacks Ed25519 or X25519: seal the file with Jurydesk, or use a newer browser.");
    }
    const [chosen] = at("key").files;
    const known = chosen ? await chosen.text() : secret || SealedEntry.newKey();
    const claims = { team: at("team").value, statement: at("statement").value };
    const bytes = new Uint8Array(await file.arrayBuffer());
    const entry = await SealedEntry.seal(kit, { name: file.name, bytes }, claims, known);
    const name = `${file.name.replace(/\.[^.]*$/, "")}.juryentry`;
    save(name, entry);
    if (!chosen && !secret) save("team.json", known);
    secret = known;
    const words = await Signed.keyWords((await SealedEntry.readKey(known)).shown);
    return fill("{name} was saved: send it to the organiser, who may ask for the words of your key: {words}.", name, words);
  }

  /** Seal a file, and say what was saved or why not. */
  async function seal(file) {
    say("The file is being sealed …");
    try {
      say(await sealed(file));
    } catch (fault) {
      if (!(fault instanceof SealedEntry.SealError)) throw fault;
      say(fault.said);
    }
    at("sealed").scrollIntoView({ block: "nearest" });
  }

  /** Return the button that seals a file. */
  function sealButton(file) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = t("Seal this file");
    made.addEventListener("click", () => seal(file));
    return made;
  }

  at("seal").hidden = false;
  return { seal, sealButton, show };
})();
