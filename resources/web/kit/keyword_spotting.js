"use strict";

/* Checker of keyword spotting: ranked lists as ICFHR 2014 XML or in trec_eval's format. */

function checker(facts, options, rules) {
  const { error, warning, place } = Defects;
  const HEAD = 65536;
  const MAX_BYTES = 1073741824;
  const STEPS = 2000;
  const sizes = Object.assign({ block: 1048576, piece: 2097152 }, rules.sizes);
  const known = new Set(facts.queries);
  const quoted = (names) => nameList(names.map((name) => `"${name}"`));

  /** Start the check of a file: call `advance` until it returns false, then `defects`. */
  function begin(bytes, path) {
    if (bytes.length > MAX_BYTES) throw new UnsupportedFile("It is larger than this page can read: over 1 GiB.");
    if (facts.format === "trec") {
      const trec = new Trec(bytes, path, sizes, options, rules);
      return { advance: () => trec.advance(STEPS), share: () => trec.share, defects: () => trec.defects(facts.queries) };
    }
    if (TrecDefects.hasFormat(bytes.subarray(0, HEAD))) {
      return { advance: () => false, share: () => 1, defects: () => [TrecDefects.notXml(path)] };
    }
    const results = new XmlResults(bytes, path, sizes.block);
    const defects = () => [...results.defects(), ...(results.errors.isEmpty ? ofQueries(results, path) : [])];
    return { advance: () => results.advance(STEPS), share: () => results.share, defects };
  }

  function ofQueries({ queries, listed }, path) {
    if (!queries.size) {
      return [error(place(path, 1), fill("The file has no <{block}>: it names no query.", "Rel"), "", "Give the complete file.")];
    }
    const names = [...queries.keys()];
    const empty = names.filter((_, i) => !listed[i]);
    const foreign = names.filter((name) => !known.has(name));
    const defects = [];
    if (empty.length) {
      const found = fill("There is no word for {queries}: {names}.", counted(empty.length, "query", "queries"), quoted(empty));
      defects.push(warning(
        place(path, queries.get(empty[0])), found, "It counts as a query without results.", "", empty.length,
      ));
    }
    if (foreign.length) defects.push(unknown(foreign, queries, path));
    if (foreign.length === names.length) return defects;
    const there = new Set(names.filter((_, i) => listed[i]));
    const absent = facts.queries.filter((name) => !there.has(name));
    return absent.length ? [...defects, TrecDefects.missing(path, absent, options.missing)] : defects;
  }

  function unknown(foreign, queries, path) {
    const where = place(path, queries.get(foreign[0]));
    if (foreign.length === queries.size) {
      const found = fill("No query of the results is in the relevance file ({name_list}).", quoted(foreign));
      return error(where, found, "", "Give the relevance file that belongs to these results.");
    }
    const verb = counted(foreign.length, "query is", "queries are");
    const found = fill("{queries} not in the relevance file: {name_list}.", verb, quoted(foreign));
    return warning(where, found, "Words of such a query are ignored.", "Check the spelling.", foreign.length);
  }

  function read(bytes, path) {
    const check = begin(bytes, path);
    while (check.advance());
    return check.defects();
  }

  return Object.assign(read, {
    begin,
    limits: [
      "Files of over 1 GiB, and gzip files that were joined from several.",
      ...(facts.format === "trec" ? [] : [
        "XML of over 1 MiB that is not UTF-8.",
        "XML whose first line names another encoding than UTF-8, UTF-16, ISO-8859-1, windows-1252 or US-ASCII.",
      ]),
    ],
  });
}
