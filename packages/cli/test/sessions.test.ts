import { execFileSync } from 'node:child_process';
import { chmod, lstat, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { filesStore } from '@parley/host';
import { expect, test } from 'vitest';
import { parley, scripted, temporaryFolder, type Finished } from './command.ts';
import { openScreen } from './screen.ts';

const call = { toolCallId: 'c', title: 'Run make', kind: 'execute' };

/** A turn with a question, a result with a fence and a key, and words with HTML in them. */
const script = {
  prompt: [
    { update: { sessionUpdate: 'tool_call', ...call, status: 'pending', rawInput: { command: 'make' } } },
    {
      ask: {
        method: 'session/request_permission',
        params: { toolCall: call, options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }] },
      },
    },
    {
      update: {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'c',
        status: 'completed',
        content: ['built\n```\nTOKEN=abcdefgh12345678', '```sh\nmake\n```'].map((text) => ({
          type: 'content',
          content: { type: 'text', text },
        })),
      },
    },
    { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '# Done <b>\n' } } },
    { update: { sessionUpdate: 'session_info_update', title: 'A build' } },
  ],
};

interface Listed {
  readonly sessions: readonly { readonly id: string; readonly [field: string]: unknown }[];
  readonly more: number;
}

function toListed({ stdout }: Finished): Listed {
  return JSON.parse(stdout) as Listed;
}

async function converse(cwd: string, prompt = 'build it'): Promise<void> {
  const { status } = await parley(['run', '--approve', 'all', prompt, '--', ...scripted(script)], { cwd });
  expect(status).toBe(0);
}

test('sessions are listed newest first, and shown by a prefix of the id', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await parley(['run', 'say: hello'], { cwd });
  await converse(cwd);
  const usage = await parley(['sessions', 'usage', '--json', '--agent-name', 'parley'], { cwd });
  expect(JSON.parse(usage.stdout)).toMatchObject({
    days: 30,
    usage: [{ agent: 'parley', cwd, sessions: 1, turns: 1 }],
  });
  const usageTable = await parley(['sessions', 'usage', '--days', '1'], { cwd });
  expect(usageTable.stdout).toMatch(/^DAY +AGENT +TURNS [^]*^\d{4}-\d\d-\d\d +parley +1 /mu);
  const listed = toListed(await parley(['sessions', 'list', '--json'], { cwd }));
  expect(listed).toMatchObject({
    sessions: [
      { title: 'A build', state: 'closed', turns: 1, cwd, sessionId: 'scripted-1' },
      { title: 'say: hello', state: 'closed', turns: 1, cwd, agent: 'parley' },
    ],
    more: 0,
  });
  const [{ id } = { id: '' }] = listed.sessions;
  const table = await parley(['sessions', 'list', '--agent-name', 'parley'], { cwd });
  expect(table.stdout.split('\n')).toHaveLength(3);
  expect(table.stdout).toMatch(/^ID +LAST +STATE +TURNS +AGENT +FOLDER +TITLE\n\S+ +now +closed +1 +parley /);
  const { status, stdout, stderr } = await parley(['sessions', 'show', id.slice(-12, -4)], { cwd });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^A build\n.* · 1 turn · closed\n/);
  expect(stdout).toContain('\n> build it\n');
  expect(stdout).toMatch(/• Run make … done\n {4}Allow once "Allow", by flag: .*\n {4}built\n/);
  expect(stdout).toContain('# Done <b>\n');
});

test('--limit shows how many there are in total; a filter without matches lists none', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  for (const text of ['one', 'two', 'three']) await parley(['run', `say: ${text}`], { cwd });
  const listed = toListed(await parley(['sessions', 'list', '--json', '--limit', '1'], { cwd }));
  expect(listed).toMatchObject({ sessions: [{ title: 'say: three' }], more: 2 });
  const none = await parley(['sessions', 'list', '--json', '--cwd', path.join(cwd, 'other')], { cwd });
  expect(toListed(none)).toEqual({ sessions: [], more: 0 });
  expect(await parley(['sessions', 'list', '--limit', '0'], { cwd })).toMatchObject({ status: 2 });
});

test('--raw shows the stored events', async () => {
  await using folder = await temporaryFolder();
  await converse(folder.path);
  const { stdout } = await parley(['sessions', 'show', 'scripted-1', '--raw'], { cwd: folder.path });
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly seq: number; readonly type: string });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['journal-start', 'turn-start', 'permission', 'update', 'turn-end']),
  );
});

