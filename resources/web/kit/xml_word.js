"use strict";

/* Attributes that a `<word>` of an ICFHR 2014 file needs. */

const XmlWord = (() => {
  const BOX = ["x", "y", "width", "height"];
  const NEEDED = ["document", ...BOX];
  const KNOWN = new Set([...NEEDED, "Text", "Relevance"]);
  const WHOLE = /^[+-]?[0-9]+$/;
  const VALID = /^[+-]?[0-9]{1,9}$/;

  /** Shorten a text for quoting in a message. */
  const short = (text) => (Text.length(text) <= 40 ? text : `${Text.head(text, 40)}...`);

  function isValid(attributes) {
    if (!attributes.get("document")) return false;
    for (const name of BOX) {
      const text = attributes.get(name);
      if (text === undefined || !VALID.test(text)) return false;
      if ((name === "width" || name === "height") && Number(text) <= 0) return false;
    }
    return true;
  }

  /** Return found, expected and hint for each error in the attributes of a word. */
  function errors(attributes) {
    const found = NEEDED.filter((name) => !attributes.has(name)).map((name) => missing(name, attributes));
    if (attributes.get("document") === "") {
      found.push(["document is empty.", "It names the page.", "Write the page's name."]);
    }
    const numbers = BOX.filter((name) => attributes.has(name));
    return [...found, ...numbers.map((name) => badNumber(name, attributes.get(name))).filter(Boolean)];
  }

  function missing(name, attributes) {
    const unknown = [...attributes.keys()].filter((other) => !KNOWN.has(other));
    const expected = "Every <word> needs document, x, y, width and height.";
    return [fill('attribute "{name}" is missing.', name), expected, suggestion(unknown, name) || fill("Add {name}.", name)];
  }

  function badNumber(name, text) {
    const values = [name, short(text)];
    if (!WHOLE.test(text)) {
      const expected = "x, y, width and height are whole numbers of pixels.";
      return [fill('{attribute}="{written}" is not a whole number.', ...values), expected, "Write digits only."];
    }
    if (!VALID.test(text)) return [fill('{attribute}="{written}" has more than nine digits.', ...values), "Boxes are in pixels.", "Correct it."];
    if (Number(text) > 0 || (name !== "width" && name !== "height")) return null;
    return [fill('{attribute}="{written}" is not positive.', ...values), "A box has a positive width and height.", "Correct the box."];
  }

  /** Return a question that suggests `right` for the first similar name, or empty. */
  function suggestion(names, right) {
    const letters = Text.characters(right.toLowerCase());
    for (const name of names) {
      if (CloseMatch.ratio(Text.characters(name.toLowerCase()), letters) >= 0.7) {
        return fill('"{name}" was found: did you mean "{right}"?', name, right);
      }
    }
    return "";
  }

  return { NEEDED, KNOWN, isValid, errors, suggestion, short };
})();
