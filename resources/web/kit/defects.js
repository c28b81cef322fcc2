"use strict";

/* Defects of a file, as in the organiser's program. */

/** A file that a browser cannot read but the organiser's program can; the message says what to do. */
class UnsupportedFile extends Error {
  constructor(said) { super(String(said)); this.said = said; }
}

const Defects = (() => {
  const place = (path, line, column, jsonPath) => ({
    path, line: line === undefined ? null : line, column: column === undefined ? null : column,
    json_path: jsonPath === undefined ? null : jsonPath,
  });

  function made(severity, where, found, expected, hint, count) {
    return {
      severity, place: where, found, expected: expected || "", hint: hint || "",
      count: count === undefined ? 1 : count, repair: null, transformation: null,
    };
  }

  const error = (where, found, expected, hint) => made("error", where, found, expected, hint);
  const warning = (where, found, expected, hint, count) =>
    made("warning", where, found, expected, hint, count);
  const note = (where, found, hint, count) => made("note", where, found, "", hint, count);
  const hasErrors = (defects) => defects.some((one) => one.severity === "error");

  /** Return a place as the start of a message: file, line, column or path. */
  function named({ path, line, column, json_path: inside }) {
    const name = path.replace(/\\/g, "/").split("/").pop();
    if (line === null) return inside ? fill("{name}, {path}", name, inside) : fill("{name}", name);
    if (column === null) return fill("{name}, line {line}", name, line);
    return fill("{name}, line {line}, column {column}", name, line, column);
  }

  return { place, made, error, warning, note, hasErrors, named };
})();
