"use strict";

/* What the file holds: the head at once, numbers and texts of items when they are asked for. */

const Data = (() => {
  const read = (id) => JSON.parse($(id).textContent);
  const head = read("report");
  const unpacked = new Map();

  /** The JSON of a packed element (zlib in base64), unpacked once. */
  function open(id) {
    if (!unpacked.has(id)) unpacked.set(id, inflate($(id).textContent));
    return unpacked.get(id);
  }

  async function inflate(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  /** What is told of an item: [shared, of each system]; null where the report has no room for it. */
  async function texts(item) {
    if (item >= head.items.told) return null;
    const { block } = head.items;
    return (await open(`texts-${Math.floor(item / block)}`))[item % block];
  }

  /** Everything that can be read of each told item, in lower case, for the search. */
  let words = null;
  function searchable(ids) {
    words ??= Promise.all(ids.map(async (id, item) => {
      const told = await texts(item);
      const parts = told ? [...told[0], ...told[1].flatMap((own) => own || [])] : [];
      return [id, ...parts.map((part) => part[1])].join("\n").toLowerCase();
    }));
    return words;
  }

  const numbers = () => open("numbers");
  const able = typeof DecompressionStream === "function";
  return { head, stamps: () => read("stamps"), numbers, texts, searchable, able };
})();
