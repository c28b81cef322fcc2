"use strict";

/* Defects of a file, as in the organiser's program. */

/** A file that a browser cannot read but the organiser's program can; the message says what to do. */
class UnsupportedFile extends Error {}

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
  function named(where) {
    const name = where.path.replace(/\\/g, "/").split("/").pop();
    if (where.line !== null) {
      const line = `${name}, line ${where.line}`;
      return where.column === null ? line : `${line}, column ${where.column}`;
    }
    return where.json_path ? `${name}, ${where.json_path}` : name;
  }

  return { place, made, error, warning, note, hasErrors, named };
})();
