import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findPostgres } from '@parley/conformance';
import { openRemote } from '@parley/host';
import { expect, test } from 'vitest';
import { configureAgent, scripted, temporaryFolder } from '../command.ts';
import { startTestHub, type TestHub } from '../hub.ts';
import { startTestPostgres } from '../postgres.ts';
import { TestClient } from './replica-stage.ts';

test.skipIf('missing' in findPostgres())(
  'a client of one server loses nothing when another one, which runs its sessions, is killed',
  async () => {
    await using server = await startTestPostgres();
    const url = await server.createDatabase();
    await using root = await temporaryFolder();
    const shared = path.join(root.path, 'shared');
    const gate = path.join(root.path, 'gate');
    await mkdir(shared);
    const open = async (name: string): Promise<TestHub> => {
      const folder = path.join(root.path, name);
      const script = {
        initialize: { agentCapabilities: { sessionCapabilities: { resume: {} } } },
        prompt: [{ say: 'begun ' }, { untilFile: gate }, { say: 'done' }],
      };
      await configureAgent(folder, 'scripted', { words: scripted(script), env: {} });
      const flags = ['--store', url, '--replica', name, '--lease', '2', '--workspace', `app=${shared}`];
      return startTestHub(folder, flags);
    };
    await using one = await open('one');
    await using two = await open('two');
    const join = async ({ file }: TestHub): Promise<TestClient> => {
      const headers = { Authorization: `Bearer ${file.token}` };
      const client = new TestClient(
        await openRemote({ url: `${file.url.replace(/^http/u, 'ws')}/acp`, headers }),
      );
      await client.begin(true);
      return client;
    };
    const near = await join(one);
    const far = await join(two);
    const ask = (at: TestHub, method: string, target: string, body?: object): Promise<Response> =>
      fetch(`${at.file.url}/aap${target}`, {
        method,
        headers: { authorization: `Bearer ${at.file.token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });

    const meta = { 'parley/agent': 'scripted' };
    const begun = { cwd: shared, mcpServers: [], _meta: meta };
    const sessionId = String((await near.ask('session/new', begun))['sessionId']);
    await far.until(() => far.sessions.get(sessionId)?.machine === 'one');
    await far.watch(sessionId);
    const created = await ask(one, 'POST', '/sessions', {
      agent: { name: 'scripted', options: { cwd: shared } },
    });
    const application = (await created.json()) as { sessionId: string };
    const turn = await ask(two, 'POST', `/sessions/${application.sessionId}/turns`, {
      stream: 'delta',
      messages: [{ role: 'user', content: 'go' }],
    });
    expect(turn.status).toBe(200);
    const reader = turn.body?.pipeThrough(new TextDecoderStream()).getReader();
    let streamed = '';
    while (!streamed.includes('begun')) streamed += (await reader?.read())?.value ?? '';
    const first = far.prompt(sessionId, 'first').catch((error: unknown) => String(error));
    await far.until(() => far.types.includes('turn-start'));
    expect(far.machines).toMatchObject([{ name: 'two', isThis: true }, { name: 'one' }]);
    const second = far.prompt(sessionId, 'second');

    await one.end('SIGKILL');
    await writeFile(gate, '');

    expect(await first).toContain('the machine that ran the turn has ended');
    expect(await second).toMatchObject({ stopReason: 'end_turn' });
    for (;;) {
      const { done, value = '' } = (await reader?.read()) ?? { done: true };
      streamed += value;
      if (done) break;
    }
    expect(streamed.match(/event: turn_stop/gu)).toHaveLength(1);
    expect(streamed).toContain('"stopReason":"error"');
    await far.until(() =>
      far.machines.some(({ name, silentSince }) => name === 'one' && silentSince !== undefined),
    );
  },
);
