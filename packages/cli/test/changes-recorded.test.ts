import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandFile } from './command.ts';
import { testRepository } from './repository.ts';

const all = ['--approve', 'all'] as const;

/**
 * The traffic of real agents, as `parley run --record` wrote it on Linux: Gemini CLI 0.61.0, which writes
 * files through its client, and Claude Code 0.100.0, which writes them by itself. The model behind them was scripted.
 * Only the folder was renamed, and the lists of slash commands were emptied.
 */
const recording = (name: string): string => fileURLToPath(new URL(`recordings/${name}`, import.meta.url));
const editingReplay = fileURLToPath(new URL('agents/editing-replay.mjs', import.meta.url));

test.each([
  {
    who: 'Gemini CLI, through its client,',
    file: recording('gemini.jsonl'),
    agent: [commandFile, 'replay', '--speed', 'instant'],
    clientWrites: 2,
  },
  {
    who: 'Claude Code, by itself,',
    file: recording('claude.jsonl'),
    agent: [editingReplay, commandFile],
    clientWrites: 0,
  },
])('what $who wrote in a recorded turn is undone and redone byte for byte', async (recorded) => {
  const { file, agent, clientWrites } = recorded;
  await using repo = await testRepository({ 'src/greeting.txt': 'Hello\n', 'src/data.bin': '\0\r\n\u00ff' });
  const before = await contents(repo.path);
  expect((await readFile(file, 'utf8')).split('"fs/write_text_file"')).toHaveLength(clientWrites + 1);

  const prompt = 'Greet the world in src/greeting.txt, and write src/farewell.txt';
  const { status } = await repo.run([...all, prompt, '--', process.execPath, ...agent, file]);

  expect(status).toBe(0);
  const after = await contents(repo.path);
  expect(after).toEqual({
    ...before,
    'src/greeting.txt': { ...before['src/greeting.txt'], bytes: hex('Hello, world\n') },
    'src/farewell.txt': { mode: expect.any(Number) as number, bytes: hex('Farewell\n') },
  });
  const { stdout } = await repo.parley(['changes', 'list', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    turns: [
      {
        turn: 1,
        undone: false,
        files: [
          { path: 'src/farewell.txt', status: 'added', additions: 1, deletions: 0, reported: true },
          { path: 'src/greeting.txt', status: 'modified', additions: 1, deletions: 1, reported: true },
        ],
        omitted: [],
      },
    ],
  });

  expect(await repo.parley(['changes', 'undo'])).toMatchObject({ status: 0, stderr: '' });
  expect(await contents(repo.path)).toEqual(before);
  expect(await repo.git('status', '--porcelain')).toBe('');
  expect(await repo.parley(['changes', 'redo'])).toMatchObject({ status: 0, stderr: '' });
  expect(await contents(repo.path)).toEqual(after);
});

/** Each file of a folder but those of git. */
async function contents(root: string): Promise<Record<string, { mode: number; bytes: string }>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !path.relative(root, file).startsWith('.git'));
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => {
        const { mode } = await lstat(file);
        return [path.relative(root, file), { mode, bytes: (await readFile(file)).toString('hex') }] as const;
      }),
    ),
  );
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}
