import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  commandFile,
  parley,
  scripted,
  stopOf,
  temporaryFolder,
  toLines,
  type Finished,
  type Line,
} from './command.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let talk = '';
beforeAll(async () => {
  folder = await temporaryFolder();
  talk = path.join(folder.path, 'talk.jsonl');
  const prompt = 'say: hello\nlist .\nwrite a.txt: one\nrun echo hi\nsay: done';
  const agent = [process.execPath, commandFile, 'agent'];
  const words = ['run', '--format', 'json', '--approve', 'all', '--record', talk, prompt, '--', ...agent];
  recorded = toLines((await parley(words, { cwd: await home('recorded') })).stdout);
});
afterAll(() => folder[Symbol.asyncDispose]());

let recorded: readonly Line[] = [];

async function home(name: string): Promise<string> {
  const cwd = path.join(folder.path, name);
  await mkdir(cwd);
  return cwd;
}

function replay(...flags: string[]): string[] {
  return ['--', process.execPath, commandFile, 'replay', '--speed', 'instant', ...flags];
}

const updatesOf = (lines: readonly Line[]): unknown[] => lines.map(({ update }) => update).filter(Boolean);

test('a recorded run is replayed in another folder with the same updates and the same end', async () => {
  const cwd = await home('replayed');
  const words = ['run', '--format', 'json', '--approve', 'all', 'anything', ...replay(talk)];
  const { status, stdout } = await parley(words, { cwd });
  const lines = toLines(stdout);
  expect(status).toBe(0);
  expect(updatesOf(recorded).length).toBeGreaterThan(8);
  const inFolder = (value: unknown): string => JSON.stringify(value).replaceAll(cwd, 'CWD');
  const inRecorded = JSON.stringify(updatesOf(recorded)).replaceAll(
    path.join(folder.path, 'recorded'),
    'CWD',
  );
  const exactly = (text: string): string => text.replaceAll(/"terminalId":"[^"]*"/gu, '"terminalId":"T"');
  expect(exactly(inFolder(updatesOf(lines)))).toBe(exactly(inRecorded));
  expect(stopOf(lines)).toMatchObject({ stopReason: 'end_turn', exitCode: 0 });
  // What the agent did through its client is done again.
  expect(await readFile(path.join(cwd, 'a.txt'), 'utf8')).toBe('one');
});

test('a strict replay ends with status 1 where the client deviates, and says where', async () => {
  const { status, stderr } = await parley(['replay', '--strict', talk], {
    input: '{"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}\n',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('replay: the recording has no session/list here\n');
});

test('without a client it ends at once', async () => {
  expect(await parley(['replay', talk])).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('a recording contains no secret of an MCP server', async () => {
  const secret = createHash('sha256').update('a secret').digest('hex');
  const cwd = await home('secret');
  await writeFile(
    path.join(cwd, 'mcp.json'),
    JSON.stringify({ mcpServers: { m: { command: 'true', args: ['--token', secret], env: { A: secret } } } }),
  );
  const words = ['run', '--mcp-config', 'mcp.json', '--record', 'r.jsonl', 'x', '--'];
  const agent = scripted({ prompt: [{ say: `it is ${secret}` }] });
  const { stdout } = await parley([...words, ...agent], { cwd });
  const recording = await readFile(path.join(cwd, 'r.jsonl'), 'utf8');
  expect(stdout).toContain(secret);
  expect(recording).toContain('"mcpServers":[{');
  expect(recording).not.toContain(secret);
});

test('a probe can be recorded too', async () => {
  const cwd = await home('probed');
  expect((await parley(['agents', 'probe', 'parley', '--record', 'r.jsonl'], { cwd })).status).toBe(0);
  const { stdout } = await parley(['inspect', 'r.jsonl', '--no-body'], { cwd });
  expect(stdout).toContain('session/new answers #3');
});

test.each<[string, string[], string]>([
  ['a file that is not there', ['none.jsonl'], 'replay none.jsonl: the file does not exist'],
  ['a folder', ['.'], 'replay .: is a folder'],
  ['a wrong speed', ['--speed', 'fast', 'a'], '--speed fast: expected original, instant, or how many times'],
  ['no file', [], "missing required argument 'FILE'; see parley replay --help"],
])('%s is wrong usage, said in a line', async (_what, words, message) => {
  const { status, stdout, stderr }: Finished = await parley(['replay', ...words], { cwd: folder.path });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(`parley: ${message}`);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});
