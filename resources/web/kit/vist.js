"use strict";

/* Checker of visual storytelling: one story for every required photo sequence. */

function checker(facts, options, rules) {
  const PHOTOS = 5;
  const PREDICTED = "pred_story_str";
  const STORIES = new Attribute("output_stories", "A list of the stories is expected.", Attribute.list);
  const MEMBERS = [
    new Attribute("album_id", "Text is expected: the album id.", Attribute.id),
    new Attribute("photo_sequence", "A list of the five photo ids is expected.", Attribute.ids),
    new Attribute("story_text_normalized", "Text is expected: the story.", Attribute.text),
  ];
  const key = (photos) => JSON.stringify(photos);
  const known = new Set(facts.sequences.map(([, photos]) => key(photos)));
  const photosOf = new Set();
  for (const [, photos] of facts.sequences) for (const photo of photos) photosOf.add(photo);
  const names = new IdSpellings.Known([...photosOf].map((photo) => [photo, [photo]]));
  let spelled = [];
  const strangers = (entries) =>
    entries.filter((one) => one.photos && one.photos.length && !known.has(key(one.photos)));

  function naming(album, photos) {
    const sequence = photos ? photos.join("-") : "";
    if (!sequence) return album ? fill("Album {album}", album) : "";
    return album ? fill("Album {album}, sequence {sequence_id}", album, sequence) : fill("Sequence {sequence_id}", sequence);
  }

  const called = (entry) => naming(entry.album, entry.photos) || fill("Story {value}", entry.story.index + 1);

  function read(bytes, path) {
    spelled = [];
    const whole = Json.read(bytes, path, Object.assign({}, rules, { notFinite: true }), true);
    if (whole.value === undefined) return whole.defects;
    const root = storiesRoot(whole);
    if (areByAlbum(root)) return root.defects;
    const stories = root.topList(STORIES, 'An object with the list "output_stories" is expected.');
    if (stories === null) return root.defects;
    const entries = stories.elements().map(readEntry).filter((one) => one !== null);
    notePhotos(whole);
    for (const entry of entries) {
      if (!entry.photos || entry.photos.length === PHOTOS) continue;
      const found = fill("{phrase}: the sequence has {photos} photos.", called(entry), entry.photos.length);
      entry.story.at("photo_sequence").warning(found, "A sequence of the challenge has five.");
    }
    reportRepeated(entries);
    reportMissing(stories, entries);
    remark(stories, entries);
    return root.defects;
  }

  const isStory = (one) => one instanceof Map && (one.has("photo_sequence") || one.has(PREDICTED));

  /** Return a cursor at the file's object, also for a list of stories without it. */
  function storiesRoot(root) {
    const stories = root.value;
    if (!Array.isArray(stories) || !stories.length || !stories.every(isStory)) return root;
    root.note('The file is a list of stories without "output_stories".', "It was read.");
    return root.moved("", new Map([["output_stories", stories]]));
  }

  /** Report it if the stories are those of albums, as vist_eval reads them. */
  function areByAlbum(root) {
    const stories = root.isObject ? root.value.get("output_stories") : null;
    if (!Array.isArray(stories) || !stories.length) return false;
    if (!stories.every((one) => one instanceof Map && one.has(PREDICTED))) return false;
    if (stories.some((one) => one.has("photo_sequence"))) return false;
    root.at("output_stories").error(
      "The stories are by album (pred_story_str), as vist_eval reads them.",
      "Albums are not scored: the challenge has a story for each sequence of five photos.",
      "Give album_id, photo_sequence and story_text_normalized of each story.",
    );
    return true;
  }

  function readEntry(story) {
    if (!story.isObject) {
      const expected = "An object with album_id, photo_sequence and story_text_normalized is expected.";
      story.error(fill("Story {value} is {type}.", story.index + 1, story.describe()), expected);
      return null;
    }
    const [album, photos, text] = MEMBERS.map((one) => one.of(story));
    const entry = { story, album, photos: meant(photos), text };
    story.reportInvalid(MEMBERS, called(entry));
    return entry;
  }

  /** Return the required sequence that photos mean in another spelling; the same for none. */
  function meant(photos) {
    if (photos === null || known.has(key(photos)) || photos.every((one) => /^[1-9][0-9]*$/.test(one))) return photos;
    const found = photos.map((one) => names.find(one) || one);
    if (!known.has(key(found))) return photos;
    spelled.push(photos.length ? `${photos[0]} = ${found[0]}` : "");
    return found;
  }

  function notePhotos(root) {
    if (!spelled.length) return;
    const count = counted(spelled.length, "story", "stories");
    const found = fill("{stories} with another spelling of photo ids: {names}.", count, nameList(spelled));
    root.file.defects.unshift(Defects.note(Defects.place(root.file.path), found, "They were read as these photos.", spelled.length));
  }

  function reportRepeated(entries) {
    const first = new Map();
    for (const entry of entries) {
      if (!entry.photos) continue;
      const before = first.get(key(entry.photos));
      if (before === undefined) {
        first.set(key(entry.photos), entry);
        continue;
      }
      const { line, json_path: path } = before.story.place;
      const found = line === null
        ? fill("{phrase}: the sequence has two stories, here and at {path}.", called(entry), path)
        : fill("{phrase}: the sequence has two stories, here and at {path}, line {line}.", called(entry), path, line);
      entry.story.error(found, "One story is expected.", "Keep one of them.");
    }
  }

  function reportMissing(stories, entries) {
    const there = new Set(entries.filter((one) => one.photos).map((one) => key(one.photos)));
    const sorted = (photos) => key([...photos].sort());
    const others = new Map(strangers(entries).map((one) => [sorted(one.photos), one.photos.join("-")]));
    for (const [album, photos] of facts.sequences) {
      if (there.has(key(photos))) continue;
      const expected = fill("A story is expected for every sequence of {named_by}.", facts.named_by);
      const other = others.get(sorted(photos));
      const hint = other === undefined ? "Add the story."
        : fill("The file has the same photos in another order, {other}: the order counts.", other);
      stories.error(fill("{sequence}: the story is missing.", naming(album, photos)), expected, hint);
    }
  }

  function remark(stories, entries) {
    const scored = entries.filter((one) => one.photos && known.has(key(one.photos)) && one.text !== null);
    const texts = scored.map((one) => one.text);
    if (texts.length > 1 && texts.every((one) => one === texts[0])) {
      const found = fill("All {texts:,} stories are the same.", texts.length);
      stories.warning(found, "A story for each sequence is expected.", "", texts.length);
    }
    const empty = scored.filter((one) => !Text.strip(one.text));
    if (empty.length) {
      const found = fill("{empty_stories}.", counted(empty.length, "empty story", "empty stories"));
      empty[0].story.note(found, empty.length === 1 ? "It scores 0." : "They score 0.", empty.length);
    }
    const unknown = strangers(entries);
    if (unknown.length) {
      const names = nameList(unknown.map((one) => one.photos.join("-")));
      const found = fill("{stories} of sequences that are not in {named_by}: {names}.", counted(unknown.length, "story", "stories"), facts.named_by, names);
      unknown[0].story.note(found, unknown.length === 1 ? "It is ignored." : "They are ignored.", unknown.length);
    }
    const beyond = texts.reduce((sum, one) => sum + Text.beyondAscii(one), 0);
    if (beyond) {
      const characters = counted(beyond, "character");
      const found = options.profile === "corrected"
        ? fill("{characters} outside ASCII, left out, as the challenge's rules say.", characters)
        : fill("{characters} outside ASCII, scored, as the challenge's program does it.", characters);
      stories.note(found, "", beyond);
    }
  }

  return read;
}
