"use strict";

/* Recognizer of declared competitions: the list of metrics of competition.toml. */

const METRICS = /^[ \t\n\r\f\v]*\[\[[ \t\n\r\f\v]*metrics[ \t\n\r\f\v]*\]\][ \t\n\r\f\v]*(?:#.*)?$/m;

function recognize(text) {
  const isOther = /^[ \t\n\r\f\v]*[{<]/.test(text);
  return METRICS.test(text) && !isOther ? Roles.guess("competition", 1.0, "a declared competition") : null;
}
