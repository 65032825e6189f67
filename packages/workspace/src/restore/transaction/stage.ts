import { closeSync, constants, fchmodSync, fchownSync, fsync, openSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { pauses } from '../../checkpoint/walk/pauses.ts';
import type { BytePath } from '../../checkpoint/workspace-path.ts';
import { systemCode } from '../../error.ts';
import { nameOf, parentOf } from '../byte-path.ts';
import { eachAtOnce } from '../each-at-once.ts';
import { smallBytes } from '../look.ts';
import { type Workspace, openExisting, statusOf } from '../open-folder.ts';
import { unlinkIfThere } from './disk-change.ts';
import { openContents, type RecordedStep } from './restore-record.ts';
import type { Restore } from './step-state.ts';

/** Writes the new contents of steps beside their paths, with their rights, to the disk. */
export async function stage(steps: readonly RecordedStep[], restore: Restore): Promise<void> {
  if (steps.length === 0) return;
  const { workspace, atOnce, folder, reached } = restore;
  await using contents = await openContents(folder);
  const pause = pauses();
  for (let from = 0; from < steps.length; from += atOnce) {
    const files: number[] = [];
    try {
      for (const step of steps.slice(from, from + atOnce)) {
        await pause();
        reached(`stage ${step.path}`);
        const content = await contents.read(step);
        const file = create(step, workspace);
        files.push(file);
        await finish(file, content, { step, workspace });
      }
      // Nothing is created meanwhile: that would wait for the disk, and this process with it.
      await eachAtOnce(files, atOnce, synced);
    } finally {
      for (const file of files) closeSync(file);
    }
  }
}

function create({ beside }: RecordedStep, workspace: Workspace): number {
  using folder = openExisting(workspace, parentOf(beside));
  const at = folder.at(`${nameOf(beside)}.new`);
  unlinkIfThere(at);
  return openSync(at, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
}

async function finish(
  file: number,
  content: Uint8Array,
  { step: { path, from, to }, workspace }: { readonly step: RecordedStep; readonly workspace: Workspace },
): Promise<void> {
  await writeAll(file, content);
  const owner = from.kind === 'file' ? ownerOf(path, workspace) : undefined;
  if (owner !== undefined) giveTo(file, owner);
  if (to.kind === 'file') fchmodSync(file, to.permissions);
}

async function writeAll(file: number, content: Uint8Array): Promise<void> {
  for (let done = 0; done < content.length;) {
    const left = content.length - done;
    const isSmall = content.length <= smallBytes;
    done += isSmall
      ? writeSync(file, content, done, left)
      : (await written(file, content, done, left)).bytesWritten;
  }
}

const written = promisify(write);
const synced = promisify(fsync);

function giveTo(file: number, { uid, gid }: Owner): void {
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    // Only a privileged process gives files away: then the file becomes ours, as with any editor that renames.
    if (systemCode(error) !== 'EPERM') throw error;
  }
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The owner of a file, if it is not this process. */
function ownerOf(path: BytePath, workspace: Workspace): Owner | undefined {
  using parent = openExisting(workspace, parentOf(path));
  const status = statusOf(parent.at(nameOf(path)));
  if (status === undefined) return undefined;
  const [uid, gid] = [Number(status.uid), Number(status.gid)];
  return uid === process.geteuid?.() && gid === process.getegid?.() ? undefined : { uid, gid };
}
