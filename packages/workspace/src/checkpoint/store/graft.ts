import type { Git } from '../git.ts';
import { list } from '../walk/walk.ts';
import type { BytePath } from '../workspace-path.ts';
import { emptyTreeId, treeObject, writeObject, type TreeEntry } from './objects.ts';
import type { RootState } from './store.ts';

/** Puts the trees of nested repositories into the tree of the workspace; returns the tree of all files. */
export async function graftTrees(git: Git, gitDir: string, roots: readonly RootState[]): Promise<string> {
  const nested = roots.filter(({ path, tree }) => path !== '' && tree !== emptyTreeId);
  const main = roots.find(({ path }) => path === '')?.tree ?? emptyTreeId;
  return await graft(
    { git, gitDir },
    main,
    nested.map(({ path, tree }) => ({ path, tree })),
  );
}

interface Branch {
  /** The path relative to the tree. */
  readonly path: BytePath;
  readonly tree: string;
}

async function graft(
  store: { readonly git: Git; readonly gitDir: string },
  tree: string,
  branches: readonly Branch[],
): Promise<string> {
  if (branches.length === 0) return tree;
  const entries = new Map((await readTree(store, tree)).map((entry) => [entry.name, entry]));
  const byName = new Map<BytePath, Branch[]>();
  for (const branch of branches) {
    const name = branch.path.split('/')[0] ?? '';
    byName.set(name, [...(byName.get(name) ?? []), branch]);
  }
  for (const [name, group] of byName) {
    const own = group.find(({ path }) => path === name)?.tree;
    const found = entries.get(name);
    const start = own ?? (found?.mode === '40000' ? found.id : emptyTreeId);
    const deeper = group.filter(({ path }) => path !== name);
    const id = await graft(
      store,
      start,
      deeper.map((branch) => ({ ...branch, path: branch.path.slice(name.length + 1) })),
    );
    entries.set(name, { mode: '40000', name, id });
  }
  const grafted = treeObject([...entries.values()]);
  await writeObject(store.gitDir, grafted);
  return grafted.id;
}

async function readTree(
  { git, gitDir }: { readonly git: Git; readonly gitDir: string },
  tree: string,
): Promise<readonly TreeEntry[]> {
  if (tree === emptyTreeId) return [];
  return (await list(git, ['ls-tree', '-z', tree], { gitDir, cwd: gitDir })).map((line) => {
    const tab = line.indexOf('\t');
    const [mode = '', , id = ''] = line.slice(0, tab).split(' ');
    return { mode: mode.replace(/^0/u, ''), id, name: line.slice(tab + 1) };
  });
}
