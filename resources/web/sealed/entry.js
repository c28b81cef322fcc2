"use strict";

/* Sealed entries made by the page (core/sealed/entry_file.py): a zip of the signed document and the encrypted file. */

const SealedEntry = (() => {
  const PRIVATE = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]; // PKCS #8 before a seed
  const [FORMAT, LONGEST_NAME, LONGEST_STATEMENT] = ["jurydesk private key", 120, 4000];
  const encoder = new TextEncoder();
  const random = (size) => crypto.getRandomValues(new Uint8Array(size));
  const json = (value) => encoder.encode(`${JSON.stringify(value, null, 1)}\n`);

  /** Refusal with a sentence for the user. */
  class SealError extends Error {
    constructor(said) { super(String(said)); this.said = said; }
  }

  /** Return the text of a new file of a team's key, as the program keeps it. */
  function newKey() {
    const [signing, encryption] = [Signed.encode(random(32)), Signed.encode(random(32))];
    return `${JSON.stringify({ format: FORMAT, role: "team", signing, encryption }, null, 1)}\n`;
  }

  /** Return the key for signatures of a file, and its public key. */
  async function readKey(text) {
    let found = null;
    try { found = JSON.parse(text); } catch (fault) { found = null; }
    const seed = found && found.format === FORMAT && found.role === "team" ? Signed.decode(found.signing) : [];
    if (seed.length !== 32) throw new SealError("This is not the file of a team's key.");
    const key = await crypto.subtle.importKey("pkcs8", new Uint8Array([...PRIVATE, ...seed]), "Ed25519", true, ["sign"]);
    const { x } = await crypto.subtle.exportKey("jwk", key);
    const padded = x.replace(/-/g, "+").replace(/_/g, "/").padEnd(44, "=");
    return { key, shown: Signed.decode(padded) };
  }

  function requireTeam(team, statement) {
    if (!team || [...team].length > LONGEST_NAME || /\p{C}/u.test(team.replace(/[\u200c\u200d]/g, ""))) {
      throw new SealError("A team needs a name of 1 to 120 letters, without control characters or double blanks.");
    }
    if ([...statement].length > LONGEST_STATEMENT) throw new SealError("The statement has more than 4,000 characters.");
  }

  /** Return encrypted bytes; browsers refuse a weak key, with which everybody would share the secret. */
  async function encrypted(bytes, recipient, info) {
    try {
      return await Sealing.encryptContent(bytes, recipient, info);
    } catch (fault) {
      if (fault.name !== "OperationError") throw fault;
      throw new SealError("The kit has no valid key of the organiser.");
    }
  }

  /** Return an entry with one file. `kit` is that of the page, `secret` the text of the team's key. */
  async function seal(kit, file, said, secret) {
    const team = said.team.trim().replace(/\s+/gu, " ");
    requireTeam(team, said.statement);
    const recipient = await Signed.parseKeyText(kit.entries.encryption, "jdx1");
    if (!recipient) throw new SealError("The kit has no valid key of the organiser.");
    const { key, shown } = await readKey(secret);
    const body = {
      competition: kit.title,
      reference: kit.sha256,
      team,
      statement: said.statement,
      nonce: Signed.hex(random(16)),
      made: `${new Date().toISOString().slice(0, 19)}Z`,
      files: [{ name: file.name, size: file.bytes.length, sha256: Signed.hex(await Signed.sha256(file.bytes)) }],
    };
    const message = Signed.message("entry", body);
    const signature = Signed.encode(new Uint8Array(await crypto.subtle.sign("Ed25519", key, message)));
    const document = { kind: "jurydesk-entry", schema: 1, body, key: Signed.encode(shown), signature };
    const content = await encrypted(file.bytes, recipient, await Signed.sha256(message));
    return zip([["entry.json", json(document)], ["files.enc", content]]);
  }

  /** Return whether this browser can sign and encrypt. */
  async function isSupported() {
    try {
      await crypto.subtle.generateKey("X25519", true, ["deriveBits"]);
      return await Signed.isSupported();
    } catch (fault) {
      return false;
    }
  }

  const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
    let value = n;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value;
  });

  function crc32(bytes) {
    let value = 0xffffffff;
    for (const one of bytes) value = TABLE[(value ^ one) & 255] ^ (value >>> 8);
    return (value ^ 0xffffffff) >>> 0;
  }

  /** Return numbers as bytes, the lowest first; each comes with its size. */
  function fields(...numbers) {
    return Uint8Array.from(numbers.flatMap(([size, value]) => Array.from({ length: size }, (_, i) => (value / 2 ** (8 * i)) & 255)));
  }

  /** Return a zip of members that are not compressed; the time of each is the first one of the format. */
  function zip(members) {
    let at = 0;
    const [whole, listed] = [[], []];
    for (const [name, bytes] of members) {
      const common = [[2, 20], [2, 0], [2, 0], [2, 0], [2, 0x21], [4, crc32(bytes)], [4, bytes.length], [4, bytes.length], [2, name.length], [2, 0]];
      const local = Sealing.joined(fields([4, 0x04034b50], ...common), encoder.encode(name), bytes);
      listed.push(Sealing.joined(fields([4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]), encoder.encode(name)));
      whole.push(local);
      at += local.length;
    }
    const list = Sealing.joined(...listed);
    const count = members.length;
    const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, list.length], [4, at], [2, 0]);
    return Sealing.joined(...whole, list, end);
  }

  return { seal, newKey, readKey, isSupported, SealError };
})();
