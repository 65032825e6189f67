import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commandFile, parley, temporaryFolder, type Finished } from './command.ts';

/** Runs a prompt with `parley agent` as a process, for a client that knows no rules and allows everything. */
async function runAgent(cwd: string, prompt: string, ...flags: readonly string[]): Promise<Finished> {
  const empty = path.join(cwd, 'empty.json');
  await writeFile(empty, '{}');
  const words = ['run', '--config', empty, '--format', 'json', '--approve', 'all', ...flags, prompt];
  return parley([...words, '--', process.execPath, commandFile, 'agent'], { cwd });
}

async function configure(folder: string, content: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'config.json'), content);
}

test("parley agent applies the user's rules and the project's, which cannot widen them", async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const user = [
    { tool: 'edit', path: '*.key', decision: 'deny' },
    { tool: 'edit', path: 'free', decision: 'allow' },
  ];
  const project = [
    { tool: 'execute', decision: 'deny' },
    { tool: 'edit', path: '*.txt', decision: 'allow' },
  ];
  await configure(path.join(cwd, '.home'), JSON.stringify({ permissions: { rules: user } }));
  await configure(path.join(cwd, '.parley'), JSON.stringify({ permissions: { rules: project } }));
  const prompt = 'write a.key: x\nwrite free/a: x\nwrite a.txt: x\nrun echo x > b.txt';
  const { stdout } = await runAgent(cwd, prompt);
  expect(stdout).toContain(String.raw`"rule":"the rule \"deny edit path \"*.key\"\""`);
  expect(stdout).toContain(String.raw`"rule":"the rule \"deny execute\""`);
  expect(stdout).toContain(String.raw`"rule":"the rule \"allow edit path \"free\"\""`);
  expect(stdout).not.toContain(String.raw`allow edit path \"*.txt\"`);
  expect((await readdir(cwd)).toSorted()).toEqual(['.home', '.parley', 'a.txt', 'empty.json', 'free']);
});

test('parley agent refuses a session whose configuration cannot be read', async () => {
  await using folder = await temporaryFolder();
  await configure(path.join(folder.path, '.home'), '{ "permissions": ');
  const { status, stdout } = await runAgent(folder.path, 'say: hello');
  expect(status).toBe(1);
  expect(stdout).toContain('cannot be read');
  expect(stdout).toContain('not valid JSON');
});

test('inside the command, a given level overrides rules that ask', async () => {
  await using folder = await temporaryFolder();
  const rules = [{ tool: 'edit', decision: 'ask' }];
  await configure(path.join(folder.path, '.home'), JSON.stringify({ permissions: { rules } }));
  const words = ['run', '--format', 'json', '--approve', 'edits', 'write a.txt: x'];
  const { status, stdout } = await parley(words, { cwd: folder.path });
  expect(status).toBe(0);
  expect(stdout).toContain('"by":"flag"');
});

test.each([
  ['.home', []],
  ['.home', ['--approve', 'all']],
  ['.parley', ['--mode', 'full-access']],
])(
  'inside the command a deny of reading in %s holds for all that reads, with the flags %j',
  async (owner, flags) => {
    await using folder = await temporaryFolder();
    const rules = [{ tool: 'read', path: 'secret', decision: 'deny' }];
    await configure(path.join(folder.path, owner), JSON.stringify({ permissions: { rules } }));
    await mkdir(path.join(folder.path, 'secret'));
    await writeFile(path.join(folder.path, 'secret', 'key.txt'), 'hidden-words');
    await writeFile(path.join(folder.path, 'open.txt'), 'open-words');
    const read = 'read secret/key.txt\nsearch words in secret\nsearch words\nsay: @secret/key.txt';
    const listed = 'list secret\ncall glob {"pattern":"**/*.txt"}';
    const words = ['run', '--format', 'json', ...flags, `${read}\n${listed}`];
    const { stdout } = await parley(words, { cwd: folder.path });
    expect(stdout).not.toContain('hidden-words');
    expect(stdout).toContain('open-words');
    expect(stdout).toContain('[1 files are left out: rules protect them]');
    expect(stdout).toContain(String.raw`deny read path \"secret\"`);
  },
);
