import { chmod, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openCheckpoints } from '../checkpoints.ts';
import { fingerprint, many, rewriteIndexLater, writeMany } from '../repository-files.fixture.ts';
import { toBytePath } from '../workspace-path.ts';
import { testWorkspace, userGit, type TestWorkspace } from '../workspace.fixture.ts';

/** Each makes a repository whose files are unmodified. A folder beside it may have the objects. */
const repositories: readonly (readonly [string, (workspace: TestWorkspace) => Promise<unknown>])[] = [
  ['with its objects packed', async (workspace) => commit(workspace, ['gc', '-q'])],
  [
    'with the objects of another repository',
    async (workspace) => {
      await commitElsewhere(workspace);
      await workspace.git('clone', '-q', '--shared', workspace.at('../origin'), '.');
      await writeFile(workspace.at('.git/objects/info/alternates'), '../../../origin/.git/objects\n');
    },
  ],
  [
    'without the repository that has its objects',
    async (workspace) => {
      await commitElsewhere(workspace);
      await workspace.git('clone', '-q', '--shared', workspace.at('../origin'), '.');
      await rename(workspace.at('../origin'), workspace.at('../moved'));
    },
  ],
  [
    'cloned without contents, some of which are not there',
    async (workspace) => {
      await commitElsewhere(workspace);
      await userGit(workspace.at('../origin'), ['config', 'uploadpack.allowFilter', 'true']);
      const origin = `file://${workspace.at('../origin')}`;
      await workspace.git('clone', '-q', '--filter=blob:none', origin, '.');
      // The checkout fetched the contents as a second pack.
      const packs = workspace.at('.git/objects/pack');
      const names = await readdir(packs);
      const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(packs, name))).size));
      const largest = names[sizes.indexOf(Math.max(...sizes))] ?? '';
      const [stem = ''] = largest.split('.');
      for (const name of names) if (name.startsWith(stem)) await rm(path.join(packs, name));
    },
  ],
  [
    'with an object whose file is cut off',
    async (workspace) => {
      await commit(workspace);
      const file = await looseObject(workspace, 'many/7');
      await writeFile(file, (await readFile(file)).subarray(0, 12));
    },
  ],
  [
    'with a damaged pack',
    async (workspace) => {
      await commit(workspace, ['gc', '-q']);
      const packs = workspace.at('.git/objects/pack');
      const name = (await readdir(packs)).find((each) => each.endsWith('.pack')) ?? '';
      const bytes = await readFile(path.join(packs, name));
      await chmod(path.join(packs, name), 0o644);
      await writeFile(path.join(packs, name), bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 64));
    },
  ],
  [
    'whose ids are SHA-256',
    async (workspace) => {
      await workspace.git('init', '-q', '--object-format=sha256');
      await writeMany(workspace);
      await workspace.git('add', '.');
      await workspace.git('commit', '-qm', 'first');
    },
  ],
  [
    'with a split index',
    async (workspace) => {
      await commit(workspace);
      await workspace.git('update-index', '--split-index');
    },
  ],
];

test.each(repositories)(
  'in a repository %s the first checkpoint has the files on disk, and writes nothing there',
  async (_name, make) => {
    await using workspace = await testWorkspace();
    const { at, folder, stateDir, write } = workspace;
    await make(workspace);
    await rewriteIndexLater(workspace);
    const repository = await repositoryIn(at('.git'));
    await using checkpoints = await openCheckpoints({ workspace: folder, stateDir });

    const first = await checkpoints.take();
    await write({ 'many/7': 'changed\n', new: 'n' });
    const second = await checkpoints.take();

    expect(await repositoryIn(at('.git'))).toEqual(repository);
    expect(first.omitted).toEqual([]);
    await rm(at('.git'), { recursive: true });
    const files = await checkpoints.entries(first.id);
    expect(files).toHaveLength(many);
    for (const { path: name, blob } of files) {
      expect((await checkpoints.read(blob)).toString()).toBe(`file ${path.basename(toBytePath(name))}\n`);
    }
    expect(await checkpoints.compare(first.id, second.id)).toMatchObject([
      { path: 'many/7', status: 'modified' },
      { path: 'new', status: 'added' },
    ]);
  },
);

/** Each reading of a split index renews the times of its shared part, also by `git status`. */
async function repositoryIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const files = Object.entries(await fingerprint(folder));
  return Object.fromEntries(
    files.map(([file, marks]) => [
      file,
      file.includes('/sharedindex.') ? (marks.split(' ').at(-1) ?? '') : marks,
    ]),
  );
}

async function commit(workspace: TestWorkspace, then?: readonly string[]): Promise<void> {
  const { git } = workspace;
  await git('init', '-q');
  await writeMany(workspace);
  await git('add', '.');
  await git('commit', '-qm', 'first');
  if (then !== undefined) await git(...then);
}

/** Commits the files in a repository beside the workspace. */
async function commitElsewhere(workspace: TestWorkspace): Promise<void> {
  await writeMany(workspace, '../origin/');
  const origin = workspace.at('../origin');
  await userGit(origin, ['init', '-q']);
  await userGit(origin, ['add', '.']);
  await userGit(origin, ['commit', '-qm', 'first']);
}

async function looseObject({ at, git }: TestWorkspace, name: string): Promise<string> {
  const id = (await git('rev-parse', `:${name}`)).trim();
  const file = at(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`);
  await chmod(file, 0o644);
  return file;
}
