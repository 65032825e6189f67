import { subagentAgent } from '@parley/conformance';
import { expect, test } from 'vitest';
import {
  finish,
  type Finished,
  type Line,
  parley,
  seen,
  startParley,
  stopOf,
  temporaryFolder,
  toLines,
} from './command.ts';

async function run(scene: string, ...flags: readonly string[]): Promise<Finished> {
  await using folder = await temporaryFolder();
  return await parley(['run', ...flags, 'go', '--', ...subagentAgent(scene)], { cwd: folder.path });
}

test('json: lines of a sub-agent carry its sessionId, its announcements are lines of the parent', async () => {
  const { status, stdout } = await run('background', '--format', 'json');
  const lines = toLines(stdout).filter(({ type }) => type === 'update' || type === 'permission');
  expect(lines.map(({ type, sessionId, update }) => [type, sessionId, kindOf(update)])).toEqual([
    ['update', undefined, 'agent_message_chunk'],
    ['update', undefined, 'subagent_update'],
    ['update', 'kid', 'agent_message_chunk'],
    ['permission', 'kid', undefined],
    ['update', 'kid', 'agent_message_chunk'],
    ['update', undefined, 'subagent_update'],
  ]);
  // A sub-agent's rejected question counts as the session's own.
  expect(status).toBe(3);
  expect(stopOf(toLines(stdout))).toMatchObject({ stopReason: 'end_turn' });
});

test('json: a form that a sub-agent asks has a line with its sessionId; the announcement of one below it is a line of the sub-agent', async () => {
  const { stdout } = await run('whole', '--format', 'json');
  const lines = toLines(stdout);
  expect(lines.filter(({ type }) => type === 'elicitation')).toMatchObject([
    { sessionId: 'kid', message: 'Which test?', mode: 'form', by: 'nobody' },
  ]);
  const announced = lines.filter(({ update }) => kindOf(update) === 'subagent_update');
  expect(announced.map(({ sessionId, update }) => [sessionId, (update as Line).sessionId])).toEqual([
    [undefined, 'kid'],
    [undefined, 'kid'],
    ['kid', 'grandchild'],
    ['kid', 'grandchild'],
    [undefined, 'kid'],
  ]);
});

test("text output has only the parent's messages, with a line on standard error for each announced and each idle sub-agent", async () => {
  const { status, stdout, stderr } = await run('again');
  expect([status, stdout]).toEqual([0, 'go\n']);
  expect(stderr.match(/sub-agent "Worker".*/gu)).toEqual([
    'sub-agent "Worker" was announced',
    'sub-agent "Worker" is idle (end_turn)',
    'sub-agent "Worker" is idle (end_turn)',
  ]);
});

test('quiet output contains nothing from sub-agents', async () => {
  const { stdout, stderr } = await run('nested', '--format', 'quiet');
  expect([stdout, stderr]).toEqual(['go\n', '']);
});

test('a run waits for sub-agents within its time limits', async () => {
  const { status, stdout } = await run('stuck', '--format', 'json', '--timeout', '3');
  expect(status).toBe(124);
  expect(stopOf(toLines(stdout))).toMatchObject({ stopReason: 'end_turn', exitCode: 124 });
});

test("traffic of an unknown session is reported, rejected and never shown as the parent's", async () => {
  const { stdout } = await run('foreign', '--format', 'json');
  const lines = toLines(stdout);
  const diagnostics = lines.filter(({ type }) => type === 'diagnostic');
  expect(diagnostics).toContainEqual(
    expect.objectContaining({ code: 'unknown-session', message: expect.stringContaining('ghost') }),
  );
  expect(diagnostics.filter(({ code }) => code === 'ignored-notification')).toHaveLength(3);
  expect(stdout).not.toContain('boo');
  expect(stdout).toContain('-32002');
});

/** When a run ends in the middle: during its turn, or while it waits for sub-agents; by a signal, or a time limit. */
const ends = [
  { how: 'Ctrl-C during the turn', prompt: 'wait', signal: 'SIGINT', expected: 130 },
  { how: 'Ctrl-C after the turn', prompt: 'go', signal: 'SIGINT', expected: 130 },
  { how: 'TERM', prompt: 'wait', signal: 'SIGTERM', expected: 143 },
  { how: '--idle-timeout', prompt: 'wait', flags: ['--idle-timeout', '3'], expected: 124 },
] as const;

test.skipIf(process.platform === 'win32')(
  'Ctrl-C, TERM and a time limit cancel each sub-agent that can be cancelled, at any depth',
  async () => {
    await using folder = await temporaryFolder();
    const endRun = async (end: (typeof ends)[number]): Promise<readonly unknown[]> => {
      const flags = 'flags' in end ? end.flags : [];
      const words = ['run', '--format', 'json', ...flags, end.prompt, '--', ...subagentAgent('cancel')];
      const child = startParley(words, { cwd: folder.path });
      const finished = finish(child);
      await seen(child.stdout, 'grandchild');
      if ('signal' in end) child.kill(end.signal);
      const { status, stdout } = await finished;
      const states = toLines(stdout).flatMap(({ update }) => (isIdle(update) ? [update.sessionId] : []));
      return [end.how, status, states.toSorted()];
    };
    expect(await Promise.all(ends.map(endRun))).toEqual(
      ends.map(({ how, expected }) => [how, expected, ['grandchild', 'kid']]),
    );
  },
);

test('sessions show indents sub-agents under their parent by newest title; search finds their text; they are not listed', async () => {
  await using folder = await temporaryFolder();
  const options = { cwd: folder.path };
  await parley(['run', '--approve', 'all', 'go', '--', ...subagentAgent('background')], options);
  const { stdout: listed } = await parley(['sessions', 'list', '--json'], options);
  expect(listed).not.toContain('kid');
  const { sessions } = JSON.parse(listed) as { readonly sessions: readonly { readonly id: string }[] };
  const id = sessions[0]?.id ?? '';
  const { stdout: shown } = await parley(['sessions', 'show', id], options);
  expect(shown).toContain('◦ Sub-agent "Test detective (done)" (idle: end_turn)\n    The clock is wrong.');
  const { stdout: found } = await parley(['sessions', 'search', 'clock is wrong'], options);
  expect(found).toContain('The clock is wrong.');
});

function kindOf(update: unknown): unknown {
  return typeof update === 'object' && update !== null && 'sessionUpdate' in update
    ? update.sessionUpdate
    : undefined;
}

function isIdle(update: unknown): update is { readonly sessionId: string } {
  return kindOf(update) === 'subagent_update' && JSON.stringify(update).includes('"idle"');
}
