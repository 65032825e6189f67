import {
  chmod,
  link,
  lstat,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCheckpoints } from '../checkpoints.ts';
import { testWorkspace, type TestWorkspace } from '../workspace.fixture.ts';

/** What happens to a workspace between two takes. */
type Action = readonly [kind: keyof typeof actions, at: readonly string[], to: readonly string[], number];

const part = fc.constantFrom('a', 'b', 'c.o', 'ü d');
const slot = fc.array(part, { minLength: 1, maxLength: 3 });
const rules = ['a\n', 'b/\n', '*.o\n', '/a/*\n!/a/b\n', '', '*\n'];

const actions = {
  write: async ({ at }, name, number) => {
    await mkdir(path.dirname(at(name)), { recursive: true });
    await writeFile(at(name), String(number));
  },
  'same size and time': async ({ at }, name) => {
    const { atime, mtime } = await stat(at(name));
    const text = await readFile(at(name), 'latin1');
    await writeFile(
      at(name),
      text.replaceAll(/[0-8]/gu, (digit) => String(Number(digit) + 1)),
    );
    await utimes(at(name), atime, mtime);
  },
  touch: async ({ at }, name, number) => utimes(at(name), number, number),
  chmod: async ({ at }, name, number) => chmod(at(name), [0o644, 0o755, 0o600, 0o700][number % 4] ?? 0o644),
  remove: async ({ at }, name) => rm(at(name), { recursive: true, force: true }),
  'rename over': async ({ at }, name, _number, to) => rename(at(name), at(to)),
  'hard link': async ({ at }, name, _number, to) => link(at(name), at(to)),
  'empty folder': async ({ at }, name) => void (await mkdir(at(name), { recursive: true })),
  'folder by link': async ({ at }, name) => {
    if (!(await lstat(at(name))).isDirectory()) return;
    await rename(at(name), at('moved'));
    await symlink(at('moved'), at(name));
  },
  rules: async ({ at }, name, number) => {
    const folder = number % 2 === 0 ? '' : name;
    await writeFile(at(path.join(folder, '.gitignore')), rules[number % rules.length] ?? '');
  },
  'add by force': async ({ git }, name) => void (await git('add', '-f', name)),
  commit: async ({ git }) => void (await git('commit', '-q', '--allow-empty', '-a', '-m', 'commit')),
  'nested repository': async ({ git, write }, name) => {
    await git('init', '-q', name);
    await write({ [`${name}/inner`]: 'inner' });
  },
} satisfies Record<
  string,
  (workspace: TestWorkspace, name: string, number: number, to: string) => Promise<void>
>;

const kinds = fc.constantFrom(...Object.keys(actions).filter((kind) => kind in actions)) as fc.Arbitrary<
  keyof typeof actions
>;
const often = fc.constantFrom('write' as const, 'rules' as const);
const action: fc.Arbitrary<Action> = fc.tuple(
  fc.oneof({ weight: 2, arbitrary: often }, { weight: 3, arbitrary: kinds }),
  slot,
  slot,
  fc.nat({ max: 99 }),
);

/** What is easily missed, one after the other. */
const steps: readonly Action[] = [
  ['same size and time', ['c.o'], [], 0],
  ['rules', [], [], 0],
  ['rules', [], [], 2],
  ['rules', [], [], 4],
  ['rename over', ['ü d'], ['c.o'], 0],
  ['write', ['a', 'c.o'], [], 1],
  ['rules', ['a'], [], 5],
  ['rules', ['a'], [], 1],
  ['hard link', ['b', 'a'], ['b', 'b'], 0],
  ['folder by link', ['b'], [], 0],
  ['empty folder', ['a', 'ü d', 'b'], [], 0],
  ['chmod', ['a', 'c.o'], [], 1],
  ['touch', ['a', 'c.o'], [], 5],
  ['nested repository', ['a', 'b', 'a'], [], 0],
  ['remove', ['a', 'b', 'a', '.git'], [], 0],
  ['rules', [], [], 2],
  ['add by force', ['a', 'b', 'c.o'], [], 0],
  ['write', ['a', 'b', 'c.o'], [], 7],
  ['commit', [], [], 0],
  ['remove', ['a', 'b', 'c.o'], [], 0],
  ['remove', ['a'], [], 0],
];

/** A file that changes, and is ignored from then on. */
const changedAndIgnored: readonly Action[] = [
  ['rules', [], [], 2],
  ['write', ['c.o'], [], 0],
  ['rules', ['a'], [], 5],
];

async function perform(workspace: TestWorkspace, [kind, at, to, number]: Action): Promise<void> {
  try {
    await actions[kind](workspace, at.join('/'), number, to.join('/'));
  } catch {
    // Random actions need not be possible.
  }
}

test.skipIf(process.platform === 'win32')(
  'a take that goes on from the last one, from memory or from the disk, finds what a take that asks git for everything finds',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ isRepository: fc.boolean(), reopens: fc.boolean() }),
        fc.array(fc.array(action, { maxLength: 5 }), { minLength: 2, maxLength: 4 }),
        async ({ isRepository, reopens }, turns) => {
          await using workspace = await testWorkspace();
          const { folder, stateDir, at } = workspace;
          if (isRepository) await workspace.git('init', '-q');
          // For a clock that stands still no time stamp is ever over: nothing that was seen counts.
          await using full = await openCheckpoints({
            workspace: folder,
            stateDir: at('../full'),
            now: () => 0,
          });
          await workspace.write({ 'a/b/c.o': '1', 'b/a': '2', 'ü d': '3', 'c.o': '4' });
          for (const turn of [[], ...turns]) {
            for (const step of turn) await perform(workspace, step);
            const { id } = await workspace.checkpoints.take();
            const expected = await full.take();

            expect(id).toBe(expected.id);
            expect((await workspace.checkpoints.take()).id).toBe(expected.id);
            if (!reopens) continue;
            await using other = await openCheckpoints({ workspace: folder, stateDir });
            expect((await other.take()).id).toBe(expected.id);
          }
        },
      ),
      {
        numRuns: 6,
        examples: [
          [{ isRepository: true, reopens: false }, steps.map((step) => [step])],
          [{ isRepository: false, reopens: true }, steps.map((step) => [step])],
          [{ isRepository: false, reopens: false }, [changedAndIgnored, [], []]],
        ],
      },
    );
  },
);
