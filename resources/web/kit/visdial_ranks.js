"use strict";

/* Checker of ranked answers in visual dialogues: a permutation of ranks for every round. */

function checker(facts, options, rules) {
  const LIMIT = 2147483648;
  const EXPECTED = 'A list of objects with "image_id", "round_id" and "ranks" is expected.';
  const ONCE = "One entry for each round is expected.";
  const rounds = facts.rounds.map(([image, round, size, isLast, isDense]) => ({ image, round, size, isLast, isDense }));
  const id = (image, round) => `${image}-${round}`;
  const known = new Map(rounds.map((one, index) => [id(one.image, one.round), index]));
  const images = new Set(rounds.map((one) => String(one.image)));
  const count = (value) => (/^[0-9]+$/.test(String(IdSpellings.number(value))) ? IdSpellings.number(value) : null);
  const IMAGE = new Attribute("image_id", "A whole number is expected.", count);
  const ROUND = new Attribute("round_id", "A whole number is expected.", count);
  const lowest = Number(options.rank_base);

  function read(bytes, path) {
    const limits = Object.assign({}, rules, { bytes: LIMIT, notFinite: true });
    const root = Json.read(bytes, path, limits, false);
    if (root.value === undefined) return root.defects;
    if (!Array.isArray(root.value) || !root.value.length) {
      const isEmpty = Array.isArray(root.value);
      root.error(isEmpty ? "The list is empty." : fill("The file holds {type}.", root.describe()), EXPECTED);
      return root.defects;
    }
    const entries = root.elements().map(readEntry).filter((one) => one !== null);
    IdSpellings.noteNumbers(root, (entry) => entry.isObject && IMAGE.of(entry) !== null && ROUND.of(entry) !== null);
    const odd = entries.filter((one) => one.list.value !== one.entry.at(one.name).value);
    if (odd.length) {
      const found = fill("Text or fractions as ranks: {lists}.", counted(odd.length, "list"));
      odd[0].list.note(found, "They are read as whole numbers.", odd.length);
    }
    const base = entries.length ? findBase(root, entries) : null;
    if (base === null) return root.defects;
    const first = pair(entries, base);
    checkRequired(root, first, entries.length === root.value.length);
    return root.defects;
  }

  /** Return a list of ranks, texts and fractions as whole numbers if all are. */
  function wholeRanks(list, name) {
    if (name === "scores" || list.value.every((one) => one instanceof Whole)) return list;
    const ranks = list.value.map(IdSpellings.number);
    if (ranks.includes(null)) return list;
    return new JsonCursor(list.file, ranks.map((one) => new Whole(one)), list.path, list.key, list.index);
  }

  function readEntry(entry) {
    if (!entry.isObject) {
      entry.error(fill("The element is {kind}.", entry.describe()), EXPECTED);
      return null;
    }
    const name = !entry.value.has("ranks") && entry.value.has("scores") ? "scores" : "ranks";
    const LISTED = new Attribute(name, "A list of ranks is expected.", Attribute.list);
    const [image, round] = [IMAGE.of(entry), ROUND.of(entry)];
    const isPlaced = image !== null && round !== null;
    if (isPlaced && LISTED.of(entry) !== null) return { entry, image, round: Number(round), name, list: wholeRanks(entry.at(name), name) };
    entry.reportInvalid(isPlaced ? [LISTED] : [IMAGE, ROUND]);
    return null;
  }

  function findBase(root, entries) {
    if (options.round_base !== "auto") return Number(options.round_base);
    const count = counted(entries.length, "entry", "entries");
    const said = (base) => fill("{count}; the rounds count from {base}.", count, base);
    const [zero, ten] = [0, 10].map((round) => entries.find((one) => one.round === round));
    if (zero && ten) {
      const found = fill("Round 0 is at [{zero}] and round 10 at [{ten}].", zero.entry.index, ten.entry.index);
      root.error(found, "Rounds from 0 to 9, or from 1 to 10, are expected.");
      return null;
    }
    if (zero || ten) {
      root.note(said(zero ? 0 : 1));
      return zero ? 0 : 1;
    }
    const fits = [0, 1].map((base) => entries.every((one) => known.has(id(one.image, one.round + 1 - base))));
    if (fits[0] && fits[1]) {
      root.note(said(1), "Both fit; --round-base 0 reads them from 0.");
      return 1;
    }
    root.note(said(fits[0] ? 0 : 1));
    return fits[0] ? 0 : 1;
  }

  /** Check the values of every entry; return the first entry of each round. */
  function pair(entries, base) {
    const first = new Map();
    const unknown = [];
    for (const { entry, image, round, name, list } of entries) {
      const key = id(image, round + 1 - base);
      const index = known.get(key);
      if (index === undefined) {
        unknown.push({ entry, image, key });
      } else if (first.has(index)) {
        entry.error(fill("Round {id} is also at [{first}].", key, first.get(index).index), ONCE);
      } else {
        first.set(index, entry);
        const check = name === "scores" ? checkScores : checkRanks;
        check(list, rounds[index].size);
      }
    }
    reportUnknown(unknown);
    return first;
  }

  /** Report entries of no round with options: those of other images, and of other rounds. */
  function reportUnknown(unknown) {
    const foreign = unknown.filter(({ image }) => !images.has(image)).map(({ entry, image }) => [entry, image]);
    const others = unknown.filter(({ image }) => images.has(image)).map(({ entry, key }) => [entry, key]);
    const said = (listed) => [counted(listed.length, "entry", "entries"), facts.named_by, nameList(listed.map(([, name]) => name))];
    const report = (listed, found) => {
      listed[0][0].error(found, "A round of the dialogues is expected.", "Check that both files are of the same dialogues.");
    };
    if (foreign.length) report(foreign, fill("{entries} of images that are not in {name}: {names}.", ...said(foreign)));
    if (others.length) report(others, fill("{entries} of rounds without options in {name}: {names}.", ...said(others)));
  }

  function checkLength(list, size, found) {
    if (list.value.length === size) return true;
    list.error(found, fill("One for each of the {size} options is expected.", size));
    return false;
  }

  function checkRanks(list, size) {
    if (!checkLength(list, size, fill("The list has {ranks}.", counted(list.value.length, "rank")))) return;
    const odd = list.elements().find((one) => !(one.value instanceof Whole));
    if (odd) odd.error(fill("The rank is {type}.", odd.describe()), "A whole number is expected.");
    else checkPermutation(list, size);
  }

  function checkPermutation(list, size) {
    const values = list.value.map((one) => Number(one.text));
    const highest = size + lowest - 1;
    const expected = fill("Each rank from {lowest} to {highest} is expected once.", lowest, highest);
    if (lowest === 1 && values.includes(0) && Math.max(...values) < size) {
      list.error("The ranks count from 0.", expected, "Add 1 to every rank, or use --rank-base 0.");
      return;
    }
    const beyond = values.findIndex((value) => value < lowest || value > highest);
    if (beyond >= 0) {
      const shown = JsonCursor.shorten(list.value[beyond].text);
      list.at(beyond).error(fill("The rank is {type}.", shown), expected);
      return;
    }
    const seen = new Map();
    const twice = values.findIndex((value, number) => seen.has(value) || !seen.set(value, number));
    if (twice < 0) return;
    const found = fill("Rank {rank} is also at [{first}].", values[twice], seen.get(values[twice]));
    list.at(twice).error(found, expected, "Tied ranks, or a list of scores, look like this.");
  }

  function checkScores(list, size) {
    if (!checkLength(list, size, fill("The list has {scores}.", counted(list.value.length, "score")))) return;
    const isFinite = (value) => Number.isFinite(value instanceof Whole ? Number(value.text) : value);
    const odd = list.elements().find((one) => !isFinite(one.value));
    if (odd) odd.error(fill("The score is {type}.", odd.describe()), "A finite number is expected.");
  }

  function requiredRounds(first) {
    const dense = rounds.map((_, index) => index).filter((index) => rounds[index].isDense);
    let chosen = options.rounds;
    if (chosen === "auto") {
      const isDense = dense.length && first.size < rounds.length && first.size === dense.length && dense.every((index) => first.has(index));
      chosen = isDense ? "dense" : "all";
    }
    const all = rounds.map((_, index) => index);
    return [chosen, { all, dense, last: all.filter((index) => rounds[index].isLast) }[chosen], dense];
  }

  function checkRequired(root, first, isWhole) {
    const [chosen, required, dense] = requiredRounds(first);
    if (chosen === "dense" && !dense.length) {
      root.error("There are no dense annotations, whose rounds are required.", "", "Give them with --relevance FILE.");
    }
    if (required.length < rounds.length) {
      const found = fill("{part:,} of {rounds:,} rounds are scored.", required.length, rounds.length);
      root.note(found, "Other rounds of the file are left out.");
    }
    const missing = required.filter((index) => !first.has(index));
    if (!missing.length || !isWhole) return;
    const names = nameList(missing.map((index) => id(rounds[index].image, rounds[index].round)));
    const found = fill("{rounds} without ranks: {names}.", counted(missing.length, "round"), names);
    if (options.missing === "error") {
      const hint = "Add them, or use --missing worst or --missing chance.";
      root.error(found, "Ranks are expected for every required round.", hint);
    } else {
      const said = options.missing === "worst" ? "They count as the worst ranks." : "They count as random ranks.";
      root.warning(found, said, "", missing.length);
    }
  }

  return read;
}
