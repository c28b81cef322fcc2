"use strict";

/* SHA-256 (FIPS 180-4) of bytes, as hexadecimal text: browsers offer none to pages opened from a disk. */

function sha256(bytes) {
  const primes = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((p) => n % p)) primes.push(n);
  const fraction = (x) => ((x - Math.floor(x)) * 4294967296) | 0;
  const K = primes.map((p) => fraction(Math.cbrt(p)));
  const H = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
  const rotated = (x, n) => (x >>> n) | (x << (32 - n));

  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  words.setUint32(padded.length - 4, bytes.length << 3);

  const W = new Int32Array(64);
  for (let start = 0; start < padded.length; start += 64) {
    for (let t = 0; t < 16; t += 1) W[t] = words.getInt32(start + 4 * t);
    for (let t = 16; t < 64; t += 1) {
      const s0 = rotated(W[t - 15], 7) ^ rotated(W[t - 15], 18) ^ (W[t - 15] >>> 3);
      const s1 = rotated(W[t - 2], 17) ^ rotated(W[t - 2], 19) ^ (W[t - 2] >>> 10);
      W[t] = W[t - 16] + s0 + W[t - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = H;
    for (let t = 0; t < 64; t += 1) {
      const S1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const one = (h + S1 + ((e & f) ^ (~e & g)) + K[t] + W[t]) | 0;
      const S0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const two = (S0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => { H[i] = (H[i] + x) | 0; });
  }
  return H.map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
}

/* HMAC-SHA-256 (RFC 2104) of a text with a key of 64 letters, which is one block, as hexadecimal. */

function hmac(key, text) {
  const letters = new TextEncoder().encode(key);
  const joined = (mask, rest) => new Uint8Array([...letters.map((byte) => byte ^ mask), ...rest]);
  const inner = sha256(joined(0x36, new TextEncoder().encode(text)));
  return sha256(joined(0x5c, inner.match(/../g).map((digits) => parseInt(digits, 16))));
}
