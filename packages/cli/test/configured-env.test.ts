import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createAapClient } from '@parley/aap';
import { expect, test } from 'vitest';
import {
  configureAgent,
  finish,
  parley,
  scripted,
  startParley,
  temporaryFolder,
  toLines,
  type Finished,
} from './command.ts';

const secret = 'hush-4711';
const shown = 'plain-4711';
const env = { QUIET: secret, OPEN: { value: shown, public: true } };

/** An agent that reveals its configured values in every way it can. */
const talker = scripted({
  log: `started with ${secret}\n`,
  session: { modes: { currentModeId: 'a', availableModes: [{ id: 'a', name: secret }] } },
  prompt: [
    { sayVariable: 'OPEN' },
    { sayVariable: 'QUIET' },
    { say: `in pieces: ${secret.slice(0, 4)}` },
    { say: secret.slice(4) },
    {
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 'c1',
        title: secret,
        kind: 'read',
        rawInput: { [secret]: secret },
        content: [{ type: 'content', content: { type: 'text', text: secret } }],
      },
    },
    { stderr: `${secret}\n` },
  ],
});

/** Everything in a folder, as one text. */
async function contentOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'config.json');
  return (
    await Promise.all(files.map((entry) => readIfThere(path.join(entry.parentPath, entry.name))))
  ).join();
}

/** A watchdog may remove the record of a process that has ended, after it was listed. */
async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

test('configured variables appear in no output of a run, no event log and no recording', async () => {
  await using folder = await temporaryFolder();
  await configureAgent(folder.path, 'talker', { words: talker, env });

  const { status, stdout, stderr } = await parley(
    ['run', '--format', 'json', '--record', 'recording.jsonl', '-a', 'talker', 'go'],
    { cwd: folder.path },
  );
  const { stdout: exported } = await parley(['sessions', 'export', '--format', 'json', 'last'], {
    cwd: folder.path,
  });
  const stored = await contentOf(folder.path);

  expect(status).toBe(0);
  expect(toLines(stdout).some(({ type }) => type === 'update')).toBe(true);
  expect(stdout).toContain(shown);
  expect(stdout).toContain('it is ***');
  expect(stdout).not.toMatch(/hush-|"4711/u);
  expect(stderr).not.toContain(secret);
  expect(exported).not.toContain(secret);
  expect(stored).toContain(shown);
  expect(stored).not.toContain(secret);
});

test.each([
  [
    'a refusal',
    { errors: { 'session/prompt': { code: -32603, message: `no ${secret}`, data: { secret } } } },
  ],
  ['a refusal of the session', { errors: { 'session/new': { code: -32603, message: `no ${secret}` } } }],
  ['an end', { log: `last words: ${secret}\n`, prompt: [{ stderr: `${secret}\n` }, { exit: 1 }] }],
])('%s that contains a configured value is printed without it', async (_name, script) => {
  await using folder = await temporaryFolder();
  await configureAgent(folder.path, 'talker', { words: scripted(script), env });

  for (const format of ['json', 'text']) {
    const { status, stdout, stderr } = await parley(['run', '--format', format, '-a', 'talker', 'go'], {
      cwd: folder.path,
    });
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('***');
    expect(stdout + stderr).not.toContain(secret);
  }
  const chat = await parley(['chat', '-a', 'talker'], { cwd: folder.path, input: 'go\n' });
  expect(chat.stdout + chat.stderr).toContain('***');
  expect(chat.stdout + chat.stderr).not.toContain(secret);
});

test('agents show, agents list and doctor show public values only', async () => {
  await using folder = await temporaryFolder();
  await configureAgent(folder.path, 'talker', { words: talker.slice(0, 2), env });
  const run = (...words: string[]): Promise<Finished> => parley(words, { cwd: folder.path });

  const [show, json, list, doctor] = await Promise.all([
    run('agents', 'show', 'talker'),
    run('agents', 'show', 'talker', '--json'),
    run('agents', 'list', '--json'),
    run('doctor', '--json'),
  ]);

  expect(show.stdout).toMatch(/QUIET, OPEN=plain-4711/u);
  expect(JSON.parse(json.stdout)).toMatchObject({
    variables: ['QUIET', 'OPEN'],
    publicVariables: { OPEN: shown },
  });
  expect(doctor.stdout).toContain('agent talker');
  expect(JSON.stringify([show, json, list, doctor])).not.toContain(secret);
});

test.each([[[]], [['--json']]])(
  'a probe shows nothing that the configuration gave the agent: %j',
  async (flags) => {
    await using folder = await temporaryFolder();
    const words = scripted({ initialize: { agentInfo: { name: secret, version: '1.2.3' } } });
    await configureAgent(folder.path, 'talker', { words, env });

    const { status, stdout, stderr } = await parley(['agents', 'probe', 'talker', ...flags], {
      cwd: folder.path,
    });

    expect(status).toBe(0);
    expect(stdout).toContain('***');
    expect(stdout + stderr).not.toContain(secret);
  },
);

test("titles of an agent's sessions contain no variable of its configuration", async () => {
  await using folder = await temporaryFolder();
  const words = scripted({
    initialize: { agentCapabilities: { sessionCapabilities: { list: {} } } },
    sessions: [{ sessionId: 's1', cwd: folder.path, title: `about ${secret}` }],
  });
  await configureAgent(folder.path, 'talker', { words, env });

  for (const flags of [[], ['--json']]) {
    const { stdout } = await parley(['sessions', 'list', '--agent', 'talker', ...flags], {
      cwd: folder.path,
    });
    expect(stdout).toContain('about ***');
    expect(stdout).not.toContain(secret);
  }
});

test('configured variables are returned by no path of the server', async () => {
  await using folder = await temporaryFolder();
  await configureAgent(folder.path, 'talker', { words: talker, env });
  const child = startParley(['serve', '--port', '0', '--workspace', '.', '--token', 'secret-token'], {
    cwd: folder.path,
  });
  const finished = finish(child);
  child.stdin.end();
  const [printed] = (await once(child.stdout, 'data')) as [string];
  const [url = ''] = /http:\/\/[^/\s]+/u.exec(printed) ?? [];
  const headers = { authorization: 'Bearer secret-token' };
  const client = createAapClient({ baseUrl: `${url}/aap`, apiKey: 'secret-token' });

  const { sessionId } = await client.createSession({ agent: { name: 'talker' } });
  const turn = await client.postTurn(sessionId, { messages: [{ role: 'user', content: 'go' }] });
  const said = JSON.stringify([
    turn,
    await client.getMeta(),
    await client.getHistory(sessionId, 'full'),
    await (await fetch(`${url}/api/hub`, { headers })).text(),
    await (await fetch(`${url}/api/agents/talker/probe`, { method: 'POST', headers })).text(),
  ]);
  child.kill('SIGTERM');
  const { stderr } = await finished;
  const stored = await contentOf(folder.path);

  expect(said).toContain(shown);
  expect(said).toContain('***');
  expect(said + stderr + stored).not.toContain(secret);
});
