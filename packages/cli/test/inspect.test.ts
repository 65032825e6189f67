import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parley, startParley, temporaryFolder, type Finished } from './command.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

/** A frame of a recording, so many milliseconds after its beginning. */
function frame(ms: number, direction: 'in' | 'out', message: object): object {
  const time = new Date(Date.UTC(2026, 10, 20, 10) + ms).toISOString();
  return { seq: 0, time, direction, message: { jsonrpc: '2.0', ...message } };
}

const session = { sessionId: '0198-abcdefgh' };
const chunk = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'h\u001b[31mi' } };
const talk = [
  {
    recording: 1,
    time: '2026-11-20T10:00:00.000Z',
    program: 'parley 0.1.0',
    agent: 'mine',
    cwd: '/w',
    new: 1,
  },
  frame(0, 'out', { id: 0, method: 'initialize', params: { protocolVersion: 1 } }),
  frame(12, 'in', { id: 0, result: { protocolVersion: 1 } }),
  frame(20, 'out', { id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [] } }),
  frame(30, 'in', { id: 1, result: session }),
  frame(40, 'out', { id: 2, method: 'session/prompt', params: { ...session, prompt: [] } }),
  frame(50, 'in', { method: 'session/update', params: { ...session, update: chunk } }),
  frame(60, 'in', { id: 0, method: 'fs/read_text_file', params: { ...session, path: '/w/a' } }),
  frame(61, 'out', { id: 0, error: { code: -32002, message: 'no such file' } }),
  frame(1540, 'in', { id: 2, result: { stopReason: 'end_turn' } }),
  frame(1600, 'out', { id: 3, method: 'session/prompt', params: { ...session, prompt: [] } }),
].map((line, seq) => JSON.stringify({ ...line, ...('direction' in line && { seq }) }));

async function inspect(lines: readonly string[], ...flags: string[]): Promise<Finished> {
  const file = path.join(folder.path, 'talk.jsonl');
  await writeFile(file, lines.join('\n'));
  return parley(['inspect', file, ...flags]);
}

test('each message is a line with its time, direction, latency, session and turn, in columns', async () => {
  const { status, stdout } = await inspect(talk, '--no-body');
  expect(status).toBe(0);
  expect(stdout).toBe(`\
recording of mine by parley 0.1.0 in /w, 2026-11-20T10:00:00.000Z
     #    seconds        took session  turn message
     1      0.000 →                         initialize
     2      0.012 ←     12 ms               initialize answers #1
     3      0.020 →                         session/new
     4      0.030 ←     10 ms abcdefgh      session/new answers #3
     5      0.040 →           abcdefgh    1 session/prompt
     6      0.050 ←           abcdefgh    1 session/update agent_message_chunk
     7      0.060 ←           abcdefgh    1 fs/read_text_file
     8      0.061 →      1 ms abcdefgh    1 fs/read_text_file answers #7 error -32002: no such file
     9      1.540 ←   1500 ms abcdefgh    1 session/prompt answers #5 end_turn
    10      1.600 →           abcdefgh    2 session/prompt
#10 session/prompt was never answered
10 frames, 5 requests, 1 of them without an answer, 1 errors
`);
});

test("the trace of a session's requests is shown", async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const params = { ...session, prompt: [], _meta: { traceparent } };
  const { stdout } = await inspect(
    [JSON.stringify(frame(0, 'out', { id: 0, method: 'session/prompt', params }))],
    '--no-body',
  );
  expect(stdout).toContain('session/prompt trace 4bf92f3577b34da6a3ce929d0e0e4736\n');
});

test('the text of messages is printed below them, and cannot move the cursor of a terminal', async () => {
  const { stdout } = await inspect(talk);
  expect(stdout).toContain('{"protocolVersion":1}');
  expect(stdout).not.toContain('\u001b');
});

