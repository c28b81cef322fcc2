"use strict";

/* Detection of files that are not submissions, with the sentences of core/intake/role_check.py. */

const Misplaced = (() => {
  const [MIN_CONFIDENCE, CERTAIN] = [0.5, 0.85];
  const HINT = "Give each file where it belongs.";

  const guessOf = (task, begin) => (task ? Roles.of(task.id, begin) : null);
  const inputOf = (task, role) => task.inputs.find((one) => one.role === role);
  const begins = (guess, input) => `${guess.confidence >= CERTAIN ? "This looks like" : "This may be"} ${guess.form || input.label}`;

  /** Wrap the check of a kit so that it also detects files in a wrong role. */
  function checking(check, kit) {
    const placed = (bytes, path, packed, told) => ofFile(kit, bytes, path, Boolean(packed), told);
    const read = (bytes, path, packed) => placed(bytes, path, packed, check(bytes, path));
    function begin(bytes, path, packed) {
      const begun = check.begin(bytes, path);
      return Object.assign({}, begun, { told: () => placed(bytes, path, packed, begun.told()) });
    }
    return Object.assign(read, { limits: check.limits }, check.begin ? { begin } : {});
  }

  function ofFile(kit, bytes, path, packed, told) {
    if (!Defects.hasErrors(told)) return told;
    const looks = looksLike(kit, Looks.head(bytes), packed);
    if (!looks) return told;
    const place = Defects.place(path);
    const [found, isCertain] = looks;
    if (isCertain) return [Defects.error(place, found, "", HINT)];
    return [Defects.warning(place, found, "", HINT), ...told];
  }

  /** Return a sentence and whether it is certain; null for a possible submission. */
  function looksLike(kit, begin, packed) {
    const own = Looks.own(begin, packed);
    if (own) return [`This is ${own}, not a file of the competition.`, true];
    const task = kit.competitions.find((one) => one.id === kit.task);
    const guess = guessOf(task, begin);
    if (guess) return ofRole(task, guess);
    return stranger(kit, begin) || foreign(begin, packed);
  }

  function ofRole(task, guess) {
    const wanted = task.inputs.find((one) => one.kind === "submission");
    if (guess.role === wanted.role || wanted.also.includes(guess.role) || guess.confidence < MIN_CONFIDENCE) return null;
    const other = inputOf(task, guess.role) || wanted;
    const belongs = `it belongs to ${other.label} (--${other.role}), not to ${wanted.label} (--${wanted.role})`;
    return [`${begins(guess, other)}: ${belongs}.`, guess.confidence >= CERTAIN];
  }

  function stranger(kit, begin) {
    const others = kit.competitions.filter((one) => one.id !== kit.task);
    const guesses = others.map((task) => [task, guessOf(task, begin)]).filter(([, guess]) => guess);
    const sure = guesses.filter(([task, guess]) => guess.confidence >= MIN_CONFIDENCE && inputOf(task, guess.role));
    if (!sure.length) return null;
    const [task, guess] = sure.reduce((best, one) => (one[1].confidence > best[1].confidence ? one : best));
    const input = inputOf(task, guess.role);
    const what = `a file of another competition (${task.title}: ${input.label})`;
    return [`${begins(guess, input)}, ${what}.`, guess.confidence >= CERTAIN];
  }

  function foreign(begin, packed) {
    const what = Looks.foreign(begin, packed);
    return what ? [`This is ${what}, not a file of the competition.`, true] : null;
  }

  return { checking };
})();
