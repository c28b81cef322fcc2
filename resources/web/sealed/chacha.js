"use strict";

/* ChaCha20-Poly1305 (RFC 8439), which browsers lack, and HPKE (RFC 9180) with it over X25519 and HKDF-SHA256. */

const Sealing = (() => {
  const [CHUNK_BYTES, PRIME] = [64 << 10, 2n ** 130n - 5n];
  const CLAMP = 0x0ffffffc0ffffffc0ffffffc0fffffffn;
  const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
  const encoder = new TextEncoder();
  const EMPTY = new Uint8Array(0);

  function joined(...parts) {
    const all = new Uint8Array(parts.reduce((size, one) => size + one.length, 0));
    let at = 0;
    for (const one of parts) { all.set(one, at); at += one.length; }
    return all;
  }

  /** Return the words of bytes, the lowest byte first on any machine. */
  function words(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
  }

  const turned = (value, bits) => (value << bits) | (value >>> (32 - bits));

  function quarter(x, a, b, c, d) {
    x[a] += x[b]; x[d] = turned(x[d] ^ x[a], 16);
    x[c] += x[d]; x[b] = turned(x[b] ^ x[c], 12);
    x[a] += x[b]; x[d] = turned(x[d] ^ x[a], 8);
    x[c] += x[d]; x[b] = turned(x[b] ^ x[c], 7);
  }

  /** Return a block of 64 bytes of the key stream. */
  function block(start, counter) {
    const state = Uint32Array.from(start);
    state[12] = counter;
    const x = Uint32Array.from(state);
    for (let i = 0; i < 10; i += 1) {
      for (let column = 0; column < 4; column += 1) quarter(x, column, column + 4, column + 8, column + 12);
      for (let slant = 0; slant < 4; slant += 1) {
        quarter(x, slant, 4 + ((slant + 1) & 3), 8 + ((slant + 2) & 3), 12 + ((slant + 3) & 3));
      }
    }
    const bytes = new DataView(new ArrayBuffer(64));
    for (let i = 0; i < 16; i += 1) bytes.setUint32(4 * i, x[i] + state[i], true);
    return new Uint8Array(bytes.buffer);
  }

  function littleEndian(bytes) {
    let value = 0n;
    for (let i = bytes.length - 1; i >= 0; i -= 1) value = (value << 8n) | BigInt(bytes[i]);
    return value;
  }

  /** Return the number of 16 bytes with a one after them. */
  function numberOf(view, at) {
    return view.getBigUint64(at, true) | (view.getBigUint64(at + 8, true) << 64n) | (1n << 128n);
  }

  /** Return the tag of bytes whose size is a multiple of 16. */
  function poly1305(key, bytes) {
    const [r, s] = [littleEndian(key.subarray(0, 16)) & CLAMP, littleEndian(key.subarray(16, 32))];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let sum = 0n;
    for (let at = 0; at < bytes.length; at += 16) sum = ((sum + numberOf(view, at)) * r) % PRIME;
    const tag = new DataView(new ArrayBuffer(16));
    tag.setBigUint64(0, BigInt.asUintN(64, sum + s), true);
    tag.setBigUint64(8, BigInt.asUintN(64, (sum + s) >> 64n), true);
    return new Uint8Array(tag.buffer);
  }

  const padding = (size) => new Uint8Array((16 - (size % 16)) % 16);

  function sizeBytes(size) {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(size), true);
    return new Uint8Array(view.buffer);
  }

  /** Return a text encrypted and authenticated: its bytes, then the tag. */
  function encrypted(key, nonce, plain, known = EMPTY) {
    const start = [...CONSTANTS, ...words(key), 0, ...words(nonce)];
    const hidden = Uint8Array.from(plain);
    for (let at = 0; at < hidden.length; at += 64) {
      const stream = block(start, 1 + at / 64);
      const end = Math.min(64, hidden.length - at);
      for (let i = 0; i < end; i += 1) hidden[at + i] ^= stream[i];
    }
    const covered = joined(known, padding(known.length), hidden, padding(hidden.length), sizeBytes(known.length), sizeBytes(hidden.length));
    return joined(hidden, poly1305(block(start, 0), covered));
  }

  async function hmac(key, bytes) {
    const known = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", known, bytes));
  }

  const VERSION = encoder.encode("HPKE-v1");
  const KEM = joined(encoder.encode("KEM"), [0, 0x20]);
  const SUITE = joined(encoder.encode("HPKE"), [0, 0x20, 0, 1, 0, 3]);
  const NO_SALT = new Uint8Array(32); // of HKDF: an empty salt is one of zeros

  const extract = (suite, salt, label, secret) => hmac(salt, joined(VERSION, suite, encoder.encode(label), secret));

  /** Return up to 32 bytes of a secret. */
  async function expand(suite, secret, label, info, size) {
    const text = joined([0, size], VERSION, suite, encoder.encode(label), info, [1]);
    return (await hmac(secret, text)).slice(0, size);
  }

  /** Return a short text for a recipient's public key: the sender's, then the encrypted text. */
  async function wrapped(plain, recipient, info) {
    const sender = await crypto.subtle.generateKey("X25519", true, ["deriveBits"]);
    const known = await crypto.subtle.importKey("raw", recipient, "X25519", true, []);
    const shared = new Uint8Array(await crypto.subtle.deriveBits({ name: "X25519", public: known }, sender.privateKey, 256));
    const own = new Uint8Array(await crypto.subtle.exportKey("raw", sender.publicKey));
    const first = await extract(KEM, NO_SALT, "eae_prk", shared);
    const agreed = await expand(KEM, first, "shared_secret", joined(own, recipient), 32);
    const hashes = [await extract(SUITE, NO_SALT, "psk_id_hash", EMPTY), await extract(SUITE, NO_SALT, "info_hash", info)];
    const context = joined([0], ...hashes);
    const secret = await extract(SUITE, agreed, "secret", EMPTY);
    const key = await expand(SUITE, secret, "key", context, 32);
    const nonce = await expand(SUITE, secret, "base_nonce", context, 12);
    return joined(own, encrypted(key, nonce, plain));
  }

  function chunkNonce(number, isLast) {
    const view = new DataView(new ArrayBuffer(12));
    view.setBigUint64(3, BigInt(number));
    view.setUint8(11, isLast ? 1 : 0);
    return new Uint8Array(view.buffer);
  }

  /** Return content that only the recipient opens (core/sealed/encryption.py). */
  async function encryptContent(content, recipient, info) {
    const key = crypto.getRandomValues(new Uint8Array(32));
    const parts = [await wrapped(key, recipient, info)];
    const count = Math.max(1, Math.ceil(content.length / CHUNK_BYTES));
    for (let i = 0; i < count; i += 1) {
      const chunk = content.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES);
      parts.push(encrypted(key, chunkNonce(i, i === count - 1), chunk));
      if (i % 16 === 15) await new Promise((done) => { setTimeout(done); }); // lets the browser draw
    }
    return joined(...parts);
  }

  return { encrypted, encryptContent, joined };
})();