test('an export as Markdown contains the conversation, no secret, and nothing that breaks the page', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await converse(cwd, 'build it with sk-abcdefghijklmnop1234567890 and my-very-own-value');
  const options = { cwd, env: { SOME_API_KEY: 'my-very-own-value' } };
  const { status, stdout } = await parley(['sessions', 'export', 'scripted-1', '--output', 'a.md'], options);
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  const text = await readFile(path.join(cwd, 'a.md'), 'utf8');
  expect(text).toMatch(/^# A build\n/);
  expect(text).toContain('## Prompt\n\n> build it with [redacted] and [redacted]\n');
  expect(text).toContain('**Run make** (completed)\n\nPermission: Allow once "Allow", by flag:');
  expect(text).toContain('````\nbuilt\n```\nTOKEN=[redacted]\n````');
  expect(text).toContain('\n\n```sh\nmake\n```\n');
  expect(text).toContain('### Done \\<b>');
});

test.skipIf(process.platform === 'win32')(
  'an export to a pipe goes through it, and one to a link or an own file keeps both',
  async () => {
    await using folder = await temporaryFolder();
    const cwd = folder.path;
    await converse(cwd);
    const exportTo = (file: string): Promise<Finished> =>
      parley(['sessions', 'export', 'scripted-1', '--output', file], { cwd });

    const pipe = path.join(cwd, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [piped, { status }] = await Promise.all([readFile(pipe, 'utf8'), exportTo('pipe')]);
    expect(status).toBe(0);
    expect(piped).toMatch(/^# A build\n/);
    expect((await stat(pipe)).isFIFO()).toBe(true);

    await writeFile(path.join(cwd, 'own.md'), 'old');
    await chmod(path.join(cwd, 'own.md'), 0o644);
    await symlink('own.md', path.join(cwd, 'link.md'));
    expect((await exportTo('link.md')).status).toBe(0);
    expect((await lstat(path.join(cwd, 'link.md'))).isSymbolicLink()).toBe(true);
    expect((await stat(path.join(cwd, 'own.md'))).mode & 0o777).toBe(0o644);
    expect(await readFile(path.join(cwd, 'own.md'), 'utf8')).toBe(piped);
  },
);

test('an export as JSON is one document without secrets, which show --json prints too', async () => {
  await using folder = await temporaryFolder();
  await converse(folder.path);
  const words = ['sessions', 'export', 'scripted-1', '--format', 'json'];
  const { stdout } = await parley(words, { cwd: folder.path });
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    session: { title: 'A build', turns: 1 },
    turns: [{ state: 'ended', stopReason: 'end_turn' }],
  });
  expect(stdout).not.toContain('abcdefgh12345678');

  const shown = await parley(['sessions', 'show', 'scripted-1', '--json'], { cwd: folder.path });
  expect(shown).toMatchObject({ status: 0, stdout });
  const both = await parley(['sessions', 'show', 'scripted-1', '--json', '--raw'], { cwd: folder.path });
  expect(both).toMatchObject({ status: 2, stdout: '' });
});

test('search finds text in any session, and fails without a match', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await parley(['run', 'say: the needle is here'], { cwd });
  await converse(cwd);
  const { status, stdout } = await parley(['sessions', 'search', 'NEEDLE'], { cwd });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  const found = await parley(['sessions', 'search', 'needle|built', '--regex'], { cwd });
  expect(found.status).toBe(0);
  expect(found.stdout).toMatch(
    /^\S{8} {2}A build .*\n {2}.* tool {6}.*built.*\n\n\S{8} {2}say: the needle is here /,
  );
  const json = await parley(['sessions', 'search', 'needle', '--json', '--limit', '1'], { cwd });
  expect(JSON.parse(json.stdout)).toMatchObject({
    hits: [{ role: 'user', title: 'say: the needle is here', start: 9, end: 15 }],
    more: true,
  });
  expect(await parley(['sessions', 'search', '(', '--regex'], { cwd })).toMatchObject({ status: 2 });
});

test('an unknown session is wrong usage, and the error says where to look', async () => {
  await using folder = await temporaryFolder();
  const { status, stderr } = await parley(['sessions', 'show', 'nobody'], { cwd: folder.path });
  expect(status).toBe(2);
  expect(stderr).toBe('parley: no session "nobody"; "parley sessions list" lists the stored sessions\n');
});

