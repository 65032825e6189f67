import { createPublicKey, verify } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { hubMethods, type HubQuestion } from '@parley/host/hub';
import { isPublicAddress } from '@parley/workspace';
import { expect, test } from 'vitest';
import { listDevices, revokeDevice } from '../../src/index.ts';
import { openHub, type HubStage, type StagedClient } from '../hub/hub-stage.ts';
import type { ScriptedTurn } from '../scripted-agent.ts';
import { openPushService, openPushStage, type ReceivedPush } from './push-stage.ts';

/** Asks for permission, and ends. */
async function asking({ client, request }: ScriptedTurn): Promise<void> {
  await client.request('session/request_permission', {
    sessionId: request.sessionId,
    toolCall: { toolCallId: 'call', title: 'a secret title', kind: 'other' },
    options: [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  });
}

/** Begins a turn that waits for an answer. @returns what answers, and waits for the end of the turn */
async function ask(client: StagedClient): Promise<{ key: string; answer(): Promise<void> }> {
  const key = await client.start();
  const ended = client.prompt(key, 'a secret prompt');
  const own = (): HubQuestion | undefined => client.questions.find((question) => question.key === key);
  await client.until(() => own() !== undefined);
  return {
    key,
    answer: async () => {
      await client.ask(hubMethods.answer, {
        sessionId: key,
        requestId: own()?.requestId,
        answer: { kind: 'option', optionId: 'yes' },
      });
      await ended;
    },
  };
}

const openAskingHub = (): Promise<HubStage> => openHub({ agent: { turn: asking } });

test('a device gets one encrypted message for an open question and one for the end, without content', async () => {
  const stage = await openAskingHub();
  const service = await openPushService();
  const push = await openPushStage(stage.hub, { ada: 'admin' });
  const phone = await push.subscribe('ada', `${service.origin}/phone`, {
    name: 'Phone',
    kinds: ['question', 'finished'],
  });
  const { publicKey } = (await (await push.ask('GET', '/api/push', phone.cookie)).json()) as {
    publicKey: string;
  };
  const ada = await stage.join('ada');

  const { key, answer } = await ask(ada);
  await service.until(1);
  await answer();
  await service.until(2);

  expect(service.received.map(({ body }) => phone.decrypt(body))).toEqual([
    { kind: 'question', session: key },
    { kind: 'finished', session: key },
  ]);
  const [question, finished] = service.received as [ReceivedPush, ReceivedPush];
  expect(question.headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    urgency: 'high',
    ttl: '43200',
    topic: expect.stringMatching(/^[\w-]{32}$/u) as string,
  });
  expect(finished.headers).toMatchObject({ urgency: 'normal', topic: question.headers['topic'] });
  expect(finished.body.byteLength).toBe(question.body.byteLength);
  expect(signatureOf(question, publicKey)).toMatchObject({
    isValid: true,
    claims: { aud: service.origin, sub: expect.stringMatching(/^https:/u) as string },
  });
  expect(push.faults).toEqual([]);
});

test('a device is not notified while its user looks at a page; an open question is announced when the user leaves', async () => {
  const stage = await openAskingHub();
  const service = await openPushService();
  const push = await openPushStage(stage.hub, { ada: 'admin', bob: 'admin' });
  const phone = await push.subscribe('ada', `${service.origin}/ada`);
  await push.subscribe('bob', `${service.origin}/bob`);
  const ada = await stage.join('ada');
  const tab = await stage.join('ada');
  await tab.ask(hubMethods.look, { isLooking: true });

  const first = await ask(ada);
  await service.until(1);
  await first.answer();
  await service.until(2);
  expect(service.received.map(({ path }) => path)).toEqual(['/bob', '/bob']);

  const second = await ask(ada);
  await service.until(3);
  await tab.close();
  await service.until(4);
  await second.answer();
  await service.until(6);
  const own = service.received.filter(({ path }) => path === '/ada');
  expect(own.map(({ body }) => phone.decrypt(body))).toEqual([
    { kind: 'question', session: second.key },
    { kind: 'finished', session: second.key },
  ]);
});

