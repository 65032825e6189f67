import { createCipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from 'node:crypto';

/** The keys of a browser's push subscription. */
export interface PushKeys {
  /** Its public key: an uncompressed point of P-256. */
  readonly publicKey: Uint8Array;
  /** The secret that it shares with the server. */
  readonly auth: Uint8Array;
}

/** The random parts of an encrypted message, fixed only to check against a known result. */
export interface PushRandomness {
  readonly salt: Uint8Array;
  readonly sender: ECDH;
}

/** The curve of Web Push. */
export const pushCurve = 'prime256v1';

/** RFC 8188: larger than any message, so that there is one record. */
const recordBytes = 4096;

/**
 * Encrypts a message for one browser, as the push service forwards it: RFC 8291 with the content coding `aes128gcm` of RFC 8188.
 *
 * @param paddedBytes The size that messages are padded to, so that it says nothing about them. @default the message is not padded
 */
export function encryptPush(
  message: Uint8Array,
  { publicKey, auth }: PushKeys,
  { paddedBytes = 0, random = newRandomness() }: { paddedBytes?: number; random?: PushRandomness } = {},
): Uint8Array<ArrayBuffer> {
  const { salt, sender } = random;
  const senderKey = sender.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey]);
  const secret = new Uint8Array(hkdfSync('sha256', sender.computeSecret(publicKey), auth, info, 32));
  const derive = (purpose: string, length: number): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', secret, salt, `Content-Encoding: ${purpose}\0`, length));
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  const padding = Buffer.alloc(Math.max(0, paddedBytes - message.byteLength));
  const record = Buffer.concat([message, Buffer.of(lastRecord), padding]);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(recordBytes);
  header.writeUInt8(senderKey.byteLength, 4);
  const encrypted = [cipher.update(record), cipher.final(), cipher.getAuthTag()];
  return new Uint8Array(Buffer.concat([salt, header, senderKey, ...encrypted]));
}

/** RFC 8188, 2: the delimiter between the last record and its padding. */
const lastRecord = 2;

function newRandomness(): PushRandomness {
  const sender = createECDH(pushCurve);
  sender.generateKeys();
  return { salt: randomBytes(16), sender };
}
