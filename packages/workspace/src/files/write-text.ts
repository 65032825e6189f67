import { randomBytes } from 'node:crypto';
import { type Stats, constants } from 'node:fs';
import { type FileHandle, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../error.ts';
import { type Anchor, openLocation } from './confinement/anchor.ts';
import { type Location, locate } from './confinement/locate.ts';
import { lstatIfThere, openParent, openRegular } from './confinement/regular-file.ts';
import type { FileRequest } from './confinement/request.ts';
import { type Encoding, encodeText } from './encoding.ts';
import { type SeenFile, checkSeen, markOf } from './file-mark.ts';
import { type OldText, readOldText } from './old-text.ts';

/** The condition for a change. */
export interface ChangeOptions {
  /** The identity of the file when it was checked: if it differs now, the change fails with `changed`. */
  readonly seen?: SeenFile;
}

/** The written file, and its previous content. */
export interface WriteResult extends OldText {
  /** The real path of the file. */
  readonly path: string;
}

/**
 * Replaces a file's text atomically, or creates the file and its directories. A reader sees the old text or the new
 * one. Permissions and byte order mark are preserved; a second hard link keeps the old text.
 */
export async function writeText(
  text: string,
  { seen }: ChangeOptions,
  request: FileRequest,
): Promise<WriteResult> {
  const location = await locate(request);
  await using directory = await openWritten(location, request);
  const name = path.basename(location.missing.at(-1) ?? location.real);
  const existing = await examine(directory, name, request);
  const now = {
    path: path.join(directory.path, name),
    mark: markOf(existing?.old ?? { oldText: null }, existing?.stats),
  };
  checkSeen(seen, now, request);
  const bytes = encodeText(text, existing?.encoding ?? 'utf-8');
  await replace(directory, name, bytes, existing?.stats);
  return { path: now.path, ...(existing?.old ?? { oldText: null }) };
}

function openWritten(location: Location, request: FileRequest): Promise<Anchor> {
  if (location.missing.length === 0) return openParent(location.real, request);
  return openLocation({ real: location.real, missing: location.missing.slice(0, -1) }, 'create', request);
}

interface ExistingFile {
  readonly stats: Stats;
  readonly old: OldText;
  readonly encoding: Encoding;
}

/** The current state of the name: missing, or a file that may be written. */
async function examine(
  directory: Anchor,
  name: string,
  request: FileRequest,
): Promise<ExistingFile | undefined> {
  if ((await lstatIfThere(directory.at(name))) === undefined) return undefined;
  // A rename asks only for rights on the directory; a read-only file must be respected nevertheless.
  await using file = await openRegular(directory, name, 'read and write', request);
  return { stats: await file.stat(), ...(await readOldText(file)) };
}

/** Writes beside the file, then renames over it. */
async function replace(
  directory: Anchor,
  name: string,
  bytes: Uint8Array,
  old: Stats | undefined,
): Promise<void> {
  const temporary = `.parley-${randomBytes(9).toString('hex')}.tmp`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const file = await directory.open(temporary, flags, 0o666);
  try {
    await fill(file, bytes, old);
    await rename(directory.at(temporary), directory.at(name));
  } catch (error) {
    await removeTemporary(directory.at(temporary));
    throw error;
  }
}

async function fill(file: FileHandle, bytes: Uint8Array, old: Stats | undefined): Promise<void> {
  await using open = file;
  if (old !== undefined) await keepRights(open, old);
  await open.writeFile(bytes);
  // Else a power cut could leave an empty file under the name.
  await open.sync();
}

async function keepRights(file: FileHandle, old: Stats): Promise<void> {
  const now = await file.stat();
  if (now.uid !== old.uid || now.gid !== old.gid) await keepOwner(file, old);
  await file.chmod(old.mode & 0o777);
}

async function keepOwner(file: FileHandle, old: Stats): Promise<void> {
  try {
    await file.chown(old.uid, old.gid);
  } catch (error) {
    // Only a privileged process gives files away: then the file becomes ours, as with any editor that renames.
    if (systemCode(error) !== 'EPERM') throw error;
  }
}

async function removeTemporary(name: string): Promise<void> {
  try {
    await unlink(name);
  } catch {
    // Its directory was removed, and the file with it; the first error is the one to report.
  }
}
