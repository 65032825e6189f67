import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Checkpoints } from './checkpoints.ts';
import type { WorkspacePath } from './workspace-path.ts';
import { testWorkspace } from './workspace.fixture.ts';

/** What a user or an agent does to a tree. */
type Action =
  | {
      readonly kind: 'write';
      readonly at: readonly string[];
      readonly content: Uint8Array;
      readonly mode: number;
    }
  | { readonly kind: 'link'; readonly at: readonly string[]; readonly target: string }
  | { readonly kind: 'chmod'; readonly at: readonly string[]; readonly mode: number }
  | { readonly kind: 'remove'; readonly at: readonly string[] }
  | { readonly kind: 'rename'; readonly at: readonly string[]; readonly to: readonly string[] }
  | { readonly kind: 'folder'; readonly at: readonly string[] };

const part = fc.constantFrom('a', 'b', 'ü', 'c d');
const place = fc.array(part, { minLength: 1, maxLength: 3 });
const mode = fc.constantFrom(0o644, 0o755, 0o600, 0o700, 0o664, 0o640);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      at: place,
      content: fc.uint8Array({ maxLength: 4 }),
      mode,
    }),
  },
  fc.record({
    kind: fc.constant('link' as const),
    at: place,
    target: fc.constantFrom('a', '../b', '/nowhere', 'ü'),
  }),
  fc.record({ kind: fc.constant('chmod' as const), at: place, mode }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), at: place, to: place }) },
  fc.record({ kind: fc.constant('folder' as const), at: place }),
);

/** A file is its permissions and content, a link its target. */
type Model = Readonly<Record<string, string>>;

test.skipIf(process.platform === 'win32')(
  'a checkpoint has exactly the bytes, permissions and kinds of the tree, and comparing two gives what differs',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(action, { maxLength: 6 }), { minLength: 2, maxLength: 4 }),
        async (turns) => {
          await using workspace = await testWorkspace();
          const { checkpoints, folder } = workspace;
          let last: { readonly id: string; readonly model: Model } | undefined;
          for (const turn of turns) {
            for (const step of turn) await perform(folder, step);
            const model = await modelOf(folder);
            const { id } = await checkpoints.take();
            expect(await storedModel(checkpoints, id)).toEqual(model);
            if (last !== undefined) {
              const changes = await checkpoints.compare(last.id, id);
              expect(await changedModel(checkpoints, last.model, changes)).toEqual(model);
              expect(id === last.id).toBe(
                changes.length === 0 && (await sameFolders(checkpoints, last.id, id)),
              );
            }
            last = { id, model };
          }
        },
      ),
      { numRuns: 12 },
    );
  },
);

async function perform(folder: string, step: Action): Promise<void> {
  const file = path.join(folder, ...step.at);
  try {
    switch (step.kind) {
      case 'write':
        await mkdir(path.dirname(file), { recursive: true });
        await rm(file, { recursive: true, force: true });
        await writeFile(file, step.content);
        return await chmod(file, step.mode);
      case 'link':
        await mkdir(path.dirname(file), { recursive: true });
        await rm(file, { recursive: true, force: true });
        return await symlink(step.target, file);
      case 'chmod':
        return (await lstat(file)).isFile() ? await chmod(file, step.mode) : undefined;
      case 'remove':
        return await rm(file, { recursive: true, force: true });
      case 'rename':
        return await rename(file, path.join(folder, ...step.to));
      case 'folder':
        await mkdir(file, { recursive: true });
    }
  } catch {
    // Random actions need not be possible.
  }
}

async function modelOf(folder: string): Promise<Model> {
  const model: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const { mode: bits } = await lstat(file);
    model[path.relative(folder, file)] = entry.isSymbolicLink()
      ? `link ${await readlink(file)}`
      : `${(bits & 0o7777).toString(8)} ${(await readFile(file)).toString('hex')}`;
  }
  return model;
}

async function storedModel(checkpoints: Checkpoints, id: string): Promise<Model> {
  const model: Record<string, string> = {};
  for (const { path: at, ...entry } of await checkpoints.entries(id)) {
    model[textOf(at)] = await toModel(checkpoints, entry);
  }
  return model;
}

type Changes = Awaited<ReturnType<Checkpoints['compare']>>;

/** The model with changes made to it. */
async function changedModel(checkpoints: Checkpoints, before: Model, changes: Changes): Promise<Model> {
  const model: Record<string, string> = { ...before };
  for (const { status, path: at, oldPath } of changes) {
    if (status === 'deleted') delete model[textOf(at)];
    if (oldPath !== undefined) delete model[textOf(oldPath)];
  }
  for (const { path: at, after } of changes) {
    if (after !== undefined) model[textOf(at)] = await toModel(checkpoints, after);
  }
  return model;
}

async function toModel(
  checkpoints: Checkpoints,
  {
    mode: kind,
    permissions,
    blob,
  }: { readonly mode: string; readonly permissions: number; readonly blob: string },
): Promise<string> {
  const content = await checkpoints.read(blob);
  return kind === '120000'
    ? `link ${content.toString()}`
    : `${permissions.toString(8)} ${content.toString('hex')}`;
}

async function sameFolders(checkpoints: Checkpoints, one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([checkpoints.folders(one), checkpoints.folders(other)]);
  const texts = (folders: typeof first): readonly string[] =>
    folders.map((folder) => JSON.stringify(folder)).toSorted((left, right) => left.localeCompare(right));
  return JSON.stringify(texts(first)) === JSON.stringify(texts(second));
}

/** The names of this test are all text. */
function textOf(name: WorkspacePath): string {
  return typeof name === 'string' ? name : name.base64;
}
