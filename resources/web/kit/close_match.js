"use strict";

/* Most similar name, as found by Python's difflib. */
const CloseMatch = (() => {
  const CUTOFF = 0.6;

  function match(word, names) {
    const wanted = Text.characters(word);
    let best = null;
    for (const name of names) {
      const score = ratio(Text.characters(name), wanted);
      if (score < CUTOFF) continue;
      if (!best || score > best.score || (score === best.score && Text.compare(name, best.name) > 0)) {
        best = { score, name };
      }
    }
    return best ? best.name : null;
  }

  /** Return the similarity of two lists of characters, from 0 to 1; 0 may replace values below `CUTOFF`. */
  function ratio(one, other) {
    const total = one.length + other.length;
    if (!total) return 1;
    // Upper bound by length, as in difflib: at most the shorter text can match.
    if ((2 * Math.min(one.length, other.length)) / total < CUTOFF) return 0;
    const places = new Map();
    other.forEach((letter, i) => places.set(letter, [...(places.get(letter) || []), i]));
    let matches = 0;
    const parts = [[0, one.length, 0, other.length]];
    while (parts.length) {
      const [low, high, otherLow, otherHigh] = parts.pop();
      const [i, j, size] = longest(one, places, low, high, otherLow, otherHigh);
      if (!size) continue;
      matches += size;
      parts.push([low, i, otherLow, j], [i + size, high, j + size, otherHigh]);
    }
    return (2 * matches) / total;
  }

  function longest(one, places, low, high, otherLow, otherHigh) {
    let [bestI, bestJ, bestSize] = [low, otherLow, 0];
    let lengths = new Map();
    for (let i = low; i < high; i += 1) {
      const next = new Map();
      for (const j of places.get(one[i]) || []) {
        if (j < otherLow) continue;
        if (j >= otherHigh) break;
        const size = (lengths.get(j - 1) || 0) + 1;
        next.set(j, size);
        if (size > bestSize) [bestI, bestJ, bestSize] = [i - size + 1, j - size + 1, size];
      }
      lengths = next;
    }
    return [bestI, bestJ, bestSize];
  }

  return { match, ratio };
})();
