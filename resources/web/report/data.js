"use strict";

/* Data of the report: the head at once, numbers and texts of items on demand. */

const Data = (() => {
  const read = (id) => JSON.parse($(id).textContent);
  const head = read("report");
  const unpacked = new Map();

  /** Return the JSON of a compressed element (zlib in base64), decompressed once. */
  function open(id) {
    if (!unpacked.has(id)) unpacked.set(id, inflate($(id).textContent));
    return unpacked.get(id);
  }

  async function inflate(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  /** Return the texts of an item: [shared, by system]; null if the report does not contain them. */
  async function texts(item) {
    if (item >= head.items.with_texts) return null;
    const { block } = head.items;
    return (await open(`texts-${Math.floor(item / block)}`))[item % block];
  }

  /** Return all texts of each item in lower case, for the search. */
  let words = null;
  function searchable(ids) {
    words ??= Promise.all(ids.map(async (id, item) => {
      const found = await texts(item);
      const parts = found ? [...found[0], ...found[1].flatMap((own) => own || [])] : [];
      return [id, ...parts.map((part) => part[1])].join("\n").toLowerCase();
    }));
    return words;
  }

  const numbers = () => open("numbers");
  const asked = new URLSearchParams(location.search).get("lang") || navigator.language || "en";
  const language = asked.startsWith("ru") ? "ru" : "en";
  const catalogue = read("languages")[language];
  const able = typeof DecompressionStream === "function";
  return { head, language, catalogue, stamps: () => read("stamps"), numbers, texts, searchable, able };
})();
