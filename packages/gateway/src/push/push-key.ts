import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { pushCurve } from './encrypt-push.ts';

/** The key by which push services recognize this server (VAPID, RFC 8292). */
export interface PushKey {
  /** What pages subscribe with: an uncompressed point of P-256, in Base64url. */
  readonly publicKey: string;
  /** The header `authorization` of a message to a push service. */
  authorize(endpoint: URL, nowMs: number): string;
}

/** How long one signature is valid. RFC 8292 allows a day. */
const signatureMs = 12 * 60 * 60_000;

/** Whom the operator of a push service may contact. Apple rejects a message without an address, or with one that cannot exist. */
const contact = 'https://www.npmjs.com/package/parley-acp';

/** Makes a private key, as it is stored: PKCS #8 in Base64url. */
export function makePrivateKey(): string {
  return generateKeyPairSync('ec', { namedCurve: pushCurve })
    .privateKey.export({ format: 'der', type: 'pkcs8' })
    .toString('base64url');
}

/** The key that is stored like this. @throws where it is none */
export function toPushKey(stored: string): PushKey {
  const key = createPrivateKey({ key: Buffer.from(stored, 'base64url'), format: 'der', type: 'pkcs8' });
  const { x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const publicKey = point.toString('base64url');
  return {
    publicKey,
    authorize: ({ origin }, nowMs) => {
      const claims = { aud: origin, exp: Math.floor((nowMs + signatureMs) / 1000), sub: contact };
      const signed = [{ typ: 'JWT', alg: 'ES256' }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
      return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
    },
  };
}
