import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { PushLimits } from '../limits.ts';
import { encryptPush } from './encrypt-push.ts';
import { postPush, type PushAnswer, type PushNetwork } from './post-push.ts';
import type { PushDevice, PushKind } from './push-device.ts';
import type { PushKey } from './push-key.ts';

/** The message to a device: its kind and the key of the session. It contains nothing from the session itself. */
export interface PushMessage {
  readonly kind: PushKind;
  readonly session: string;
}

/** What sending needs. */
export interface SendPushOptions {
  readonly key: PushKey;
  readonly network: PushNetwork;
  readonly limits: PushLimits;
  readonly signal: AbortSignal;
  /** Whether the device should still receive it. Called before each attempt. */
  readonly isWanted: () => Promise<boolean>;
}

/**
 * What became of a message.
 *
 * - `gone`: the push service does not know the device any more.
 * - `unwanted`: the device was revoked meanwhile.
 */
export type PushOutcome = 'delivered' | 'gone' | 'unwanted';

/** Sends a message to a device, a few times where its push service is busy. Rejects where that fails. */
export async function sendPush(
  device: PushDevice,
  message: PushMessage,
  options: SendPushOptions,
): Promise<PushOutcome> {
  const { limits, signal, isWanted } = options;
  let waitMs = limits.retryMs;
  for (let attempt = 1; ; attempt += 1) {
    if (!(await isWanted())) return 'unwanted';
    const answer = await post(device, message, options).catch((error: unknown) => {
      signal.throwIfAborted();
      return error;
    });
    const { status = 0, retryAfterMs } = isAnswer(answer) ? answer : {};
    if (status >= 200 && status < 300) return 'delivered';
    if (status === 404 || status === 410) return 'gone';
    const isBusy = !isAnswer(answer) || status === 429 || status >= 500;
    if (!isBusy || attempt >= limits.attempts) throw failure(device, answer);
    await delay(Math.min(retryAfterMs ?? waitMs, limits.longestRetryMs), undefined, { signal });
    waitMs *= 5;
  }
}

/** Padded size of all messages, so that the size reveals nothing about kind and session. */
const paddedBytes = 160;

async function post(
  device: PushDevice,
  { kind, session }: PushMessage,
  { key, network, limits, signal }: SendPushOptions,
): Promise<PushAnswer> {
  const url = new URL(device.endpoint);
  const keys = {
    publicKey: Buffer.from(device.publicKey, 'base64url'),
    auth: Buffer.from(device.auth, 'base64url'),
  };
  return await postPush(
    url,
    {
      headers: {
        authorization: key.authorize(url, Date.now()),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(Math.floor(limits.storedMs / 1000)),
        urgency: kind === 'question' ? 'high' : 'normal',
        // A device that was off gets the last message of a session only.
        topic: createHash('sha256').update(`${device.id} ${session}`).digest('base64url').slice(0, 32),
      },
      body: encryptPush(Buffer.from(JSON.stringify({ kind, session })), keys, { paddedBytes }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.sendMs)]),
    },
    network,
  );
}

function isAnswer(answer: unknown): answer is PushAnswer {
  return typeof answer === 'object' && answer !== null && 'status' in answer;
}

/**
 * A failed delivery. The message contains only the host of the push service: a device's complete URL is enough to
 * send to it.
 */
function failure({ endpoint, name }: PushDevice, answer: unknown): Error {
  const { host } = new URL(endpoint);
  const reason = isAnswer(answer)
    ? `the push service answered ${String(answer.status)}`
    : answer instanceof Error
      ? answer.message
      : String(answer);
  return new Error(`notification of the device ${JSON.stringify(name)} by ${host}: ${reason}`);
}
