import { Buffer } from 'node:buffer';
import { pauses } from '../../checkpoint/walk/pauses.ts';
import { type BytePath, toWorkspacePath } from '../../checkpoint/workspace-path.ts';
import { refusal } from '../../error.ts';
import { blobId } from '../blob-id.ts';
import { foldersAbove, nameOf, parentOf, pathText } from '../byte-path.ts';
import type { Found, FoundFile } from '../look.ts';
import { type Workspace, openFolder, openWorkspace, statusOf } from '../open-folder.ts';
import type { RestorePlan, RestoreStep } from '../plan.ts';
import { needsContent } from './carry-out.ts';
import {
  type RecordedFolder,
  type RecordedState,
  type RecordedStep,
  createRecordFolder,
  writeRecord,
} from './restore-record.ts';
import { type Restore, restoresAtOnce } from './step-state.ts';

/** What a plan is prepared with. */
export interface PrepareOptions {
  readonly workspace: string;
  /** The folder of this restore in the state folder. */
  readonly folder: string;
  readonly note?: unknown;
  readonly reached?: ((step: string) => void) | undefined;
  /** @default 16 */
  readonly atOnce?: number | undefined;
}

/** Writes a plan and all new contents to the state folder; the workspace is not touched. */
export async function prepareRestore(plan: RestorePlan, options: PrepareOptions): Promise<Restore> {
  const { folder, reached = () => undefined } = options;
  const workspace = await openWorkspace(options.workspace);
  const folders = await surveyFolders(plan, workspace);
  reached('prepare');
  const steps = await writeContents(plan, folder, folders.anchorOf);
  const record = {
    version: 1,
    note: options.note,
    files: plan.files,
    steps,
    clearedFolders: folders.cleared,
    newFolders: folders.missing,
    madeFolders: plan.madeFolders,
    emptyFolders: plan.emptyFolders.map((path) => ({
      path,
      permissions: plan.folderBefore(toWorkspacePath(path)) ?? 0o700,
    })),
  } as const;
  reached('record');
  await writeRecord(folder, record);
  const planned = new Map<BytePath, FoundFile>();
  for (const { path, from } of plan.steps) if (from.kind === 'file') planned.set(path, from);
  const atOnce = restoresAtOnce(plan.twins, options.atOnce);
  return { workspace, record, folder, twins: plan.twins, planned, atOnce, reached };
}

interface SurveyedFolders {
  readonly cleared: readonly RecordedFolder[];
  /** Folders to create, the deepest last. */
  readonly missing: readonly RecordedFolder[];
  /** Returns the nearest existing folder above a path: files in it can be renamed to the path. */
  readonly anchorOf: (path: BytePath) => BytePath;
}

async function surveyFolders(plan: RestorePlan, workspace: Workspace): Promise<SurveyedFolders> {
  const permissions = new Map<BytePath, number | undefined>();
  const pause = pauses();
  const parents = plan.steps.flatMap(({ path }) => foldersAbove(path));
  for (const path of ['', ...plan.clearedFolders, ...parents]) {
    await pause();
    if (!permissions.has(path)) permissions.set(path, permissionsOf(path, workspace));
  }
  const clearedPaths = new Set(plan.clearedFolders);
  const anchorOf = (path: BytePath): BytePath =>
    foldersAbove(path).find((above) => permissions.get(above) !== undefined && !clearedPaths.has(above)) ??
    '';
  const created = plan.steps
    .filter(({ to }) => to.kind !== 'absent')
    .flatMap(({ path }) => foldersAbove(path));
  const missing = [...new Set(created)]
    .filter((path) => permissions.get(path) === undefined)
    .toSorted((left, right) => left.length - right.length)
    .map((path) => {
      // Without another source, a folder is as open as the one it is in.
      const bits = plan.folderBefore(toWorkspacePath(path)) ?? permissions.get(anchorOf(path)) ?? 0o700;
      return { path, permissions: bits };
    });
  const cleared = plan.clearedFolders.map((path) => ({ path, permissions: permissions.get(path) ?? 0o700 }));
  return { cleared, missing, anchorOf };
}

function permissionsOf(path: BytePath, workspace: Workspace): number | undefined {
  if (path === '') {
    const root = openFolder(workspace, '');
    if (root.kind !== 'folder') return undefined;
    using held = root;
    return bitsOf(statusOf(held.at('.')));
  }
  const parent = openFolder(workspace, parentOf(path));
  if (parent.kind !== 'folder') return undefined;
  using held = parent;
  const status = statusOf(held.at(nameOf(path)));
  return status?.isDirectory() === true ? bitsOf(status) : undefined;
}

function bitsOf(status: { readonly mode: bigint } | undefined): number | undefined {
  return status === undefined ? undefined : Number(status.mode & 0o7777n);
}

async function writeContents(
  plan: RestorePlan,
  folder: string,
  anchorOf: (path: BytePath) => BytePath,
): Promise<readonly RecordedStep[]> {
  await using file = await createRecordFolder(folder);
  const key = nameOf(folder);
  const steps: RecordedStep[] = [];
  let offset = 0;
  for (const [index, step] of plan.steps.entries()) {
    const anchor = anchorOf(step.path);
    const beside = `${anchor === '' ? '' : `${anchor}/`}.parley-${key}-${String(index)}`;
    const recorded = {
      path: step.path,
      from: toRecorded(step.from),
      to: await toRecordedTarget(step, plan),
      beside,
      offset,
      length: 0,
    };
    if (!needsContent(recorded)) {
      steps.push(recorded);
      continue;
    }
    const content = await readWanted(step, plan);
    await file.writeFile(content);
    steps.push({ ...recorded, length: content.length });
    offset += content.length;
  }
  await file.sync();
  return steps;
}

/** What is neither a file nor a link is out of the way when the step is due. */
function toRecorded(found: Found): RecordedState {
  switch (found.kind) {
    case 'file':
      return { kind: 'file', permissions: found.permissions, blob: found.blob };
    case 'link':
      return { kind: 'link', target: found.target.toString('latin1') };
    case 'absent':
    case 'folder':
    case 'blocked':
    case 'special':
      return { kind: 'absent' };
  }
}

async function toRecordedTarget(step: RestoreStep, plan: RestorePlan): Promise<RecordedState> {
  if (step.to.kind !== 'link') return step.to;
  return { kind: 'link', target: Buffer.from(await readWanted(step, plan)).toString('latin1') };
}

async function readWanted({ path, to }: RestoreStep, { read }: RestorePlan): Promise<Uint8Array> {
  if (to.kind === 'absent') return new Uint8Array();
  const content = await read(to.blob);
  if (blobId(content) === to.blob) return content;
  throw refusal('restore', pathText(toWorkspacePath(path)), 'damaged', 'its stored content is damaged');
}
