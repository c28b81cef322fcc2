"use strict";

/* What the first bytes of a file look like to each competition: its role, how sure that is, its form.
   Every competition brings its own recognizer, a function `recognize`, as its `sniff` in Python. */

const Roles = (() => {
  const S = "[ \\t\\n\\r\\f\\v]*";
  const guess = (role, confidence, form) => ({ role, confidence, form });
  const has = (text, ...names) => names.every((name) => text.includes(`"${name}"`));
  const makers = new Map();

  /** Add a competition; `make` returns its function that recognizes its files. */
  const add = (id, make) => makers.set(id, make);

  /** The guess of a competition, or null; a recognizer that fails disturbs no other one. */
  function of(id, begin) {
    try {
      return makers.has(id) ? makers.get(id)()(begin) || null : null;
    } catch (fault) {
      return null;
    }
  }

  return { S, guess, has, add, of };
})();
