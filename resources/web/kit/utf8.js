"use strict";

/* Decoding of UTF-8 with the position of the first error. */

/** UTF-8 decoder as Unicode recommends: each maximal invalid part becomes one U+FFFD. */
const Utf8 = {
  decode(bytes) {
    const whole = this.whole(bytes);
    if (whole !== null) return { text: whole, first: -1, wrong: 0, before: "" };
    const parts = [];
    let units = [];
    let [first, wrong, before] = [-1, 0, ""];
    for (let i = 0; i < bytes.length;) {
      if (units.length > 8000) { parts.push(String.fromCharCode(...units)); units = []; }
      const lead = bytes[i];
      if (lead < 0x80) { units.push(lead); i += 1; continue; }
      let [needed, low, high] = [0, 0x80, 0xbf];
      if (lead >= 0xc2 && lead <= 0xdf) needed = 1;
      else if (lead >= 0xe0 && lead <= 0xef) needed = 2;
      else if (lead >= 0xf0 && lead <= 0xf4) needed = 3;
      if (lead === 0xe0) low = 0xa0;
      if (lead === 0xed) high = 0x9f;
      if (lead === 0xf0) low = 0x90;
      if (lead === 0xf4) high = 0x8f;
      let code = lead & (needed === 1 ? 0x1f : needed === 2 ? 0x0f : 0x07);
      let taken = 0;
      while (taken < needed && bytes[i + 1 + taken] >= low && bytes[i + 1 + taken] <= high) {
        code = (code << 6) | (bytes[i + 1 + taken] & 0x3f);
        [low, high] = [0x80, 0xbf];
        taken += 1;
      }
      if (!needed || taken < needed) {
        if (first < 0) {
          first = i;
          before = parts.join("") + String.fromCharCode(...units);
        }
        wrong += 1;
        code = 0xfffd;
      }
      if (code < 0x10000) units.push(code);
      else units.push(0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
      i += 1 + taken;
    }
    parts.push(String.fromCharCode(...units));
    return { text: parts.join(""), first, wrong, before };
  },

  /** Decode with the browser's fast decoder; null if a byte is invalid. */
  whole(bytes) {
    if (typeof TextDecoder === "undefined") return null;
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (fault) {
      return null;
    }
  },
};
