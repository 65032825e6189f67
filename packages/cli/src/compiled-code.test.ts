import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keepCompiledCode } from './compiled-code.ts';

/** The folders that Node would use when commands start with this state folder. */
function start(state: string): readonly string[] {
  const used: string[] = [];
  keepCompiledCode({ PARLEY_HOME: state }, (folder) => used.push(folder));
  return used;
}

async function temporaryState(): Promise<string> {
  const state = await mkdtemp(path.join(tmpdir(), 'parley-'));
  onTestFinished(() => rm(state, { recursive: true, force: true }));
  return state;
}

test('all commands of a build keep compiled code in one folder, which only the user can read', async () => {
  const state = await temporaryState();

  const [first] = start(state);
  const [second] = start(state);

  expect(second).toBe(first);
  const { mode } = await stat(String(first));
  expect(mode & 0o777).toBe(0o700);
});

test('compiled code of earlier builds is removed, and nothing else', async () => {
  const state = await temporaryState();
  for (const name of ['0.0.1-1', '1.0.0-beta.2-34', 'of the user']) {
    await mkdir(path.join(state, 'compiled', name, 'deep'), { recursive: true });
  }

  const [used] = start(state);

  expect(await readdir(path.join(state, 'compiled'))).toEqual([path.basename(String(used)), 'of the user']);
});

test('the state folder is not created for it', async () => {
  const state = path.join(await temporaryState(), 'none');

  expect(start(state)).toEqual([]);

  await expect(stat(state)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('commands start when nothing can be kept', async () => {
  const state = await temporaryState();
  await writeFile(path.join(state, 'compiled'), 'of the user');
  const failing = (): void => {
    throw new Error('not here');
  };

  expect(start(state)).toEqual([]);
  expect(await readFile(path.join(state, 'compiled'), 'utf8')).toBe('of the user');
  await rm(path.join(state, 'compiled'));
  expect(() => {
    keepCompiledCode({ PARLEY_HOME: state }, failing);
  }).not.toThrow();
});