test('--session, --method and --errors filter messages', async () => {
  const shown = async (...flags: string[]): Promise<string[]> => {
    const { stdout } = await inspect(talk, '--no-body', ...flags);
    return [...stdout.matchAll(/^ +(\d+) /gmu)].map(([, seq = '']) => seq);
  };
  expect(await shown('--session', 'cdef')).toEqual(['4', '5', '6', '7', '8', '9', '10']);
  expect(await shown('--method', 'session/prompt')).toEqual(['5', '9', '10']);
  expect(await shown('--method', 'fs/*')).toEqual(['7', '8']);
  expect(await shown('--errors')).toEqual(['8']);
});

test('--json prints one complete list', async () => {
  const { stdout } = await inspect(talk, '--json');
  const list = JSON.parse(stdout) as readonly object[];
  expect(list).toHaveLength(12);
  expect(list[0]).toMatchObject({ kind: 'head', agent: 'mine', cwd: '/w' });
  expect(list[8]).toEqual({
    kind: 'error',
    seq: 8,
    time: '2026-11-20T10:00:00.061Z',
    direction: 'out',
    id: 0,
    method: 'fs/read_text_file',
    session: session.sessionId,
    turn: 1,
    prompt: 5,
    answers: 7,
    latencyMs: 1,
    message: { jsonrpc: '2.0', id: 0, error: { code: -32002, message: 'no such file' } },
  });
  expect(list[11]).toMatchObject({ kind: 'unanswered', seq: 10, method: 'session/prompt' });
  const bare = JSON.parse((await inspect(talk, '--json', '--no-body')).stdout) as readonly object[];
  expect(bare.some((row) => 'message' in row)).toBe(false);
});

test('bare messages of other tools are read, with their directions if known', async () => {
  const bare = talk
    .slice(1)
    .map((line) => JSON.stringify((JSON.parse(line) as { readonly message: object }).message));
  const { stdout } = await inspect(bare, '--no-body');
  expect([...stdout.matchAll(/^ +\d+ +([→←])/gmu)].map(([, arrow]) => arrow).join('')).toBe('→←→←→←←→←→');
});

test('a torn last line and foreign lines are reported, and the rest is shown', async () => {
  const torn = [
    ...talk.slice(0, 3),
    'hello',
    '',
    '{"a":1}',
    ...talk.slice(3, 5),
    talk[5]?.slice(0, 50) ?? '',
  ];
  const { status, stdout } = await inspect(torn, '--no-body');
  expect(status).toBe(0);
  expect(stdout).toContain('line 4 cannot be read: it is not a JSON object');
  expect(stdout).toContain('line 6 cannot be read: neither a frame nor a message');
  expect(stdout).toContain('line 9 cannot be read');
  expect(stdout).toContain('4 frames, 2 requests, 0 of them without an answer, 0 errors, 3 lines');
});

test('- is standard input', async () => {
  const { stdout } = await parley(['inspect', '-', '--no-body'], { input: talk.join('\n') });
  expect(stdout).toContain('10 frames');
});

test.each([
  ['a file that is not there', ['none.jsonl'], 'inspect none.jsonl: the file does not exist'],
  ['a folder', ['.'], 'inspect .: is a folder'],
  ['no file', [], "missing required argument 'FILE'; see parley inspect --help"],
  ['a wrong flag', ['a', '--wat'], "unknown option '--wat'; see parley inspect --help"],
])('%s is wrong usage, said in a line', async (_what, words, message) => {
  const { status, stdout, stderr } = await parley(['inspect', ...words], { cwd: folder.path });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toBe(`parley: ${message}\n`);
});

test.each([
  ['a file without a message', ['hello'], 'not a recording: no message found'],
  ['a recording of a later version', ['{"recording":2}'], 'version 2 of recordings cannot be read'],
])('%s is wrong usage', async (_what, lines, message) => {
  const { status, stdout, stderr } = await inspect(lines, '--no-body');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(message);
});

test('a reader that disconnects ends it silently', async () => {
  const file = path.join(folder.path, 'long.jsonl');
  await writeFile(file, [talk[0], ...Array.from({ length: 50_000 }, () => talk[6])].join('\n'));
  const child = startParley(['inspect', file]);
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => {
    stderr += text.toString();
  });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  await once(child, 'close');
  expect({ status: child.exitCode, stderr }).toEqual({ status: 0, stderr: '' });
});
