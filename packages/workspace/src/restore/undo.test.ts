import { mkdir } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCheckpoints } from '../checkpoint/checkpoints.ts';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { planRestore } from './plan.ts';
import { readDisk } from './read-disk.ts';
import { applyRestore } from './transaction/apply.ts';
import {
  type Node,
  type Tree,
  changesBetween,
  file,
  link,
  readTree,
  shown,
  writeTree,
} from './tree.fixture.ts';

/** A model of a tree: what programs do to it. */
type Act =
  | { readonly kind: 'put'; readonly path: string; readonly node: Node }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'chmod'; readonly path: string; readonly permissions: number };

function perform(nodes: Tree, acts: readonly Act[]): Tree {
  const result = new Map(nodes);
  for (const act of acts) {
    const node = result.get(act.path);
    if (act.kind === 'chmod') {
      if (node?.kind === 'file') result.set(act.path, { ...node, permissions: act.permissions });
      continue;
    }
    for (const other of result.keys()) {
      const isAbove =
        act.kind === 'put' && act.path.startsWith(`${other}/`) && result.get(other)?.kind !== 'folder';
      if (other === act.path || other.startsWith(`${act.path}/`) || isAbove) result.delete(other);
    }
    if (act.kind === 'put') result.set(act.path, act.node);
  }
  return result;
}

const name = fc.constantFrom('a', 'b', 'C', 'ä b', '\xff', 'line\nbreak', '"q"');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const permissions = fc.constantFrom(0o644, 0o755, 0o600, 0o640, 0o444, 0o711);

/** Five lines of a file may be changed; those between them keep changes apart. */
const lines = fc.tuple(...Array.from({ length: 3 }, () => fc.constantFrom('one', 'two', '', 'drei\r')));
const between = '\n=\n=\n=\n';
const content = fc.oneof(
  lines.map((all) => Buffer.from(all.join(between))),
  fc.constantFrom(Buffer.from(''), Buffer.from('no end'), Buffer.from([0, 255, 10, 13])),
);
const node: fc.Arbitrary<Node> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(content, permissions).map(([bytes, bits]) => file(bytes, bits)) },
  { weight: 1, arbitrary: fc.constantFrom('a', '../outside', 'nowhere', '.').map(link) },
);
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), path, node }),
  fc.record({ kind: fc.constant('delete' as const), path }),
  fc.record({ kind: fc.constant('chmod' as const), path, permissions }),
);
const acts = fc.array(act, { maxLength: 8 });

test('undo and redo of any turn leave what a model says', async () => {
  await using folder = await temporaryDirectory();
  const stateDir = folder.at('state');
  let count = 0;
  const runs = fc.asyncProperty(acts, acts, acts, async (first, byAgent, byUser) => {
    const workspace = folder.at(`workspace-${String((count += 1))}`);
    await mkdir(workspace);
    const before = perform(new Map(), first);
    const after = perform(before, byAgent);
    const now = perform(after, byUser);
    await writeTree(workspace, now);
    const undone = changesBetween(before, after);
    const current = await readDisk({ workspace, changes: undone.changes });
    const plan = await planRestore({ ...undone, current });
    if (plan.conflicts.length > 0) {
      expect(isUndisturbed(before, after, now)).toBe(false);
      return;
    }
    await applyRestore(plan, { workspace, stateDir });
    const left = files(await readTree(workspace));
    for (const each of new Set([...left.keys(), ...before.keys(), ...after.keys(), ...now.keys()])) {
      const sides = [before, after, now].map((side) => shownAt(side, each));
      if (sides[0] === sides[1]) expect(shownAt(left, each)).toBe(sides[2]);
      else if (sides[1] === sides[2]) expect(shownAt(left, each)).toBe(sides[0]);
      else expect(shownAt(left, each)).toBe(mergedAt(before.get(each), after.get(each), now.get(each)));
    }
    const redone = changesBetween(now, left);
    const again = await planRestore({
      ...redone,
      current: await readDisk({ workspace, changes: redone.changes }),
    });
    expect(again.conflicts).toEqual([]);
    await applyRestore(again, { workspace, stateDir });
    expect(shown(files(await readTree(workspace)))).toEqual(shown(now));
  });
  await fc.assert(runs, { numRuns: 150 });
});

