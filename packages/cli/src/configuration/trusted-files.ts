import { createHash, randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { stateList, type StateList } from '@parley/workspace';
import { stateFolder, trustFile, type Variables } from './places.ts';

/** A project's file, with the exact content that the user trusts. */
export interface TrustedFile {
  /** What it is revoked by. */
  readonly id: string;
  /** The real path. */
  readonly file: string;
  /** SHA-256 of its content, in hexadecimal. */
  readonly digest: string;
  /** ISO 8601. */
  readonly time: string;
}

/** A file's path and content, as trust is about both. */
export type FileContent = Pick<TrustedFile, 'file' | 'digest'>;

/** The files that the user trusts, in the state folder. */
export function trustedFiles(env: Variables): StateList<TrustedFile> {
  return stateList(trustFile(env), parseTrustedFile);
}

/** Names a file by its real path and its content. */
export async function toFileContent(file: string, bytes: Uint8Array): Promise<FileContent> {
  return { file: await realpath(file), digest: createHash('sha256').update(bytes).digest('hex') };
}

/**
 * Whether the user trusts this content of this file. A file in a worktree is trusted too where the same file of the checkout is
 * trusted with the same content. Our own record says which checkout that is, nothing in the worktree.
 */
export async function isTrusted({ file, digest }: FileContent, env: Variables): Promise<boolean> {
  const files = (await trustedFiles(env).read()).filter((known) => known.digest === digest);
  if (files.some((known) => known.file === file)) return true;
  if (files.length === 0) return false;
  const { inOwnCheckout } = await import('@parley/workspace/worktree');
  const own = await inOwnCheckout(file, { stateFolder: stateFolder(env) });
  return files.some((known) => known.file === own);
}

/** From now on this content of this file is trusted, and no other of that file. */
export async function trust({ file, digest }: FileContent, env: Variables): Promise<void> {
  const entry = { id: randomUUID().slice(0, 8), file, digest, time: new Date().toISOString() };
  await trustedFiles(env).change((known) => [...known.filter((other) => other.file !== file), entry]);
}

function parseTrustedFile(value: unknown): TrustedFile | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('id' in value && 'file' in value && 'digest' in value && 'time' in value)) return undefined;
  const { id, file, digest, time } = value;
  if (typeof id !== 'string' || typeof file !== 'string') return undefined;
  if (typeof digest !== 'string' || typeof time !== 'string') return undefined;
  return { id, file, digest, time };
}
