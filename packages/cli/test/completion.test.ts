import { execFile, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parley, temporaryFolder } from './command.ts';

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

/** What bash suggests for a line with the cursor at its end. */
async function suggestInBash(words: readonly string[], cwd: string): Promise<string[]> {
  const { stdout: script } = await parley(['completion', 'bash'], { cwd });
  const typed = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _parley`;
  const show = '[ ${#COMPREPLY[@]} -eq 0 ] || printf "%s\\n" "${COMPREPLY[@]}"';
  const bash = ['--norc', '--noprofile', '-c', `${script}\n${ask}\n${show}`];
  const { stdout, stderr } = await promisify(execFile)('bash', bash, { cwd });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

/** What fish suggests for a line. */
async function suggestInFish(line: string, cwd: string): Promise<string[]> {
  const { stdout: script } = await parley(['completion', 'fish'], { cwd });
  const file = path.join(cwd, 'completion.fish');
  await writeFile(file, script);
  const fish = ['--no-config', '-c', `source ${file}; complete -C '${line}'`];
  const { stdout } = await promisify(execFile)('fish', fish, { cwd, env: { ...process.env, HOME: cwd } });
  return stdout.split('\n').flatMap((suggestion) => suggestion.split('\t').slice(0, 1));
}

/** What zsh suggests: the parts of its completion system that the script calls print what they are given. */
async function suggestInZsh(words: readonly string[], cwd: string): Promise<string[]> {
  const { stdout: script } = await parley(['completion', 'zsh'], { cwd });
  const parts = [
    'compdef() { : }',
    '_files() { : }',
    'compadd() { shift; print -rl -- ${(M)@:#$words[CURRENT]*} }',
    '_describe() { print -rl -- ${(M)${(@)${(P)2}%%:*}:#$words[CURRENT]*} }',
    script,
    `words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=$#words; _parley`,
  ];
  const { stdout, stderr } = await promisify(execFile)('zsh', ['-f', '-c', parts.join('\n')], { cwd });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

const cases: readonly (readonly [line: string, has: readonly string[], hasNot: readonly string[]])[] = [
  ['parley ', ['run', 'agents', 'completion'], ['--help', 'probe']],
  ['parley r', ['run'], ['chat']],
  ['parley agents ', ['list', 'probe', 'import'], ['run']],
  ['parley agents show ', ['claude', 'parley'], ['list']],
  ['parley agents probe cl', ['claude'], ['codex']],
  ['parley agents add ', [], ['claude']],
  ['parley run --', ['--file', '--approve', '--agent'], ['-a']],
  ['parley run --approve ', ['reads', 'edits', 'all', 'none'], []],
  ['parley proxy ', [], ['URL', 'NAME']],
  ['parley run -a g', ['gemini', 'goose'], ['claude']],
  ['parley run -a parley --format j', ['json'], ['text']],
  ['parley run --model ', [], ['notes.txt']],
  ['parley completion ', ['bash', 'zsh', 'fish'], []],
  ['parley serve --store ', [], ['url', 'dir']],
];

test.skipIf(!isThere('bash')).each(cases)('bash completes "%s"', async (line, has, hasNot) => {
  await using folder = await temporaryFolder();
  const found = await suggestInBash(line.split(' '), folder.path);
  expect(found).toEqual(expect.arrayContaining([...has]));
  for (const word of hasNot) expect(found).not.toContain(word);
});

test.skipIf(!isThere('zsh')).each(cases)('zsh completes "%s"', async (line, has, hasNot) => {
  await using folder = await temporaryFolder();
  const found = await suggestInZsh(line.split(' '), folder.path);
  expect(found).toEqual(expect.arrayContaining([...has]));
  for (const word of hasNot) expect(found).not.toContain(word);
});

test.skipIf(!isThere('fish')).each(cases)('fish completes "%s"', async (line, has, hasNot) => {
  await using folder = await temporaryFolder();
  const found = await suggestInFish(line, folder.path);
  expect(found).toEqual(expect.arrayContaining([...has]));
  for (const word of hasNot) expect(found).not.toContain(word);
});

test.skipIf(!isThere('bash'))('bash completes files and folders, also with spaces', async () => {
  await using folder = await temporaryFolder();
  await mkdir(path.join(folder.path, 'my folder'));
  await writeFile(path.join(folder.path, 'my notes.txt'), '');
  const files = await suggestInBash(['parley', 'run', '--file', 'my'], folder.path);
  expect(files.toSorted()).toEqual(['my folder', 'my notes.txt']);
  expect(await suggestInBash(['parley', 'run', '--cwd', 'my'], folder.path)).toEqual(['my folder']);
  expect(await suggestInBash(['parley', 'run', 'x', '--', 'my'], folder.path)).toContain('my notes.txt');
});

test.skipIf(!isThere('bash'))('bash completes the value behind an equals sign', async () => {
  await using folder = await temporaryFolder();
  expect(await suggestInBash(['parley', 'run', '--format', '=', 'q'], folder.path)).toEqual(['quiet']);
  expect(await suggestInBash(['parley', 'run', '--format', '='], folder.path)).toContain('json');
});

test.skipIf(!isThere('bash'))('no name of an agent is run by the shell', async () => {
  await using folder = await temporaryFolder();
  const agents = { 'fine.1': { command: 'x' }, '$(touch ran)': { command: 'x' }, "a'b": { command: 'x' } };
  await mkdir(path.join(folder.path, '.home'));
  await writeFile(path.join(folder.path, '.home', 'config.json'), JSON.stringify({ agents }));
  const found = await suggestInBash(['parley', 'run', '-a', ''], folder.path);
  expect(found).toContain('fine.1');
  expect(found.every((name) => /^[\w.-]+$/.test(name))).toBe(true);
});

test.each(['bash', 'zsh', 'fish'])('what is printed is a script that %s can read', async (shell) => {
  await using folder = await temporaryFolder();
  const { stdout, status } = await parley(['completion', shell], { cwd: folder.path });
  expect(status).toBe(0);
  expect(stdout).toContain('parley agents probe');
  if (!isThere(shell)) return;
  const file = path.join(folder.path, 'script');
  await writeFile(file, stdout);
  expect(spawnSync(shell, ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

test('a broken configuration does not prevent a shell from starting', async () => {
  await using folder = await temporaryFolder();
  await mkdir(path.join(folder.path, '.home'));
  await writeFile(path.join(folder.path, '.home', 'config.json'), '{');
  const { stderr, status } = await parley(['completion', 'bash'], { cwd: folder.path });
  expect([stderr, status]).toEqual(['', 0]);
});

test('another shell is wrong usage', async () => {
  const { stderr, status } = await parley(['completion', 'csh']);
  expect(stderr).toBe('parley: completion csh: expected bash, zsh, fish\n');
  expect(status).toBe(2);
});
