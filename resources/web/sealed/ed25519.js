"use strict";

/* Signatures of Ed25519 (RFC 8032, section 5.1.7), checked where the browser has none of its own. */

const Ed25519 = (() => {
  const PRIME = 2n ** 255n - 19n;
  const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
  const KEY_BYTES = 32;

  const mod = (value, by = PRIME) => ((value % by) + by) % by;
  const inverse = (value) => power(value, PRIME - 2n);
  const CURVE = mod(-121665n * inverse(121666n));
  const ROOT = power(2n, (PRIME - 1n) / 4n);
  const BASE = point(mod(4n * inverse(5n)), 0n);

  function power(value, exponent) {
    let [found, square] = [1n, mod(value)];
    for (let rest = exponent; rest; rest >>= 1n) {
      if (rest & 1n) found = mod(found * square);
      square = mod(square * square);
    }
    return found;
  }

  /** Return the point [X, Y, Z, T] with this y and sign of x; null if there is none. */
  function point(y, sign) {
    const square = mod((y * y - 1n) * inverse(CURVE * y * y + 1n));
    const root = power(square, (PRIME + 3n) / 8n);
    const x = [root, mod(root * ROOT)].find((one) => mod(one * one) === square);
    if (x === undefined) return null;
    const signed = (x & 1n) === sign ? x : mod(-x);
    return [signed, y, 1n, mod(signed * y)];
  }

  /** Return the sum of two points, also of equal ones (section 5.1.4). */
  function sum([x1, y1, z1, t1], [x2, y2, z2, t2]) {
    const [a, b] = [mod((y1 - x1) * (y2 - x2)), mod((y1 + x1) * (y2 + x2))];
    const [c, d] = [mod(2n * t1 * t2 * CURVE), mod(2n * z1 * z2)];
    const [e, f, g, h] = [b - a, d - c, d + c, b + a];
    return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
  }

  function times(factor, one) {
    let [found, double] = [[0n, 1n, 1n, 0n], one];
    for (let rest = factor; rest; rest >>= 1n) {
      if (rest & 1n) found = sum(found, double);
      double = sum(double, double);
    }
    return found;
  }

  const number = (bytes) => [...bytes].reduceRight((found, one) => (found << 8n) | BigInt(one), 0n);

  /** Return whether a signature (64 bytes) of a public key (32 bytes) fits a message. */
  async function verify(key, signature, message) {
    const [encoded, owner] = [signature.slice(0, KEY_BYTES), number(key)];
    const factor = number(signature.slice(KEY_BYTES));
    const [y, sign] = [owner & (2n ** 255n - 1n), owner >> 255n];
    const negative = y < PRIME && point(y, 1n - sign);
    if (!negative || factor >= ORDER) return false;
    const hashed = await crypto.subtle.digest("SHA-512", new Uint8Array([...encoded, ...key, ...message]));
    const hash = mod(number(new Uint8Array(hashed)), ORDER);
    const [x, height, depth] = sum(times(factor, BASE), times(hash, negative));
    const scale = inverse(depth);
    return number(encoded) === (mod(height * scale) | ((mod(x * scale) & 1n) << 255n));
  }

  return { verify };
})();
