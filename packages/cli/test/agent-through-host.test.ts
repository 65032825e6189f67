import { readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commandFile, parley, stopOf, temporaryFolder, toLines, type Line } from './command.ts';

interface Run {
  readonly status: number | null;
  readonly lines: readonly Line[];
  /** What went over the connection, as the recording has it. */
  readonly recording: string;
}

/** Runs a prompt with our own agent as a process of its own, whose files and terminals are those of the host. */
async function run(cwd: string, prompt: string, ...flags: string[]): Promise<Run> {
  const record = path.join(cwd, 'recording.jsonl');
  const words = ['run', '--format', 'json', '--record', record, ...flags, prompt];
  const agent = [process.execPath, commandFile, 'agent'];
  const { status, stdout } = await parley([...words, '--', ...agent], { cwd });
  return { status, lines: toLines(stdout), recording: await readFile(record, 'utf8') };
}

const permissionsIn = (lines: readonly Line[]): Line[] => lines.filter(({ type }) => type === 'permission');

/** The statuses with which the tool calls ended. */
const endsIn = (lines: readonly Line[]): unknown[] =>
  lines.flatMap(({ update }) =>
    typeof update === 'object' && update !== null && 'status' in update && 'rawOutput' in update
      ? [update.status]
      : [],
  );

test('files are read and written through the host, and each write needs an allowed call', async () => {
  await using folder = await temporaryFolder();
  const cwd = await realpath(folder.path);
  await writeFile(path.join(cwd, 'a.txt'), 'one\ntwo\n');
  const prompt = 'read a.txt\nreplace one with 1 in a.txt\nwrite b.txt: new';
  const { status, lines, recording } = await run(cwd, prompt, '--approve', 'edits');
  expect(status).toBe(0);
  expect(endsIn(lines)).toEqual(['completed', 'completed', 'completed']);
  // One decision for each call that asked, and none for what it then did.
  expect(permissionsIn(lines)).toEqual([
    expect.objectContaining({ toolCallId: 'call_2', by: 'flag' }),
    expect.objectContaining({ toolCallId: 'call_3', by: 'flag' }),
  ]);
  expect(recording).toContain('"method":"fs/read_text_file"');
  expect(recording).toContain('"method":"fs/write_text_file"');
  expect(await readFile(path.join(cwd, 'a.txt'), 'utf8')).toBe('1\ntwo\n');
  expect(await readFile(path.join(cwd, 'b.txt'), 'utf8')).toBe('new');
});

test('commands run in terminals of the host, and each needs an allowed call', async () => {
  await using folder = await temporaryFolder();
  const prompt = 'run echo "one two" && exit 3\nrun node --version';
  const { status, lines, recording } = await run(folder.path, prompt, '--approve', 'all');
  expect(status).toBe(0);
  expect(permissionsIn(lines).map(({ toolCallId }) => toolCallId)).toEqual(['call_1', 'call_2']);
  expect(endsIn(lines)).toEqual(['failed', 'completed']);
  expect(JSON.stringify(lines)).toContain('"exitCode":3');
  expect(recording).toContain('one two\\n');
  expect(recording.match(/"method":"terminal\/create"/gu)).toHaveLength(2);
  expect(recording.match(/"method":"terminal\/release"/gu)).toHaveLength(2);
});

test('calls that a mode allows are judged by the host, and a rejection says by whom', async () => {
  await using folder = await temporaryFolder();
  const flags = ['--mode', 'workspace-write'];
  const refused = await run(folder.path, 'write a.txt: new', ...flags);
  expect(refused.status).toBe(3);
  expect(stopOf(refused.lines)).toMatchObject({ exitCode: 3 });
  expect(JSON.stringify(refused.lines)).toContain('the client did not allow it');
  await expect(readFile(path.join(folder.path, 'a.txt'))).rejects.toThrow('ENOENT');
  const allowed = await run(folder.path, 'write a.txt: new', ...flags, '--approve', 'edits');
  expect(allowed.status).toBe(0);
  expect(await readFile(path.join(folder.path, 'a.txt'), 'utf8')).toBe('new');
});

test('the built-in agent inside the command follows its mode', async () => {
  await using folder = await temporaryFolder();
  const record = path.join(folder.path, 'recording.jsonl');
  const words = ['run', '--record', record, '--mode', 'workspace-write', 'write a.txt: new'];
  expect((await parley(words, { cwd: folder.path })).status).toBe(0);
  expect(await readFile(path.join(folder.path, 'a.txt'), 'utf8')).toBe('new');
  expect(await readFile(record, 'utf8')).not.toContain('fs/write_text_file');
});
