"use strict";

/* Recognizer of declared competitions: the list of metrics of competition.toml. */

const METRICS = /^[ \t]*\[\[[ \t]*metrics[ \t]*\]\][ \t\r]*(?:#.*)?$/m;

function recognize(text) {
  const isOther = /^[ \t\n\r\f\v]*[{<]/.test(text);
  return METRICS.test(text) && !isOther ? Roles.guess("competition", 1.0, "a declared competition") : null;
}