test('--store with a folder or another kind of database is wrong usage, and deletes nothing on this machine', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await parley(['run', 'say: hello'], { cwd });
  for (const store of ['./backup', 'mysql://db.example.com/parley']) {
    const refused = await parley(['sessions', 'delete', '--all', '--yes', '--store', store], { cwd });
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('postgres://') as string });
  }
  expect(await filesStore(path.join(cwd, '.home', 'sessions')).list()).toHaveLength(1);
});

test('a usage error names the help of the subcommand', async () => {
  const { status, stderr } = await parley(['sessions', 'copy']);
  expect(status).toBe(2);
  expect(stderr).toContain("'--from <url|dir>' not specified; see parley sessions copy --help");
});

test('delete removes the named sessions except open ones, and asks only on a terminal', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const directory = path.join(cwd, '.home', 'sessions');
  await converse(cwd);
  await parley(['run', 'say: hello'], { cwd });
  const unasked = await parley(['sessions', 'delete', 'scripted-1'], { cwd });
  expect(unasked).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') as string });
  expect(await filesStore(directory).list()).toHaveLength(2);
  const young = await parley(['sessions', 'delete', '--all', '--older-than', '1h', '--yes'], { cwd });
  expect(young).toMatchObject({ status: 0, stderr: 'parley: nothing to delete\n' });
  const named = await parley(['sessions', 'delete', 'scripted-1', '--yes'], { cwd });
  expect(named).toMatchObject({ status: 0, stderr: 'parley: 1 session deleted\n' });
  const [left, ...others] = await filesStore(directory).list();
  expect(others).toEqual([]);
  if (left === undefined) throw new Error('the other session is gone too');
  const options = { start: left.start, onFailure: () => undefined };
  const eventLog = await filesStore(directory).open(left.key, options);
  const open = await parley(['sessions', 'delete', left.key, '--yes'], { cwd });
  expect(open.status).toBe(1);
  expect(open.stderr).toContain(`(process ${String(process.pid)})`);
  await eventLog.close();
  expect(await parley(['sessions', 'delete', '--all', '--yes'], { cwd })).toMatchObject({ status: 0 });
  expect(await filesStore(directory).list()).toEqual([]);
});

test('an event log with damage in the middle is shown up to there, and hides no other', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const directory = path.join(cwd, '.home', 'sessions');
  for (const key of ['good', 'bad']) {
    const start = { agent: 'test', cwd, program: 'test 1' };
    const eventLog = await filesStore(directory).open(key, { start, onFailure: () => undefined });
    eventLog.append({ type: 'session', sessionId: key, cwd, origin: 'new' });
    const prompt = [{ type: 'text', text: `a ${key} prompt` } as const];
    eventLog.append({ type: 'turn-start', sessionId: key, turnId: 't', prompt });
    eventLog.append({ type: 'turn-end', sessionId: key, turnId: 't', stopReason: 'end_turn' });
    const broken: [] = JSON.parse('[{"type":"text"},{"type":"text","text":"b"}]');
    if (key === 'bad') eventLog.append({ type: 'turn-start', sessionId: key, turnId: 'u', prompt: broken });
    await eventLog.close();
  }

  const listed = await parley(['sessions', 'list', '--json'], { cwd });
  expect(listed.status).toBe(0);
  const { sessions } = toListed(listed);
  expect(Object.fromEntries(sessions.map(({ id, state, title }) => [id, [state, title]]))).toEqual({
    good: ['closed', 'a good prompt'],
    // What cannot be shown of a prompt is no fact of its session.
    bad: ['interrupted', 'a bad prompt'],
  });
  for (const words of [['show'], ['export'], ['export', '--format', 'json']]) {
    expect(await parley(['sessions', ...words, 'bad'], { cwd })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('a bad prompt'),
      stderr: expect.stringContaining('session bad cannot be read'),
    });
  }
});

test('on a terminal delete asks, and Enter keeps everything', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await converse(cwd);
  for (const [answer, left] of [
    ['\r', 1],
    ['y\r', 0],
  ] as const) {
    using screen = openScreen(['sessions', 'delete', '--all'], cwd);
    await screen.shows('Delete for good? [y/N] ');
    screen.type(answer);
    expect(await screen.exited).toBe(0);
    expect(await filesStore(path.join(cwd, '.home', 'sessions')).list()).toHaveLength(left);
  }
});
