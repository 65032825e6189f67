import { checkNotAborted } from '../error.ts';
import type { OmissionReason } from './checkpoint.ts';
import type { Git } from './git.ts';
import {
  type CheckpointContent,
  type Permissions,
  type UsualPermissions,
  writeContent,
} from './store/content.ts';
import { graftTrees } from './store/graft.ts';
import { emptyTreeId } from './store/objects.ts';
import { findOutgrown } from './store/outgrown.ts';
import type { RootState, StoreFolder, StoreState } from './store/store.ts';
import { type RootTake, RootUpdate, type SeenFiles } from './take-root.ts';
import { linkPermissions } from './walk/inspect.ts';
import { parentOf } from './walk/listing.ts';
import { isRepository, readRules } from './walk/rules.ts';
import { list, permissionsOf } from './walk/walk.ts';
import { type BytePath, toSystemPath, toWorkspacePath } from './workspace-path.ts';

/** Options of a take. The caller holds the store's lock. */
export interface TakeRequest {
  readonly git: Git;
  readonly store: StoreFolder;
  readonly workspace: string;
  readonly stateDir: string;
  readonly userExcludes: string;
  readonly maxFileBytes: number;
  readonly now: () => number;
  /** The result of the last take. */
  readonly earlier: Taken | undefined;
  readonly changedSince?: (() => number | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result of a take, to which nothing refers yet. */
export interface Taken {
  readonly state: StoreState;
  readonly content: CheckpointContent;
  /** The file states by root; absent if the next take cannot rely on them. */
  readonly seen?: ReadonlyMap<BytePath, SeenFiles>;
}

/** Takes a new checkpoint with the changes since the earlier one; returns the earlier one if nothing has changed. */
export async function takeCheckpoint(request: TakeRequest): Promise<Taken> {
  const { git, store, earlier, signal } = request;
  const updates: Updates = new Map();
  if (earlier !== undefined && (await isUnchanged(request, earlier, updates))) return earlier;
  const roots = await takeRoots(request, updates);
  checkNotAborted(signal, 'take a checkpoint');
  const permissions = combinePermissions(roots, earlier?.content.permissions);
  const states = roots.takes.map(({ state }) => state);
  const files = isSameTrees(states, earlier?.state.roots)
    ? (earlier?.state.files ?? '')
    : await graftTrees(git, store.gitDir, states);
  const filledFolders = combineFilled(roots) ?? (await foldersOf(request, files));
  const omitted = [...roots.omitted, ...roots.takes.flatMap((take) => prefixed(take, take.omitted))];
  const uncovered = combineUncovered(roots, earlier?.content.uncovered ?? []);
  const omissions = new Map(omitted.toSorted(([left], [right]) => (left < right ? -1 : 1)));
  const content: CheckpointContent = {
    files,
    permissions,
    omitted: omissions,
    folders: notedFolders(request, roots.takes, { filledFolders, usual: permissions.usual }),
    ignored: roots.takes.flatMap((take) => take.walk.ignored.map((name) => below(take.state.path, name))),
    uncovered,
    outgrown: await findOutgrown({
      ...request,
      uncovered,
      omitted: omissions,
      earlier: earlier?.content.outgrown,
    }),
  };
  const checkpoint = await writeContent(store.gitDir, content, earlier?.state.checkpoint);
  const seen = combineSeen(roots);
  return { content, state: { checkpoint, files, roots: states }, ...(seen !== undefined && { seen }) };
}

/** Roots that were looked at, and not updated yet. */
type Updates = Map<BytePath, RootUpdate>;

/** Whether no root has changed since the earlier take. Stops at the first one that has. */
async function isUnchanged(request: TakeRequest, { state, seen }: Taken, updates: Updates): Promise<boolean> {
  if (seen === undefined) return false;
  const roots = new Set(state.roots.map(({ path }) => path));
  for (const path of roots) {
    const update = await openRoot(request, path);
    if (update === undefined) return false;
    updates.set(path, update);
    if (!(await update.isUnchanged())) return false;
    for (const name of seen.get(path)?.paths.nested ?? []) {
      const nested = below(path, name);
      if (!roots.has(nested) && (await openRoot(request, nested)) !== undefined) return false;
    }
  }
  return true;
}

interface Roots {
  readonly takes: readonly RootTake[];
  readonly omitted: ReadonlyMap<BytePath, OmissionReason>;
  /** Roots of the earlier checkpoint that are repositories no more: their files belong to the folder around now. */
  readonly ended: readonly RootState[];
}

/** The workspace, then the repositories nested in it, and in those. */
async function takeRoots(request: TakeRequest, updates: Updates): Promise<Roots> {
  const takes: RootTake[] = [];
  const omitted = new Map<BytePath, OmissionReason>();
  const waiting: BytePath[] = [''];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const update = updates.get(path) ?? (await openRoot(request, path));
    if (update === undefined) {
      omitted.set(path, 'repository');
      continue;
    }
    const taken = await update.run();
    takes.push(taken);
    waiting.push(...taken.walk.nested.map((nested) => below(path, nested)));
  }
  const paths = new Set(takes.map(({ state }) => state.path));
  const ended = (request.earlier?.state.roots ?? []).filter((root) => !paths.has(root.path));
  return { takes, omitted, ended };
}

/** Undefined where no repository can be read. */
async function openRoot(request: TakeRequest, path: BytePath): Promise<RootUpdate | undefined> {
  const { git, store, workspace, stateDir, userExcludes, earlier } = request;
  const name = toWorkspacePath(path);
  // No program can be started in a folder whose name is no text.
  if (typeof name !== 'string') return undefined;
  const folder = name === '' ? workspace : `${workspace}/${name}`;
  if (name !== '' && !(await isRepository(folder))) return undefined;
  const root = earlier?.state.roots.find((state) => state.path === path);
  const rules = await readRules(git, {
    folder,
    isNested: path !== '',
    stateDir,
    userExcludes,
    gitDir: store.gitDir,
    known: root?.rules.split(':')[0],
  });
  return new RootUpdate({
    git,
    gitDir: store.gitDir,
    folder,
    path,
    rules,
    earlier: root,
    seen: earlier?.seen?.get(path),
    hasEarlier: earlier !== undefined,
    maxFileBytes: request.maxFileBytes,
    now: request.now,
    changedSince: request.changedSince,
    signal: request.signal,
  });
}

function combineSeen({ takes, ended }: Roots): ReadonlyMap<BytePath, SeenFiles> | undefined {
  const seen = takes.flatMap((take) =>
    take.seen === undefined ? [] : [[take.state.path, take.seen] as const],
  );
  return seen.length === takes.length && ended.length === 0 ? new Map(seen) : undefined;
}

/** The folders in which the roots have files; undefined where one does not say so. */
function combineFilled({ takes }: Roots): ReadonlySet<BytePath> | undefined {
  const filled = new Set<BytePath>();
  for (const { state, filledFolders } of takes) {
    if (filledFolders === undefined) return undefined;
    for (const name of filledFolders) filled.add(below(state.path, name));
    if (state.tree === emptyTreeId) continue;
    for (let at = state.path; at !== ''; at = parentOf(at)) filled.add(at);
  }
  return filled;
}

function combinePermissions({ takes }: Roots, earlier: Permissions | undefined): Permissions {
  const usual = earlier?.usual ?? usualPermissions(takes);
  const others = new Map(earlier?.others);
  for (const { state, present, absent } of takes) {
    for (const name of absent) others.delete(below(state.path, name));
    for (const [name, { permissions: bits }] of present) {
      // A link's permissions mean nothing.
      const isUsual = bits === ((bits & 0o100) === 0 ? usual.file : usual.executable);
      if (bits === linkPermissions || isUsual) others.delete(below(state.path, name));
      else others.set(below(state.path, name), bits);
    }
  }
  return { usual, others };
}

/** The most frequent ones, so that few have to be noted. */
function usualPermissions(takes: readonly RootTake[]): UsualPermissions {
  const files = takes.flatMap(({ present }) => [...present.values()].map(({ permissions }) => permissions));
  const folders = takes.flatMap(({ walk }) => [...walk.folders.values()]);
  return {
    file: mostFrequent(files.filter((bits) => bits !== linkPermissions && (bits & 0o100) === 0)) ?? 0o644,
    executable:
      mostFrequent(files.filter((bits) => bits !== linkPermissions && (bits & 0o100) !== 0)) ?? 0o755,
    folder: mostFrequent(folders) ?? 0o755,
  };
}

function mostFrequent(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, left], [, right]) => right - left)[0]?.[0];
}