test('undo and redo between real checkpoints, with renames, leave what a model says', async () => {
  await using folder = await temporaryDirectory();
  let count = 0;
  const runs = fc.asyncProperty(acts, acts, acts, async (first, byAgent, byUser) => {
    const [workspace, stateDir] = [
      folder.at(`workspace-${String((count += 1))}`),
      folder.at(`state-${String(count)}`),
    ];
    await mkdir(workspace);
    const before = perform(new Map(), first);
    const after = perform(before, byAgent);
    const touched = perform(after, byUser);
    const now = isUndisturbed(before, after, touched) ? touched : after;
    await using checkpoints = await openCheckpoints({ workspace, stateDir });
    const taken = async (nodes: Tree): Promise<string> => {
      await writeTree(workspace, nodes);
      return (await checkpoints.take()).id;
    };
    const restore = async (from: string, to: string): Promise<void> => {
      const changes = await checkpoints.compare(from, to);
      const current = await readDisk({ workspace, changes });
      const plan = await planRestore({ changes, current, read: (blob) => checkpoints.read(blob) });
      expect(plan.conflicts).toEqual([]);
      await applyRestore(plan, { workspace, stateDir });
    };
    const [old, made, added] = [await taken(before), await taken(after), await taken(now)];
    await restore(old, made);
    const left = files(await readTree(workspace));
    for (const each of new Set([...left.keys(), ...before.keys(), ...after.keys(), ...now.keys()])) {
      const wasChanged = shownAt(before, each) !== shownAt(after, each);
      expect(shownAt(left, each)).toBe(shownAt(wasChanged ? before : now, each));
    }
    await restore(added, (await checkpoints.take()).id);
    expect(shown(files(await readTree(workspace)))).toEqual(shown(now));
  });
  await fc.assert(runs, { numRuns: 15 });
});

function files(nodes: Tree): Tree {
  return new Map([...nodes].filter(([, { kind }]) => kind !== 'folder'));
}

function shownAt(nodes: Tree, at: string): string {
  const one = nodes.get(at);
  return one === undefined ? '' : (shown(new Map([[at, one]]))[at] ?? '');
}

/** No path that the turn changed was changed since, nor is one in the way. */
function isUndisturbed(before: Tree, after: Tree, now: Tree): boolean {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (each) => shownAt(before, each) !== shownAt(after, each),
  );
  const touched = [...new Set([...after.keys(), ...now.keys()])].filter(
    (each) => shownAt(after, each) !== shownAt(now, each),
  );
  return !touched.some((each) =>
    changed.some((other) => each === other || each.startsWith(`${other}/`) || other.startsWith(`${each}/`)),
  );
}

/** What the model merges: the value, part by part, that only one side changed. */
function mergedAt(before: Node | undefined, after: Node | undefined, now: Node | undefined): string {
  const same = [before, now].map((one) => (one === undefined ? '' : shownAt(new Map([['x', one]]), 'x')));
  if (same[0] === same[1]) return same[0] ?? '';
  if (before?.kind !== 'file' || after?.kind !== 'file' || now?.kind !== 'file') return 'a conflict';
  const [theirs, base, ours] = [before, after, now].map((one) =>
    one.content.toString('latin1').split(between),
  );
  const merged = (ours ?? []).map(
    (part, index) => pick(theirs?.[index], base?.[index], part) ?? 'a conflict',
  );
  const whole = pick(
    before.content.toString('latin1'),
    after.content.toString('latin1'),
    now.content.toString('latin1'),
  );
  const bits = pick(before.permissions, after.permissions, now.permissions);
  return `file ${bits?.toString(8) ?? ''} ${whole ?? merged.join(between)}`;
}

function pick<T>(before: T, after: T, now: T): T | undefined {
  if (now === after) return before;
  return before === after || before === now ? now : undefined;
}
