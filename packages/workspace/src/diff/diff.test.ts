import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathText } from '../restore/byte-path.ts';
import { readDisk } from '../restore/read-disk.ts';
import { applyRestore } from '../restore/transaction/apply.ts';
import {
  type Node,
  changesBetween,
  file,
  link,
  readTree,
  shown,
  tree,
  writeTree,
} from '../restore/tree.fixture.ts';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { type ChangedFile, diffFiles } from './diff-files.ts';
import { formatPatch } from './format-patch.ts';
import { planRevert } from './plan-revert.ts';

/** `PARLEY_ROUNDS` multiplies the random cases, where there is time for more. */
const rounds = Number(process.env['PARLEY_ROUNDS'] ?? 1);

test('hunks keep their id while other lines of the file change', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${String(index)}`);
  const changed = (...at: number[]) =>
    lines.map((line, index) => (at.includes(index) ? `${line}!` : line)).join('\n');
  const idsOf = async (content: string) => {
    const { changes, read } = changesBetween(tree({ f: file(lines.join('\n')) }), tree({ f: file(content) }));
    const [diff] = await diffFiles(changes, { read });
    return diff?.hunks.map(({ id }) => id);
  };
  const [first, second, third] = (await idsOf(changed(10, 30, 50))) ?? [];
  expect(new Set([first, second, third]).size).toBe(3);
  expect(await idsOf(changed(30, 50))).toEqual([second, third]);
  expect(await idsOf(`new\n${changed(10, 30, 50)}`)).toEqual([expect.any(String), first, second, third]);
});

test('equal hunks of one file have ids of their own', async () => {
  const block = 'a\nb\nc\nx\na\nb\nc\n';
  const before = tree({ f: file(block.repeat(4)) });
  const { changes, read } = changesBetween(before, tree({ f: file(block.replace('x', 'y').repeat(4)) }));
  const [diff] = await diffFiles(changes, { read });
  const ids = diff?.hunks.map(({ id }) => id) ?? [];
  expect(new Set(ids).size).toBe(ids.length);
});

test('what is changed is counted, and a binary file has no hunks', async () => {
  const { changes, read } = changesBetween(
    tree({ bin: file(Buffer.from([0, 1])), gone: file('a\nb'), mode: file('x', 0o755), to: link('gone') }),
    tree({ bin: file(Buffer.from([0, 2])), mode: file('x'), new: file('1\n2\n'), to: link('new') }),
  );
  const diffs = await diffFiles(changes, { read });
  expect(
    diffs.map(({ path, status, additions, deletions, binary }) => [
      path,
      status,
      additions,
      deletions,
      binary,
    ]),
  ).toEqual([
    ['bin', 'modified', 0, 0, true],
    ['gone', 'deleted', 0, 2, false],
    ['mode', 'mode', 0, 0, false],
    ['new', 'added', 2, 0, false],
    ['to', 'modified', 1, 1, false],
  ]);
  expect(diffs[1]?.hunks).toEqual([
    {
      id: expect.any(String),
      header: '@@ -1,2 +0,0 @@',
      lines: ['-a', '-b', '\\ No newline at end of file'],
    },
  ]);
});

test('reverting any hunks of a file, and then the others, brings back what was before', async () => {
  await using folder = await temporaryDirectory();
  const [workspace, stateDir] = [folder.at('workspace'), folder.at('state')];
  await mkdir(workspace);
  const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', 'd\n', '\n');
  const text = fc
    .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('', 'end'))
    .map(([all, end]) => all.join('') + end);
  const runs = fc.asyncProperty(
    text,
    text,
    fc.infiniteStream(fc.boolean()),
    async (before, after, choices) => {
      const [old, now] = [tree({ f: file(before) }), tree({ f: file(after) })];
      await writeTree(workspace, now);
      const revert = async (isChosen: () => boolean) => {
        const { changes, read } = changesBetween(old, await readTree(workspace));
        const ids = (await diffFiles(changes, { read }))
          .flatMap(({ hunks }) => hunks.map(({ id }) => id))
          .filter(isChosen);
        const current = await readDisk({ workspace, changes });
        const plan = await planRevert({ changes, read, current, ids });
        await applyRestore(plan, { workspace, stateDir });
      };
      await revert(() => choices.next().value === true);
      await revert(() => true);
      expect(shown(await readTree(workspace))).toEqual(shown(old));
    },
  );
  await fc.assert(runs, { numRuns: 12 * rounds });
});

test('a hunk that was changed since is a conflict, one beside it is merged', async () => {
  await using folder = await temporaryDirectory();
  const [workspace, stateDir] = [folder.at('workspace'), folder.at('state')];
  await mkdir(workspace);
  const text = (first: string, last: string) =>
    tree({ f: file(`${first}\n1\n2\n3\n4\n5\n6\n7\n8\n${last}\n`) });
  await writeTree(workspace, text('A', 'mine'));
  const { changes, read } = changesBetween(text('a', 'z'), text('A', 'Z'));
  const [first = '', last = ''] = (await diffFiles(changes, { read }))[0]?.hunks.map(({ id }) => id) ?? [];
  const current = await readDisk({ workspace, changes });
  expect((await planRevert({ changes, read, current, ids: [last] })).conflicts).toEqual([
    { path: 'f', why: 'content' },
  ]);
  const plan = await planRevert({ changes, read, current, ids: [first] });
  await applyRestore(plan, { workspace, stateDir });
  expect(shown(await readTree(workspace))).toEqual(shown(text('a', 'mine')));
  await expect(planRevert({ changes, read, current, ids: ['x'] })).rejects.toMatchObject({
    code: 'not-found',
  });
});

test('the hunk of an added file deletes it, that of a deleted file brings it back, and an uncovered one is refused', async () => {
  await using folder = await temporaryDirectory();
  const [workspace, stateDir] = [folder.at('workspace'), folder.at('state')];
  await mkdir(workspace);
  const [before, after] = [
    tree({ gone: file('gone\n', 0o600) }),
    tree({ env: file('secret\n'), new: file('new\n') }),
  ];
  await writeTree(workspace, after);
  const { changes, read } = changesBetween(before, after);
  const marked = changes.map((change) =>
    change.path === 'env' ? { ...change, wasUncovered: true as const } : change,
  );
  const ids = Object.fromEntries(
    (await diffFiles(marked, { read })).map(({ path, hunks }) => [pathText(path), hunks[0]?.id ?? '']),
  );
  const current = await readDisk({ workspace, changes: marked });
  const refused = await planRevert({ changes: marked, read, current, ids: Object.values(ids) });
  expect(refused.conflicts).toEqual([{ path: 'env', why: 'uncovered' }]);
  const chosen = [ids['gone'] ?? '', ids['new'] ?? ''];
  const plan = await planRevert({ changes: marked, read, current, ids: chosen });
  await applyRestore(plan, { workspace, stateDir });
  expect(shown(await readTree(workspace))).toEqual({ env: 'file 644 secret\n', gone: 'file 600 gone\n' });
});

test('git apply takes the patch of any change', async () => {
  await using folder = await temporaryDirectory();
  const name = fc.constantFrom(
    'a',
    'b c',
    'ä',
    '\xff\xfe',
    '"q"',
    'tab\there',
    'a b/x',
    'd/é\n',
    'd/e/f',
    'b/a b/a',
  );
  const content = fc.constantFrom(
    Buffer.from(''),
    Buffer.from('one\ntwo\n'),
    Buffer.from('one\r\ntwo'),
    Buffer.from('diff --git a/a/0 b/b/0\n@@ -1 +1 @@\n'),
    Buffer.from([0, 1, 2]),
    Buffer.from([0, 3, ...Array.from({ length: 300 }, (_, index) => index % 251)]),
    Buffer.from('\xe9\n', 'latin1'),
  );
  const node: fc.Arbitrary<Node> = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.tuple(content, fc.constantFrom(0o644, 0o755)).map(([bytes, bits]) => file(bytes, bits)),
    },
    { weight: 1, arbitrary: fc.constantFrom('a', '../x').map(link) },
  );
  const nodes = fc
    .uniqueArray(fc.tuple(name, node), { selector: ([each]) => each, maxLength: 6 })
    .map(withoutOverlap);
  let count = 0;
  const runs = fc.asyncProperty(nodes, nodes, async (before, after) => {
    const workspace = folder.at(String((count += 1)));
    await mkdir(workspace);
    await writeTree(workspace, before);
    const { changes, read } = changesBetween(before, after);
    const patch = await formatPatch(withRenames(changes), { read, workspace });
    const git = (...args: string[]) =>
      spawnSync('git', args, { cwd: workspace, input: patch, encoding: 'utf8' });
    git('init', '-q');
    const applied = patch.length === 0 ? git('status') : git('apply', '--whitespace=nowarn', '-');
    expect(applied).toMatchObject({ status: 0, stderr: '' });
    expect(filesOf(await readTree(workspace))).toEqual(shown(after));
  });
  await fc.assert(runs, { numRuns: 16 * rounds });
});

test('files of 20,000 lines are compared', async () => {
  const text = (salt: number) =>
    Array.from({ length: 20_000 }, (_, index) => `line ${String(index * salt)}`).join('\n');
  const { changes, read } = changesBetween(
    tree({ few: file(text(1)), all: file(text(3)) }),
    tree({ few: file(text(1).replace('line 7000\n', '')), all: file(text(5)) }),
  );
  const diffs = await diffFiles(changes, { read });
  expect(diffs.map(({ path, deletions }) => [path, deletions > 0])).toEqual([
    ['all', true],
    ['few', true],
  ]);
});

/** No file is below another one. */
function withoutOverlap(nodes: readonly (readonly [string, Node])[]) {
  return new Map(nodes.filter(([each]) => !nodes.some(([other]) => each.startsWith(`${other}/`))));
}

/** A deleted file and an added one, as one that was renamed. */
function withRenames(changes: readonly ChangedFile[]): readonly ChangedFile[] {
  const gone = changes.find(({ after }) => after === undefined);
  const added = changes.find(({ before }) => before === undefined);
  if (gone?.before === undefined || added?.after === undefined) return changes;
  const renamed = { path: added.path, oldPath: gone.path, before: gone.before, after: added.after };
  return [...changes.filter((change) => change !== gone && change !== added), renamed];
}

function filesOf(nodes: Awaited<ReturnType<typeof readTree>>): Record<string, string> {
  return shown(new Map([...nodes].filter(([, { kind }]) => kind !== 'folder')));
}
