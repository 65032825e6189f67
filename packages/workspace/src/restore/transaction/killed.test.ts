import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../temporary-directory.fixture.ts';
import { readTree, shown, writeTree } from '../tree.fixture.ts';
import { type FinishedRestore, finishRestores } from './finish.ts';
import { type KilledTurn, killedTurns } from './killed.fixture.ts';

interface Killed {
  readonly signal: string | null;
  readonly finished: readonly FinishedRestore[];
  readonly left: Record<string, string>;
}

/** Kills an undo at a step, changes something perhaps, and starts again. */
async function killAt(
  step: number,
  {
    turn = 'everyKind',
    failAt = [],
    meanwhile = async () => undefined,
  }: {
    turn?: keyof typeof killedTurns;
    failAt?: string[];
    meanwhile?: (workspace: string) => Promise<unknown>;
  } = {},
): Promise<Killed> {
  await using folder = await temporaryDirectory();
  const [workspace, stateDir] = [folder.at('workspace'), folder.at('state')];
  await mkdir(workspace);
  await writeTree(workspace, killedTurns[turn].after);
  const fixture = path.join(
    process.env['PARLEY_TEST_PROGRAMS'] ?? '',
    'workspace/src/restore/transaction/killed.fixture.js',
  );
  const child = spawn(process.execPath, [fixture, turn, workspace, stateDir, String(step), ...failAt], {
    stdio: 'ignore',
  });
  const [, signal] = await once(child, 'exit');
  await meanwhile(workspace);
  const finished = await finishRestores({ workspace, stateDir });
  expect(await finishRestores({ workspace, stateDir })).toEqual([]);
  const [restores = ''] = await readdir(folder.at('state', 'restores')).catch(() => []);
  const stored = restores === '' ? [] : await readdir(folder.at('state', 'restores', restores));
  expect(stored.filter((name) => name !== 'lock')).toEqual([]);
  return { signal: String(signal), finished, left: shown(await readTree(workspace)) };
}

/** Kills at each step, four at a time, until one is not reached. */
async function killAtEach(options: Parameters<typeof killAt>[1] = {}): Promise<readonly Killed[]> {
  const all: Killed[] = [];
  for (let step = 0; all.every(({ signal }) => signal === 'SIGKILL'); step += 4) {
    all.push(...(await Promise.all([0, 1, 2, 3].map((more) => killAt(step + more, options)))));
  }
  return all;
}

/** Each undo was completed, or changed nothing. */
async function expectWhole(turn: KilledTurn, all: readonly Killed[]): Promise<void> {
  const [before, after] = [await shownOnDisk(turn.before), await shownOnDisk(turn.after)];
  for (const { signal, finished, left } of all) {
    if (signal !== 'SIGKILL') expect(finished).toEqual([]);
    for (const { outcome, note, left: changed } of finished) {
      expect({ outcome, note, changed }).toEqual({ outcome: 'completed', note: { turn: 7 }, changed: [] });
    }
    expect(left).toEqual(finished.length === 0 && signal === 'SIGKILL' ? after : before);
  }
}

async function shownOnDisk(nodes: KilledTurn['before']): Promise<Record<string, string>> {
  await using folder = await temporaryDirectory();
  await writeTree(folder.path, nodes);
  return shown(await readTree(folder.path));
}

test('an undo that is killed at any step is completed by the next start, or was not begun', async () => {
  const all = await killAtEach();
  await expectWhole(killedTurns.everyKind, all);
  expect(all.filter(({ finished }) => finished.length > 0).length).toBeGreaterThan(12);
});

test('an undo of many files, several at once, is completed by the next start, or was not begun', async () => {
  const all: Killed[] = [];
  for (let step = 0; step < 220; step += 44) {
    const steps = [step, step + 11, step + 22, step + 33];
    all.push(...(await Promise.all(steps.map((each) => killAt(each, { turn: 'manyFiles' })))));
  }
  await expectWhole(killedTurns.manyFiles, all);
  expect(all.filter(({ finished }) => finished.length > 0).length).toBeGreaterThan(12);
});

test('taking back that is killed at any step is taken back by the next start', async () => {
  const after = await shownOnDisk(killedTurns.everyKind.after);
  const all = await killAtEach({ failAt: ['write was'] });
  for (const { signal, finished, left } of all.slice(16)) {
    if (signal === 'SIGKILL') expect(finished.map(({ outcome }) => outcome)).toEqual(['taken-back']);
    expect(left).toEqual(after);
  }
  expect(all.length).toBeGreaterThan(20);
});

test('after a change by the user meanwhile, a killed undo is taken back, and the change stays', async () => {
  const after = await shownOnDisk(killedTurns.everyKind.after);
  const meanwhile = (workspace: string) => writeFile(`${workspace}/content`, 'mine\n');
  const all = await Promise.all([3, 7, 10, 14].map((step) => killAt(step, { meanwhile })));
  expect(new Set(all.map(({ finished }) => finished[0]?.outcome))).toContain('taken-back');
  for (const { finished, left } of all) {
    for (const { outcome, left: changed } of finished) {
      expect(changed).toEqual(outcome === 'completed' ? [] : ['content']);
      if (outcome === 'taken-back') expect(left).toEqual({ ...after, content: 'file 644 mine\n' });
    }
    expect(left['content']).toBe('file 644 mine\n');
  }
});
