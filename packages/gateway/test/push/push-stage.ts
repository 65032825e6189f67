import { createDecipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { testCertificate } from '@parley/conformance';
import { onTestFinished } from 'vitest';
import { createBrowserSessions } from '../../src/access/browser-sessions.ts';
import {
  createGateway,
  defaultLimits,
  openPush,
  toTokenRecord,
  type Hub,
  type PushOptions,
  type Scope,
  type TokenRecord,
} from '../../src/index.ts';
import { folder } from '../scripted-agent.ts';

/** A request to the push service of a test. */
export interface ReceivedPush {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A push service on this machine. It answers 201, or the configured answers of a path in their order. */
export interface PushService {
  readonly origin: string;
  readonly received: ReceivedPush[];
  readonly answers: Map<string, { status: number; headers?: Record<string, string> }[]>;
  /** Settles when so many messages came. */
  until(count: number): Promise<void>;
}

/** Opens a push service that is closed after the test. */
export async function openPushService(): Promise<PushService> {
  const received: ReceivedPush[] = [];
  const answers: PushService['answers'] = new Map();
  let look = (): void => undefined;
  const server = createServer(testCertificate, (request, response) => {
    void buffer(request).then((body) => {
      const { pathname } = new URL(request.url ?? '/', 'https://localhost');
      received.push({ path: pathname, headers: request.headers, body });
      const { status, headers = {} } = answers.get(pathname)?.shift() ?? { status: 201 };
      response.writeHead(status, headers).end();
      look();
    });
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return {
    origin: `https://localhost:${String(typeof address === 'object' ? address?.port : 0)}`,
    received,
    answers,
    until: (count) =>
      new Promise((resolve) => {
        look = () => {
          if (received.length >= count) resolve();
        };
        look();
      }),
  };
}

/** A browser that subscribed. */
export interface TestDevice {
  readonly cookie: string;
  readonly subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** Decrypts a message. */
  decrypt(body: Buffer): unknown;
}

/** A hub with notifications, behind a gateway. */
export interface PushStage {
  readonly url: string;
  readonly file: string;
  readonly faults: string[];
  readonly tokens: TokenRecord[];
  /** Signs a browser in. @returns its cookie */
  signIn(token: string): Promise<string>;
  /** Signs a browser in, and subscribes it at a path of the push service. */
  subscribe(token: string, endpoint: string, body?: object): Promise<TestDevice>;
  ask(method: string, place: string, cookie: string, body?: unknown): Promise<Response>;
}

/** Opens notifications for a hub, with one token for each name. */
export async function openPushStage(
  hub: Hub,
  names: Readonly<Record<string, Scope>>,
  options: Partial<PushOptions> = {},
): Promise<PushStage> {
  const file = path.join(await folder(), 'push.json');
  const faults: string[] = [];
  const tokens = Object.entries(names).map(([name, scope]) =>
    toTokenRecord(`secret-of-${name}`, { name, scope, id: `token:${name}` }),
  );
  const browsers = createBrowserSessions({
    limit: 100,
    lifetimeMs: defaultLimits.browserSessionMs,
    now: Date.now,
  });
  const push = await openPush({
    hub,
    tokens: () => tokens,
    browsers,
    file,
    network: { allows: () => true, ca: testCertificate.cert },
    onFault: (error) => faults.push(String(error)),
    ...options,
  });
  const gateway = createGateway({ port: 0, tokens: () => tokens, browsers, routes: [push.route] });
  await gateway.listen();
  onTestFinished(async () => {
    await push.close();
    await gateway.close({ graceMs: 0 });
  });
  const { url } = gateway;
  const ask: PushStage['ask'] = (method, place, cookie, body) =>
    fetch(`${url}${place}`, {
      method,
      headers: { cookie, origin: url },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const signIn: PushStage['signIn'] = async (token) => {
    const record = tokens.find(({ name }) => name === token);
    if (record === undefined) throw new Error(`no token ${token}`);
    const code = new URL(gateway.makeSignInLink(record)).searchParams.get('code') ?? '';
    const answer = await fetch(`${url}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: url },
      body: new URLSearchParams({ code }),
    });
    return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  };
  return {
    url,
    file,
    faults,
    tokens,
    ask,
    signIn,
    subscribe: async (token, endpoint, body = { kinds: ['question', 'finished'] }) => {
      const receiver = createECDH('prime256v1');
      receiver.generateKeys();
      const auth = randomBytes(16);
      const keys = {
        p256dh: receiver.getPublicKey().toString('base64url'),
        auth: auth.toString('base64url'),
      };
      const cookie = await signIn(token);
      const subscription = { endpoint, keys };
      const answer = await ask('POST', '/api/push', cookie, { ...subscription, ...body });
      if (answer.status !== 201) throw new Error(await answer.text());
      return { cookie, subscription, decrypt: (encrypted) => decrypt(encrypted, receiver, auth) };
    },
  };
}

/** As a browser does it: RFC 8291, 3.4. */
function decrypt(body: Buffer, receiver: ECDH, auth: Buffer): unknown {
  const salt = body.subarray(0, 16);
  const senderKey = body.subarray(21, 21 + body.readUInt8(20));
  const encrypted = body.subarray(21 + senderKey.length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver.getPublicKey(), senderKey]);
  const secret = Buffer.from(hkdfSync('sha256', receiver.computeSecret(senderKey), auth, info, 32));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(encrypted.subarray(-16));
  const record = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()]);
  return JSON.parse(record.subarray(0, record.lastIndexOf(2)).toString());
}
