/**
 * Members of a zip that are encrypted with a password: the old cipher of PKZIP and AES as WinZip and 7-Zip write it.
 *
 *   PKZIP:  12 bytes header, the last of them a check │ data
 *   AES:    salt 8, 12 or 16 │ 2 bytes check │ data, counter mode with little-endian counter from 1 │ 10 bytes HMAC-SHA1
 *
 * Source: APPNOTE.TXT 6.3.10, 6.1; "AES Encryption Information" (AE-1, AE-2), WinZip. Not covered: strong encryption of PKWARE, other
 * encodings of the password than UTF-8.
 */
import { createCipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';

/** Method number of an AES member; its own method stands in the extra field. */
export const AES_METHOD = 99;
const AES_EXTRA = 0x9901;
const AES_MAC_BYTES = 10;
const ITERATIONS = 1000;

/** The password does not open it. One wrong in 256 (PKZIP) or 65,536 (AES) passes, and is found by the checksum. */
export class WrongPasswordError extends Error {
  override readonly name = 'WrongPasswordError';
}
/** The content was changed, or its end is missing. */
export class CipherDamageError extends Error {
  override readonly name = 'CipherDamageError';
}

export type ZipCipher =
  | { readonly kind: 'pkzip'; readonly method: number; readonly check: number }
  | { readonly kind: 'aes'; readonly method: number; readonly keyBytes: number; readonly hasCrc: boolean };

export interface EncryptedMember {
  readonly generalPurposeBitFlag: number;
  readonly compressionMethod: number;
  readonly crc32: number;
  /** DOS time. */
  readonly lastModFileTime: number;
  readonly extraFields: readonly { readonly id: number; readonly data: Buffer }[];
}

/** How a member is encrypted; undefined for ways that are not known. */
export function zipCipherOf(member: EncryptedMember): ZipCipher | undefined {
  const flags = member.generalPurposeBitFlag;
  if ((flags & 0x40) !== 0) return undefined;
  if (member.compressionMethod !== AES_METHOD) {
    const check = (flags & 8) !== 0 ? member.lastModFileTime >>> 8 : member.crc32 >>> 24;
    return { kind: 'pkzip', method: member.compressionMethod, check: check & 0xff };
  }
  const extra = member.extraFields.find((field) => field.id === AES_EXTRA)?.data;
  const strength = extra?.[4] ?? 0;
  if (extra === undefined || extra.length < 7 || strength < 1 || strength > 3) return undefined;
  return {
    kind: 'aes',
    method: extra.readUInt16LE(5),
    keyBytes: 8 + strength * 8,
    hasCrc: extra.readUInt16LE(0) === 1,
  };
}

/** The packed bytes in clear. Throws WrongPasswordError before the first of them, CipherDamageError after the last. */
export const decryptZip = (
  cipher: ZipCipher,
  password: string,
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> =>
  cipher.kind === 'pkzip' ? pkzipClear(cipher.check, password, source) : aesClear(cipher.keyBytes, password, source);

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
  let crc = i;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});
const crcStep = (crc: number, byte: number): number => (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0);

class PkzipKeys {
  #a = 0x12345678;
  #b = 0x23456789;
  #c = 0x34567890;

  update(byte: number): void {
    this.#a = crcStep(this.#a, byte);
    this.#b = (Math.imul(this.#b + (this.#a & 0xff), 134_775_813) + 1) | 0;
    this.#c = crcStep(this.#c, this.#b >>> 24);
  }

  clear(byte: number): number {
    const mix = (this.#c | 2) & 0xffff;
    const plain = byte ^ ((Math.imul(mix, mix ^ 1) >>> 8) & 0xff);
    this.update(plain);
    return plain;
  }
}

async function* pkzipClear(check: number, password: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const keys = new PkzipKeys();
  for (const byte of Buffer.from(password, 'utf8')) keys.update(byte);
  let header = 12;
  for await (const chunk of source) {
    const clear = Buffer.allocUnsafe(chunk.length);
    let filled = 0;
    for (let i = 0; i < chunk.length; i += 1) {
      const plain = keys.clear(chunk[i] ?? 0);
      if (header === 0) {
        clear[filled] = plain;
        filled += 1;
        continue;
      }
      header -= 1;
      if (header === 0 && plain !== check) throw new WrongPasswordError('wrong password');
    }
    if (filled > 0) yield clear.subarray(0, filled);
  }
  if (header > 0) throw new CipherDamageError('it ends inside the header of its encryption');
}

async function* aesClear(keyBytes: number, password: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const saltBytes = keyBytes / 2;
  let held: Buffer = Buffer.alloc(0);
  let open: { readonly mask: (bytes: Buffer) => Buffer; readonly mac: ReturnType<typeof createHmac> } | undefined;
  for await (const chunk of source) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    if (open === undefined) {
      if (held.length < saltBytes + 2) continue;
      const keys = pbkdf2Sync(password, held.subarray(0, saltBytes), ITERATIONS, keyBytes * 2 + 2, 'sha1');
      if (!keys.subarray(keyBytes * 2).equals(held.subarray(saltBytes, saltBytes + 2)))
        throw new WrongPasswordError('wrong password');
      open = {
        mask: littleEndianCounter(keys.subarray(0, keyBytes)),
        mac: createHmac('sha1', keys.subarray(keyBytes, keyBytes * 2)),
      };
      held = held.subarray(saltBytes + 2);
    }
    // The code at the end is no content; whole blocks only, so that the counter stays in step.
    const ready = Math.max(0, held.length - AES_MAC_BYTES) & ~15;
    if (ready === 0) continue;
    const packed = held.subarray(0, ready);
    open.mac.update(packed);
    yield open.mask(packed);
    held = held.subarray(ready);
  }
  if (open === undefined || held.length < AES_MAC_BYTES)
    throw new CipherDamageError('it ends inside its encrypted content');
  const rest = held.subarray(0, held.length - AES_MAC_BYTES);
  open.mac.update(rest);
  if (rest.length > 0) yield open.mask(rest);
  const code = open.mac.digest().subarray(0, AES_MAC_BYTES);
  if (!timingSafeEqual(code, held.subarray(-AES_MAC_BYTES)))
    throw new CipherDamageError('its authentication code does not match');
}

/** Counter mode as these files have it; the one of the library counts from the other end. */
function littleEndianCounter(key: Buffer): (bytes: Buffer) => Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  let block = 1;
  return (bytes) => {
    const counters = Buffer.alloc((bytes.length + 15) & ~15);
    for (let at = 0; at < counters.length; at += 16) {
      counters.writeUInt32LE(block % 2 ** 32, at);
      counters.writeUInt32LE(Math.floor(block / 2 ** 32), at + 4);
      block += 1;
    }
    const mask = cipher.update(counters);
    const clear = Buffer.allocUnsafe(bytes.length);
    for (let i = 0; i < bytes.length; i += 1) clear[i] = (bytes[i] ?? 0) ^ (mask[i] ?? 0);
    return clear;
  };
}
