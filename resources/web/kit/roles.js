"use strict";

/* Detection of a file's role from its first bytes: role, confidence and format, by competition.
   Each competition has a recognizer, the counterpart of its `sniff` in Python. */

const Roles = (() => {
  const S = "[ \\t\\n\\r\\f\\v]*";
  const guess = (role, confidence, form) => ({ role, confidence, form });
  const has = (text, ...names) => names.every((name) => text.includes(`"${name}"`));
  const makers = new Map();

  /** Add a competition; `make` returns its recognizer. */
  const add = (id, make) => makers.set(id, make);

  /** Return the guess of a competition, or null; errors of a recognizer are ignored. */
  function of(id, begin) {
    try {
      return makers.has(id) ? makers.get(id)()(begin) || null : null;
    } catch (fault) {
      return null;
    }
  }

  return { S, guess, has, add, of };
})();
