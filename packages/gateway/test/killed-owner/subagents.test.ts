import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { subagentAgent } from '@parley/conformance';
import { filesStore, SharedEventLogs } from '@parley/host';
import { hubMethods } from '@parley/host/hub';
import { subagentOf, values } from '@parley/host/state';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { PlainClient, toFields } from '../acp/plain-client.ts';
import { openHub } from '../hub/hub-stage.ts';

const program = fileURLToPath(
  new URL('../../../../node_modules/.cache/parley-test/subagents-owner.mjs', import.meta.url),
);

/** The folder and the session of an owner that was killed while its sub-agents worked. */
async function killOwner(): Promise<{ readonly root: string; readonly key: string }> {
  await build({
    entryPoints: [fileURLToPath(new URL('subagents.fixture.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@parley/source'],
    external: ['ws'],
    logLevel: 'silent',
  });
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-killed-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(path.join(root, 'workspace'));
  const owner = spawn(process.execPath, [program, root, ...subagentAgent('whole')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void owner.kill('SIGKILL'));
  const [line] = (await once(owner.stdout, 'data')) as readonly unknown[];
  owner.kill('SIGKILL');
  await once(owner, 'close');
  return { root, key: String(line).trim() };
}

test('after their owner is killed, sub-agents are unknown, their requests are closed, and steered text has an unknown outcome', async () => {
  const { root, key } = await killOwner();
  const [command, ...args] = subagentAgent('paced');
  const spec = { name: 'scripted', reach: { by: 'command', command, args } } as const;
  const workspace = path.join(root, 'workspace');
  const stage = await openHub({
    agents: [{ name: 'scripted', place: 'configured', spec }],
    workspaces: [workspace],
    eventLogs: new SharedEventLogs({ store: filesStore(path.join(root, 'sessions')), program: 'test 1' }),
  });
  const page = await stage.join();
  await page.watch(key);
  await page.until(() => page.isCaughtUp(key));

  const texts = (): readonly unknown[] =>
    [...values(page.view(key).items)].flatMap((item) =>
      item.kind === 'message' && item.role === 'user'
        ? [[item.blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''), item.steering]]
        : [],
    );
  const kid = subagentOf(page.view(key), 'kid');
  const grandchild = subagentOf(page.view(key), 'grandchild');
  for (const subagent of [kid, grandchild]) {
    expect(subagent).toMatchObject({ mayCancel: false, work: { state: 'unknown' } });
  }
  expect(kid).toMatchObject({ title: 'Worker', description: 'Finds the flaky test' });
  expect(grandchild).toMatchObject({ title: 'Helper', parentId: 'kid' });
  const itemsOf = (subagent: typeof kid): readonly unknown[] => [
    ...values(subagent?.conversation.items ?? page.view(key).items),
  ];
  // It asks for both at the same time.
  for (const item of [
    { kind: 'subagent', sessionId: 'grandchild' },
    { kind: 'session-message', sender: 'session-1', recipient: 'kid' },
    { kind: 'message', blocks: [{ type: 'text', text: 'The clock is wrong.' }] },
    { kind: 'question', message: 'Which test?' },
    { kind: 'tool-call', outcome: 'unknown' },
  ]) {
    expect(itemsOf(kid)).toContainEqual(expect.objectContaining(item));
  }
  expect(itemsOf(kid)).toHaveLength(5);
  expect(itemsOf(grandchild)).toMatchObject([{ kind: 'message', blocks: [{ text: 'deep words' }] }]);
  const own = [...values(page.view(key).items)];
  expect(own.find(({ kind }) => kind === 'session-message')).toMatchObject({ recipient: 'kid' });
  expect(own.find(({ kind }) => kind === 'tool-call')).toMatchObject({
    call: { content: [{ type: 'session', sessionId: 'kid' }] },
  });
  expect([page.view(key).questions, page.questions]).toEqual([[], []]);
  const steered = [
    ['first', undefined],
    ['now', 'steered'],
    ['late', 'queued'],
    ['steered', 'unknown'],
  ];
  expect(texts()).toEqual(steered);

  // The owner after it sends what waits, and never again what it does not know the outcome of.
  await page.ask('session/resume', { sessionId: key, cwd: workspace });
  await page.ask(hubMethods.queue, { sessionId: key, change: { kind: 'go-on' } });
  await page.until(() => page.said(key).includes('waits'));
  expect(texts()).toEqual([...steered, ['late', undefined], ['waits', undefined]]);

  const editor = await PlainClient.join(stage.hub, { capabilities: { subagents: {} } });
  await editor.load(key, workspace);
  expect(editor.said.filter((said) => said === 'user: steered')).toHaveLength(1);
  const last = (id: string): unknown =>
    editor.updates.map(({ update }) => toFields(update)).findLast(({ sessionId }) => sessionId === id);
  for (const id of ['kid', 'grandchild']) {
    expect(last(id)).toMatchObject({ capabilities: null, state: { state: 'unknown' } });
  }
});
