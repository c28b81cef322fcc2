"use strict";

/* Checker of visual storytelling: one story for every required photo sequence. */

function checker(facts, options, rules) {
  const { error, warning, note, place } = Defects;
  const { kindOf, member } = JsonAttributes;
  const LIST = "output_stories";
  const OBJECT = "An object with album_id, photo_sequence and story_text_normalized is expected.";
  const PHOTOS = 5;
  const key = (photos) => JSON.stringify(photos);
  const known = new Set(facts.sequences.map(([, photos]) => key(photos)));

  const text = (value) => (typeof value === "string" ? value : null);
  const identifier = (value) => (value instanceof Whole ? value.text : text(value));
  const items = (value) => (Array.isArray(value) ? value : null);
  function identifiers(value) {
    const ids = Array.isArray(value) ? value.map(identifier) : null;
    return ids && ids.every((one) => one !== null) ? ids : null;
  }

  function naming(album, photos) {
    const named = album ? `Album ${album}` : "";
    if (!photos || !photos.length) return named;
    const sequence = `equence ${photos.join("-")}`;
    return named ? `${named}, s${sequence}` : `S${sequence}`;
  }

  const called = (entry) => naming(entry.album, entry.photos) || `Story ${entry.index + 1}`;

  function read(bytes, path) {
    const file = Json.read(bytes, path, rules, true);
    if (file.data === undefined) return file.defects;
    const stories = listOf(file);
    if (stories.severity) return [...file.defects, stories];
    const [entries, faults] = readEntries(file, stories);
    return [...file.defects, ...faults, ...duplicates(file, entries), ...missing(file, entries), ...remarks(file, entries)];
  }

  function listOf(file) {
    if (!(file.data instanceof Map)) {
      const expected = 'An object with the list "output_stories" is expected.';
      return error(file.place(), `The file holds ${kindOf(file.data)}.`, expected);
    }
    const stories = member(file.data, LIST, "A list of the stories is expected.", items);
    return stories.found ? error(file.place(LIST), stories.found, stories.expected) : stories.value;
  }

  function readEntries(file, stories) {
    const [entries, defects] = [[], []];
    stories.forEach((value, index) => {
      if (value instanceof Map) {
        entries.push(readEntry(file, index, value, defects));
      } else {
        defects.push(error(file.place(LIST, index), `Story ${index + 1} is ${kindOf(value)}.`, OBJECT));
      }
    });
    for (const entry of entries) {
      if (entry.photos && entry.photos.length !== PHOTOS) {
        const found = `${called(entry)}: the sequence has ${entry.photos.length} photos.`;
        const where = file.place(LIST, entry.index, ".photo_sequence");
        defects.push(warning(where, found, "A sequence of the challenge has five."));
      }
    }
    return [entries, defects];
  }

  function readEntry(file, index, value, defects) {
    const outcomes = [
      ["album_id", member(value, "album_id", "Text is expected: the album id.", identifier)],
      ["photo_sequence", member(value, "photo_sequence", "A list of the five photo ids is expected.", identifiers)],
      ["story_text_normalized", member(value, "story_text_normalized", "Text is expected: the story.", text)],
    ];
    const [album, photos, story] = outcomes.map(([, one]) => (one.found ? null : one.value));
    const entry = { index, album, photos, text: story };
    for (const [name, outcome] of outcomes) {
      if (outcome.found) {
        const where = file.place(LIST, index, `.${name}`);
        defects.push(error(where, `${called(entry)}: ${outcome.found}`, outcome.expected));
      }
    }
    return entry;
  }

  function duplicates(file, entries) {
    const first = new Map();
    const defects = [];
    for (const entry of entries) {
      if (!entry.photos) continue;
      const before = first.get(key(entry.photos));
      if (before === undefined) {
        first.set(key(entry.photos), entry);
        continue;
      }
      const line = file.line(LIST, before.index);
      const there = `${LIST}[${before.index}]${line === null ? "" : `, line ${line}`}`;
      const found = `${called(entry)}: the sequence has two stories, here and at ${there}.`;
      defects.push(error(file.place(LIST, entry.index), found, "One story is expected.", "Keep one of them."));
    }
    return defects;
  }

  function missing(file, entries) {
    const there = new Set(entries.filter((one) => one.photos).map((one) => key(one.photos)));
    return facts.sequences.filter(([, photos]) => !there.has(key(photos))).map(([album, photos]) => error(
      file.place(LIST), `${naming(album, photos)}: the story is missing.`,
      `A story is expected for every sequence of ${facts.named_by}.`, "Add the story.",
    ));
  }

  function remarks(file, entries) {
    const defects = [];
    const where = file.place(LIST);
    const scored = entries.filter((one) => one.photos && known.has(key(one.photos)) && one.text !== null);
    const texts = scored.map((one) => one.text);
    if (texts.length > 1 && texts.every((one) => one === texts[0])) {
      const found = `All ${Text.thousands(texts.length)} stories are the same.`;
      defects.push(warning(where, found, "A story for each sequence is expected.", "", texts.length));
    }
    const empty = scored.filter((one) => !Text.strip(one.text));
    if (empty.length) {
      const found = `${Text.counted(empty.length, "empty story", "empty stories")}.`;
      defects.push(note(file.place(LIST, empty[0].index), found, empty.length === 1 ? "It scores 0." : "They score 0.", empty.length));
    }
    const unknown = entries.filter((one) => one.photos && one.photos.length && !known.has(key(one.photos)));
    if (unknown.length) {
      const names = Text.listing(unknown.map((one) => one.photos.join("-")));
      const found = `${Text.counted(unknown.length, "story", "stories")} of sequences that are not in ${facts.named_by}: ${names}.`;
      defects.push(note(file.place(LIST, unknown[0].index), found, unknown.length === 1 ? "It is ignored." : "They are ignored.", unknown.length));
    }
    const beyond = texts.reduce((sum, one) => sum + Text.beyondAscii(one), 0);
    if (beyond) {
      const verdict = options.profile === "corrected"
        ? "left out, as the challenge's rules say" : "scored, as the challenge's program does it";
      const found = `${Text.counted(beyond, "character")} outside ASCII, ${verdict}.`;
      defects.push(note(where, found, "", beyond));
    }
    return defects;
  }

  return read;
}