function combineUncovered({ takes }: Roots, earlier: readonly BytePath[]): readonly BytePath[] {
  const uncovered = new Set(earlier);
  for (const { state, present, absent } of takes) {
    for (const name of present.keys()) uncovered.delete(below(state.path, name));
    for (const name of absent) uncovered.delete(below(state.path, name));
  }
  for (const { state, uncovered: names } of takes) {
    for (const name of names) uncovered.add(below(state.path, name));
  }
  return [...uncovered];
}

/** The folders in which a tree has files. */
async function foldersOf(
  { git, store, workspace }: TakeRequest,
  files: string,
): Promise<ReadonlySet<BytePath>> {
  const options = { gitDir: store.gitDir, cwd: workspace };
  return new Set(await list(git, ['ls-tree', '-r', '-d', '-z', '--name-only', files], options));
}

/** Folders that the tree does not imply: without files, or with other permissions than usual. */
function notedFolders(
  { workspace }: TakeRequest,
  takes: readonly RootTake[],
  {
    filledFolders,
    usual,
  }: { readonly filledFolders: ReadonlySet<BytePath>; readonly usual: UsualPermissions },
): ReadonlyMap<BytePath, number> {
  const folders = new Map<BytePath, number>();
  const note = (name: BytePath, bits: number): void => {
    if (bits !== usual.folder || !filledFolders.has(name)) folders.set(name, bits);
  };
  for (const { state, walk } of takes) {
    if (state.path !== '') note(state.path, permissionsOf(toSystemPath(workspace, state.path)));
    for (const [name, bits] of walk.folders) note(below(state.path, name), bits);
  }
  return folders;
}

function isSameTrees(states: readonly RootState[], earlier: readonly RootState[] | undefined): boolean {
  if (states.length !== earlier?.length) return false;
  return states.every(
    ({ path, tree }, index) => earlier[index]?.path === path && earlier[index].tree === tree,
  );
}

function prefixed<Value>(
  { state }: RootTake,
  entries: ReadonlyMap<BytePath, Value>,
): readonly (readonly [BytePath, Value])[] {
  return [...entries].map(([name, value]) => [below(state.path, name), value]);
}

function below(root: BytePath, name: BytePath): BytePath {
  if (root === '') return name === '' ? '.' : name;
  return name === '' ? root : `${root}/${name}`;
}