test('an inactive user does not count as looking', async () => {
  const stage = await openHub({ agent: { turn: asking }, limits: { lookMs: 1 } });
  const service = await openPushService();
  const push = await openPushStage(stage.hub, { ada: 'admin' });
  await push.subscribe('ada', `${service.origin}/ada`);
  const ada = await stage.join('ada');
  await ada.ask(hubMethods.look, { isLooking: true });

  await ask(ada);
  await service.until(1);

  expect(service.received.map(({ path }) => path)).toEqual(['/ada']);
});

test('revoked and signed-out devices, and those whose token may not see the session, get nothing', async () => {
  const stage = await openAskingHub();
  const service = await openPushService();
  const push = await openPushStage(stage.hub, {
    ada: 'use',
    carl: 'use',
    eve: 'observe',
    gone: 'admin',
    zoe: 'admin',
  });
  const at = (name: string): string => `${service.origin}/${name}`;
  const revoked = await push.subscribe('ada', at('revoked'));
  const signedOut = await push.subscribe('ada', at('signed-out'));
  await push.subscribe('carl', at('other-owner'));
  await push.subscribe('gone', at('revoked-token'));
  await push.subscribe('zoe', at('ends-only'), { kinds: ['finished'] });
  await push.subscribe('eve', at('observer'));
  await push.subscribe('ada', at('own'));
  const { devices } = (await (await push.ask('GET', '/api/push', revoked.cookie)).json()) as {
    devices: { id: string; isThis?: true }[];
  };
  const own = devices.find(({ isThis }) => isThis === true);
  await push.ask('DELETE', `/api/push/${own?.id ?? ''}`, revoked.cookie);
  await push.ask('POST', '/api/sign-out', signedOut.cookie);
  push.tokens.splice(
    push.tokens.findIndex(({ name }) => name === 'gone'),
    1,
  );
  const ada = await stage.join('ada', 'use');

  const { answer } = await ask(ada);
  await service.until(1);
  expect(service.received.map(({ path }) => path)).toEqual(['/own']);
  await answer();
  await service.until(4);

  expect(
    service.received
      .slice(1)
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(['/ends-only', '/observer', '/own']);
});

test('a busy push service is retried, redirects are not followed, and an unknown device is removed', async () => {
  const stage = await openAskingHub();
  const service = await openPushService();
  const push = await openPushStage(stage.hub, { ada: 'admin' }, { limits: { retryMs: 1 } });
  const busy = await push.subscribe('ada', `${service.origin}/busy`, { kinds: ['question'] });
  await push.subscribe('ada', `${service.origin}/broken`, { kinds: ['question'] });
  await push.subscribe('ada', `${service.origin}/moved`, { kinds: ['question'] });
  await push.subscribe('ada', `${service.origin}/gone`, { kinds: ['question'] });
  const late = { status: 503, headers: { 'retry-after': '0' } };
  service.answers.set('/busy', [late, { status: 429 }]);
  service.answers.set('/broken', [{ status: 500 }, { status: 500 }, { status: 500 }]);
  service.answers.set('/moved', [{ status: 307, headers: { location: `${service.origin}/elsewhere` } }]);
  service.answers.set('/gone', [{ status: 410 }]);

  await ask(await stage.join('ada'));
  await service.until(8);

  await expect
    .poll(async () => {
      const listed = await (await push.ask('GET', '/api/push', busy.cookie)).json();
      return (listed as { devices: unknown[] }).devices.length;
    })
    .toBe(3);
  await expect
    .poll(() => push.faults.toSorted())
    .toEqual([
      expect.stringMatching(/localhost:\d+: the push service answered 307$/u),
      expect.stringMatching(/localhost:\d+: the push service answered 500$/u),
    ]);
  expect(push.faults.join(' ')).not.toMatch(/moved|broken/u);
  const paths = service.received.map(({ path }) => path);
  expect(paths.filter((path) => path === '/busy')).toHaveLength(3);
  expect(paths).not.toContain('/elsewhere');
});

test('a push service is reached only at public addresses, also by name', async () => {
  const stage = await openAskingHub();
  const service = await openPushService();
  const push = await openPushStage(
    stage.hub,
    { ada: 'admin' },
    { network: { allows: isPublicAddress }, limits: { attempts: 1 } },
  );
  const phone = await push.subscribe('ada', `${service.origin}/phone`);
  const { keys } = phone.subscription;

  await ask(await stage.join('ada'));
  await expect.poll(() => push.faults).toEqual([expect.stringContaining('private network')]);

  expect(service.received).toEqual([]);
  for (const endpoint of [
    'http://push.example.com/a',
    'https://127.0.0.1/a',
    'https://[::ffff:10.0.0.1]/a',
    'https://169.254.169.254/a',
    'https://user:secret@push.example.com/a',
    'file:///etc/passwd',
    `https://push.example.com/${'a'.repeat(3000)}`,
  ]) {
    const answer = await push.ask('POST', '/api/push', phone.cookie, { endpoint, keys });
    expect([endpoint, answer.status]).toEqual([endpoint, 400]);
  }
  const point = Buffer.alloc(65, 4).toString('base64url');
  for (const body of [
    undefined,
    [],
    { endpoint: phone.subscription.endpoint },
    { endpoint: phone.subscription.endpoint, keys: { ...keys, p256dh: point } },
    { endpoint: phone.subscription.endpoint, keys: { ...keys, auth: 'AA' } },
    { ...phone.subscription, kinds: ['all'] },
    { ...phone.subscription, name: 'a'.repeat(9000) },
  ]) {
    expect((await push.ask('POST', '/api/push', phone.cookie, body)).status).toBe(400);
  }
});

test('devices are listed and revoked by their own token, and by admin; keys are stored for their owner only', async () => {
  const stage = await openHub();
  const service = await openPushService();
  const push = await openPushStage(
    stage.hub,
    { ada: 'use', carl: 'use', zoe: 'admin' },
    { limits: { devices: 2 } },
  );
  const list = async (cookie: string): Promise<{ id: string; name: string; isThis?: true }[]> => {
    const answer = (await (await push.ask('GET', '/api/push', cookie)).json()) as { devices: never };
    return answer.devices;
  };
  for (const name of ['one', 'two']) {
    await push.subscribe('ada', `${service.origin}/${name}`, { name, kinds: ['question'] });
  }
  const third = await push.subscribe('ada', `${service.origin}/three`, { name: 'three', kinds: [] });
  await push.ask('POST', '/api/push', third.cookie, third.subscription);
  const carl = await push.signIn('carl');
  const zoe = await push.signIn('zoe');

  expect(await list(third.cookie)).toMatchObject([
    { name: 'two', kinds: ['question'], token: 'ada' },
    { name: 'three', kinds: [], isThis: true },
  ]);
  expect(await list(carl)).toEqual([]);
  expect((await push.ask('POST', '/api/push', carl, third.subscription)).status).toBe(404);
  const [two] = await list(zoe);
  expect((await push.ask('DELETE', `/api/push/${two?.id ?? ''}`, carl)).status).toBe(404);
  expect((await push.ask('DELETE', `/api/push/${two?.id ?? ''}`, zoe)).status).toBe(200);
  expect((await list(third.cookie)).map(({ name }) => name)).toEqual(['three']);

  const byCommand = await listDevices(push.file);
  expect(byCommand).toMatchObject([{ name: 'three', kinds: [] }]);
  expect(JSON.stringify(byCommand)).not.toContain(service.origin);
  expect(await revokeDevice(push.file, 'unknown')).toBe(false);
  expect(await revokeDevice(push.file, byCommand.at(0)?.id ?? '')).toBe(true);
  expect(await list(third.cookie)).toEqual([]);

  const program = await fetch(`${push.url}/api/push`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret-of-ada' },
    body: JSON.stringify(third.subscription),
  });
  expect(program.status).toBe(403);
  expect(await (await push.ask('GET', '/api/push', zoe)).text()).not.toContain(service.origin);
  if (process.platform !== 'win32') expect((await stat(push.file)).mode & 0o777).toBe(0o600);
  expect(await readFile(push.file, 'utf8')).toContain('"privateKey"');
});

/** Whether the header of a message was signed with the server's key, and what it says. */
function signatureOf({ headers }: ReceivedPush, publicKey: string): { isValid: boolean; claims: unknown } {
  const [, head = '', claims = '', signature = '', key] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/u.exec(headers.authorization ?? '') ?? [];
  const point = Buffer.from(publicKey, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return {
    isValid: isSigned && key === publicKey,
    claims: JSON.parse(Buffer.from(claims, 'base64url').toString()),
  };
}
