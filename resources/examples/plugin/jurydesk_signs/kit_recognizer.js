"use strict";

/* Street signs: the twin of sniff in readers.py, for the pages of all competitions. */

const { guess, has } = Roles;

function recognize(text) {
  if (has(text, "readings")) return guess("readings", 0.9, "readings of street signs");
  return has(text, "signs") ? guess("signs", 0.9, "street signs") : null;
}
