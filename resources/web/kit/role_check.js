"use strict";

/* Detection of files that are not submissions, with the sentences of core/intake/role_check.py. */

const RoleCheck = (() => {
  const [MIN_CONFIDENCE, CERTAIN] = [0.5, 0.85];
  const UNPACK = "Unpack it first; --submissions takes archives as they are.";
  const HINT = "Give each file where it belongs.";

  const TABLE_OF_BARS = /^\|[^\n]*\|[ \t]*\r?\n[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*\r?(?:\n|$)/;

  const guessOf = (task, begin) => (task ? Roles.of(task.id, begin) : null);
  const firstPlace = (defects) => defects.find((one) => one.severity === "error").place;
  const inputOf = (task, role) => task.inputs.find((one) => one.role === role);
  const kindOf = (guess, input) => translatable(guess.form || input.label);

  /** Wrap the check of a kit so that it also detects files in a wrong role. */
  function checking(check, kit) {
    const checkRole = (bytes, path, packed, defects) => ofFile(kit, bytes, path, Boolean(packed), defects);
    const read = (bytes, path, packed) => checkRole(bytes, path, packed, check(bytes, path, packed));
    function begin(bytes, path, packed) {
      const started = check.begin(bytes, path);
      return Object.assign({}, started, { defects: () => checkRole(bytes, path, packed, started.defects()) });
    }
    return Object.assign(read, { limits: check.limits }, check.begin ? { begin } : {});
  }

  function ofFile(kit, bytes, path, packed, found) {
    return explained(kit, bytes, path, packed, BoundedDefects.condense(found));
  }

  function explained(kit, bytes, path, packed, defects) {
    if (!Defects.hasErrors(defects)) return defects;
    const type = wrongType(kit, FileSignatures.head(bytes, packed), packed, path, defects);
    if (!type) return defects;
    const [found, isCertain, advice] = type;
    const place = type.length > 3 ? type[3] : Defects.place(path);
    const begin = FileSignatures.head(bytes, packed);
    const isArchive = !FileSignatures.own(begin, packed) && FileSignatures.isArchive(begin, packed);
    if (isCertain) return [Defects.error(place, found, "", isArchive ? UNPACK : advice || HINT)];
    return [Defects.warning(place, found, "", HINT), ...defects];
  }

  /** Return a sentence and whether it is certain; null for a possible submission. */
  function wrongType(kit, begin, packed, path, defects) {
    const own = FileSignatures.own(begin, packed);
    if (own) return [fill("This is {kind}, not a file of the competition.", own), true];
    // An archive may hold the very text by which a file is recognized; .npz is one itself.
    const isArray = /\.npz(\.(gz|bz2|xz))?$/i.test(path);
    if (!isArray && FileSignatures.isArchive(begin, packed)) return foreign(begin, packed);
    const task = kit.competitions.find((one) => one.id === kit.task);
    const guess = guessOf(task, begin);
    if (guess) return ofRole(task, guess);
    const output = programOutput(kit, begin);
    if (output) return isRead(defects) ? null : [...named(translatable(output.kind)), translatable(output.advice), firstPlace(defects)];
    const isAny = task.inputs.some((one) => one.kind === "submission" && one.names.length);
    return (isAny ? null : otherCompetition(kit, begin)) || foreign(begin, packed);
  }

  function ofRole(task, guess) {
    const wanted = task.inputs.find((one) => one.kind === "submission");
    if (guess.role === wanted.role || wanted.also.includes(guess.role) || guess.confidence < MIN_CONFIDENCE) return null;
    const other = inputOf(task, guess.role) || wanted;
    const isCertain = guess.confidence >= CERTAIN;
    const inputs = [other, wanted].reduce((all, one) => [...all, translatable(one.label), one.role], []);
    const found = isCertain
      ? fill("This looks like {kind}: it belongs to {label} (--{role}), not to {label2} (--{role2}).", kindOf(guess, other), ...inputs)
      : fill("This may be {kind}: it belongs to {label} (--{role}), not to {label2} (--{role2}).", kindOf(guess, other), ...inputs);
    return [found, isCertain];
  }

  function otherCompetition(kit, begin) {
    const others = kit.competitions.filter((one) => one.id !== kit.task);
    const guesses = others.map((task) => [task, guessOf(task, begin)]).filter(([, guess]) => guess);
    const sure = guesses.filter(([task, guess]) => guess.confidence >= MIN_CONFIDENCE && inputOf(task, guess.role));
    if (!sure.length) return null;
    const [task, guess] = sure.reduce((best, one) => (one[1].confidence > best[1].confidence ? one : best));
    const input = inputOf(task, guess.role);
    const isCertain = guess.confidence >= CERTAIN;
    const values = [kindOf(guess, input), translatable(task.title), translatable(input.label)];
    const found = isCertain
      ? fill("This looks like {kind}, a file of another competition ({title}: {label}).", ...values)
      : fill("This may be {kind}, a file of another competition ({title}: {label}).", ...values);
    return [found, isCertain];
  }

  function foreign(begin, packed) {
    const what = FileSignatures.foreign(begin, packed);
    return what ? named(what) : null;
  }

  function named(what) {
    return [fill("This is {kind}, not a file of the competition.", what), true];
  }

  /** Return whether the checker knew the program: what is wrong with its file is better then. */
  function isRead(defects) {
    return defects.some((one) => String(one.found).startsWith("The file is an output of"));
  }

  /** Return the output of a known program that a file of JSON is; undefined for others. */
  function programOutput(kit, begin) {
    const start = FileSignatures.stripped(FileSignatures.unmarked(begin).slice(0, 16384));
    if (TABLE_OF_BARS.test(start)) return kit.markdown;
    if (start[0] !== "{" && start[0] !== "[") return undefined;
    const members = start.match(/"(?:[^"\\]|\\[^\n]){1,60}"[ \t\n\r\f\v]*:/g) || [];
    const names = new Set(members.map((one) => one.slice(1, one.lastIndexOf('"'))));
    const isToken = [...names].some((name) => /^<[A-Z_]{2,40}>$/.test(name));
    const fits = (one) => one.members.every((name) => names.has(name)) && !one.others.some((name) => names.has(name));
    return (isToken ? kit.florence : kit.outputs).find(fits);
  }

  return { checking };
})();
