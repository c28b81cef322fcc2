"use strict";

/* Signed documents (core/sealed/signed_document.py): their canonical form, their signatures, public keys. */

const Signed = (() => {
  const MEMBERS = "body,key,kind,schema,signature";
  const [KEY_BYTES, SIGNATURE_BYTES, CHECK_BYTES] = [32, 64, 3];
  const PRIME = 2n ** 255n - 19n;
  const ORDER_8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
  const SMALL_ORDER = [0n, 1n, PRIME - 1n, ORDER_8, PRIME - ORDER_8];
  const [CONSONANTS, VOWELS, BASE_32] = ["bdfghjklmnprstvz", "aiou", "abcdefghijklmnopqrstuvwxyz234567"];
  const encoder = new TextEncoder();

  /** Compare two texts by their characters, as Python does. */
  function compare(one, other) {
    const [first, second] = [[...one], [...other]];
    const i = first.findIndex((letter, at) => letter !== second[at]);
    if (i < 0) return first.length - second.length;
    return i < second.length ? first[i].codePointAt(0) - second[i].codePointAt(0) : 1;
  }

  /** Return the one text of a JSON value that is signed. */
  function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (!value || typeof value !== "object") return JSON.stringify(value);
    const names = Object.keys(value).sort(compare);
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
  }

  const message = (kind, body) => encoder.encode(`jurydesk-${kind}-v1\n${canonical(body)}`);

  const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = (bytes) => [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");

  /** Return the bytes of a text in base 64; none if it is no such text. */
  function decode(text) {
    const valid = typeof text === "string" && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
    return Uint8Array.from(valid ? atob(text) : "", (letter) => letter.charCodeAt(0));
  }

  const encode = (bytes) => btoa(String.fromCharCode(...bytes));

  /** Return whether a public key is of small order, or not in its only form. */
  function isWeak(key) {
    const y = BigInt(`0x${hex([...key].reverse())}`) & (2n ** 255n - 1n);
    return SMALL_ORDER.includes(y) || y >= PRIME;
  }

  /** Return whether a JSON text has a number that is not signed: with a fraction, or not exact in a browser. */
  function hasFraction(source) {
    const numbers = source.replace(/"(?:[^"\\]|\\.)*"/gs, "").match(/-?\d[\d.eE+-]*/g) || [];
    return numbers.some((one) => /[.eE]/.test(one) || !Number.isSafeInteger(Number(one)));
  }

  /** Return how many members the objects of a value have. */
  function countMembers(value) {
    if (!value || typeof value !== "object") return 0;
    const own = Array.isArray(value) ? 0 : Object.keys(value).length;
    return Object.values(value).reduce((sum, one) => sum + countMembers(one), own);
  }

  /** Return whether an object of a JSON text has a member twice, of which a browser would read the last. */
  function hasMemberTwice(source, value) {
    return (source.replace(/"(?:[^"\\]|\\.)*"/gs, "").match(/:/g) || []).length !== countMembers(value);
  }

  /** Return whether this browser signs and checks signatures of our kind (Ed25519). */
  async function isSupported() {
    try {
      await crypto.subtle.importKey("raw", new Uint8Array([9, ...new Uint8Array(31)]), "Ed25519", true, ["verify"]);
      return true;
    } catch (fault) {
      // Another fault than a missing algorithm means that the key alone was not liked.
      return Boolean(globalThis.crypto && crypto.subtle) && fault.name !== "NotSupportedError";
    }
  }

  /** Return whether a signature fits: by the browser, or by the page where it cannot. */
  async function isSigned(key, signature, bytes) {
    if (!await isSupported()) return Ed25519.verify(key, signature, bytes);
    const known = await crypto.subtle.importKey("raw", key, "Ed25519", true, ["verify"]);
    return crypto.subtle.verify("Ed25519", known, signature, bytes);
  }

  /** Return the verdict of Python's `check_document` on a JSON text; `unsupported` where the page cannot tell. */
  async function verdict(kind, source) {
    let document;
    try { document = JSON.parse(source); } catch (fault) { return "altered"; }
    if (hasMemberTwice(source, document)) return "altered";
    const isOfKind = document && document.kind === `jurydesk-${kind}` && document.schema === 1;
    const hasBody = isOfKind && document.body && typeof document.body === "object" && !Array.isArray(document.body);
    if (!hasBody) return "another kind of document";
    if (hasFraction(source)) return "floats are not signed";
    const [key, signature] = [decode(document.key), decode(document.signature)];
    if (key.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return "wrong length";
    if (isWeak(key)) return "weak key";
    if (Object.keys(document).sort().join() !== MEMBERS) return "altered";
    if (!globalThis.crypto || !crypto.subtle) return "unsupported";
    try {
      return await isSigned(key, signature, message(kind, document.body)) ? "ok" : "altered";
    } catch (fault) {
      return "altered";
    }
  }

  /** Return the text of a public key, with the checksum of its kind (core/sealed/public_keys.py). */
  async function keyText(key, kind = "jdk1") {
    const checksum = (await sha256(new Uint8Array([...encoder.encode(kind), ...key]))).slice(0, CHECK_BYTES);
    const bits = [...key, ...checksum].map((one) => one.toString(2).padStart(8, "0")).join("");
    return kind + bits.match(/.{1,5}/g).map((five) => BASE_32[parseInt(five.padEnd(5, "0"), 2)]).join("");
  }

  /** Return the public key of a text; null for a wrong or mistyped one. */
  async function parseKeyText(text, kind) {
    const letters = [...text.slice(kind.length)].map((letter) => BASE_32.indexOf(letter));
    if (!text.startsWith(kind) || letters.includes(-1)) return null;
    const bits = letters.map((one) => one.toString(2).padStart(5, "0")).join("");
    const key = new Uint8Array(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2))).slice(0, KEY_BYTES);
    return await keyText(key, kind) === text ? key : null;
  }

  /** Return the eight words of a public key. */
  async function keyWords(key) {
    const digest = await sha256(new Uint8Array([...encoder.encode("jdk1"), ...key]));
    return Array.from({ length: 8 }, (_, i) => word(256 * digest[2 * i] + digest[2 * i + 1])).join(" ");
  }

  function word(value) {
    let [letters, rest] = ["", value];
    for (let position = 0; position < 5; position += 1) {
      const source = position % 2 ? VOWELS : CONSONANTS;
      letters = source[rest % source.length] + letters;
      rest = Math.floor(rest / source.length);
    }
    return letters;
  }

  return { message, sha256, hex, decode, encode, verdict, isSupported, keyText, parseKeyText, keyWords };
})();
