import { constants, type Dirent } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { accessTo, isVisible } from './layout/access.ts';
import type { Layout } from './layout/layout.ts';

/** What a command tests in its sandbox before it starts. */
export interface SelfTest {
  /** Folders in which it must not be able to create a file. */
  readonly outside: readonly string[];
  /** Paths that must be there, and must not be writable. */
  readonly protectedPaths: readonly string[];
  /** Files that must be empty or missing. */
  readonly hidden: readonly string[];
}

/** Chooses paths that show whether a layout holds: those that Parley can write or read outside. */
export async function createSelfTest(layout: Layout, canary: string): Promise<SelfTest> {
  const { accesses, homes, protectedPaths } = layout;
  const written = [...accesses].filter(([, each]) => each === 'write').map(([at]) => path.dirname(at));
  const readable = [...accesses].filter(([, each]) => each === 'read').map(([at]) => at);
  const candidates = [...new Set(['/', ...homes, ...written, ...readable])];
  const outside: string[] = [];
  for (const folder of candidates) {
    if (outside.length === mostFolders) break;
    if (accessTo(folder, accesses) === 'read' && (await isWritableFolder(folder))) outside.push(folder);
  }
  const hidden = [canary];
  for (const [at, each] of accesses) {
    if (hidden.length === mostHidden) break;
    if (each === 'nothing') hidden.push(at);
    if (each === 'empty') hidden.push(...(await sampleOf(at, layout)));
  }
  return { outside, protectedPaths, hidden };
}

/** Folders outside that a self-test tries to write to. */
const mostFolders = 8;
/** Hidden files that a self-test tries to read. */
const mostHidden = 64;

async function isWritableFolder(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    return (await lstat(folder)).isDirectory();
  } catch {
    return false;
  }
}

/** One entry of a hidden folder which nothing visible is in. */
async function sampleOf(folder: string, { accesses }: Layout): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const visible = [...accesses]
    .filter(([, each]) => each !== 'empty' && each !== 'nothing')
    .map(([at]) => at);
  const sample = entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => path.join(folder, entry.name))
    .find((at) => !visible.some((each) => each === at || each.startsWith(`${at}/`)));
  return sample === undefined || isVisible(accessTo(sample, accesses)) ? [] : [sample];
}
