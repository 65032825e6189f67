import { ECDH } from 'node:crypto';
import { isIP } from 'node:net';
import {
  checkValue,
  fields,
  listOf,
  oneOf,
  optional,
  pathText,
  text,
  type Schema,
} from '@parley/workspace/schema';
import * as v from 'valibot';
import { pushCurve } from './encrypt-push.ts';

/** What a device is notified of: a session needs its user, or a turn ended. */
export type PushKind = (typeof pushKinds)[number];

/** All kinds. */
export const pushKinds = ['question', 'finished'] as const;

/** The subscription that `PushManager.subscribe` returned in the page. */
export interface PushSubscription {
  /** The address at the push service. It is a secret: messages can be sent to it. */
  readonly endpoint: string;
  /** In Base64url. */
  readonly publicKey: string;
  /** In Base64url. */
  readonly auth: string;
}

/** A browser that asked for notifications. */
export interface PushDevice extends PushSubscription {
  /** Random, and no credential. */
  readonly id: string;
  /** What its user calls it. */
  readonly name: string;
  readonly kinds: readonly PushKind[];
  /** The browser session that asked: the device is notified while this session is signed in. */
  readonly browser: string;
  /** SHA-256 of the token of that session. */
  readonly token: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A page's request to register its device. */
export interface PushRequest extends PushSubscription {
  readonly name?: string;
  readonly kinds?: readonly PushKind[];
}

/** Which addresses a push service may have. */
export type AllowsAddress = (address: string) => boolean;

/** The longest address at a push service. */
const mostEndpointCharacters = 2048;

/** The longest name of a device. */
const mostNameCharacters = 80;

const nameWords = `text of at most ${String(mostNameCharacters)} characters`;
const name = v.pipe(v.string(nameWords), v.maxLength(mostNameCharacters, nameWords));
const kinds: Schema<PushKind[]> = listOf(oneOf(pushKinds));
const publicKey = v.custom<string>(isPoint, 'the public key of a push subscription');
const auth = v.custom<string>(isSecret, 'the secret of a push subscription');

function endpointAt(allows: AllowsAddress): Schema<string> {
  const words = 'an https URL at a public address';
  return v.pipe(
    v.string(words),
    v.check((endpoint) => isEndpoint(endpoint, allows), words),
  );
}

/** Validates a page's request. @returns the problem as text, if it is invalid */
export function parsePushRequest(value: unknown, allows: AllowsAddress): PushRequest | string {
  const asked = checkValue(
    fields({
      endpoint: endpointAt(allows),
      keys: fields({ p256dh: publicKey, auth }),
      name: optional(name),
      kinds: optional(kinds),
    }),
    value,
  );
  const fault = asked.faults.at(0);
  if (asked.isTyped && fault === undefined) {
    const { keys, ...request } = asked.value;
    return { ...request, publicKey: keys.p256dh, auth: keys.auth };
  }
  const { path = [], reason = 'something else' } = fault ?? {};
  return path.length === 0 ? `expected ${reason}` : `${pathText(path)}: expected ${reason}`;
}

/** A stored device. */
export const pushDevice: Schema<PushDevice> = fields({
  id: text,
  name: text,
  kinds,
  browser: text,
  token: text,
  createdAt: text,
  // Addresses are looked at whenever a message is sent.
  endpoint: endpointAt(() => true),
  publicKey,
  auth,
});

/** The address, where the host of a URL is one and not a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/u, '$1');
  return isIP(host) === 0 ? undefined : host;
}

function isEndpoint(endpoint: string, allows: AllowsAddress): boolean {
  if (endpoint.length > mostEndpointCharacters || !URL.canParse(endpoint)) return false;
  const url = new URL(endpoint);
  const address = literalAddress(url);
  return (
    url.protocol === 'https:' &&
    url.username === '' &&
    url.password === '' &&
    (address === undefined || allows(address))
  );
}

/** Whether a text is an uncompressed point of the curve. */
function isPoint(value: unknown): value is string {
  if (typeof value !== 'string' || !base64url.test(value)) return false;
  const bytes = Buffer.from(value, 'base64url');
  if (bytes.byteLength !== 65 || bytes[0] !== 4) return false;
  try {
    ECDH.convertKey(bytes, pushCurve);
    return true;
  } catch {
    // It is not on the curve.
    return false;
  }
}

/** RFC 8291, 3.2: 16 bytes. */
function isSecret(value: unknown): value is string {
  return (
    typeof value === 'string' && base64url.test(value) && Buffer.from(value, 'base64url').byteLength === 16
  );
}

const base64url = /^[\w-]{1,100}={0,2}$/u;
