import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import type { OmissionReason } from '../checkpoint.ts';
import type { SeenFiles } from '../take-root.ts';
import type { ListedPaths } from '../walk/listing.ts';
import { pauses } from '../walk/pauses.ts';
import { isStamped, stampSize, type ScannedFolder } from '../walk/scan.ts';
import type { BytePath } from '../workspace-path.ts';
import type { CheckpointContent } from './content.ts';
import type { Outgrown } from './outgrown.ts';

/** File states that a take leaves for the next one, which then needs no git process if nothing has changed. */
export interface Seen {
  readonly content: CheckpointContent;
  /** By the paths of the roots. */
  readonly roots: ReadonlyMap<BytePath, SeenFiles>;
}

/** What it is valid for, with the user and the start of the system. */
export interface SeenConditions {
  readonly maxFileBytes: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Writes it to a file: lines of JSON, the first one with their number, then the stamps of all folders as numbers. */
export async function writeSeen(
  file: string,
  { content, roots }: Seen,
  { maxFileBytes, now }: SeenConditions,
): Promise<void> {
  const pause = pauses();
  const lines: string[] = [];
  const stamps: Float64Array[] = [];
  for (const [path, { scan, paths, awaited }] of roots) {
    lines.push(JSON.stringify([path, scan.startedAt, awaited, scan.folders.size, paths]));
    for (const [folder, { names, stamp, stamps: ofFiles }] of scan.folders) {
      lines.push(JSON.stringify([folder, names?.join('/') ?? null]));
      stamps.push(stamp, ofFiles);
      await pause();
    }
  }
  const { permissions, omitted, folders, outgrown, ...others } = content;
  const head: Head = {
    version,
    byteOrder: os.endianness(),
    bootedAt: bootedAt(now),
    user: process.geteuid?.() ?? -1,
    maxFileBytes,
    lines: lines.length,
    roots: roots.size,
    content: {
      ...others,
      usual: permissions.usual,
      others: [...permissions.others],
      omitted: [...omitted],
      folders: [...folders],
      outgrown: [...outgrown],
    },
  };
  const text = `${[JSON.stringify(head), ...lines].join('\n')}\n`;
  const padding = ' '.repeat((8 - (Buffer.byteLength(text, 'latin1') % 8)) % 8);
  const bytes = stamps.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  // One write, where a list would take one for each folder.
  const whole = Buffer.concat([Buffer.from(text.slice(0, -1) + padding + '\n', 'latin1'), ...bytes]);
  await writeFile(file, whole, { mode: 0o600, flag: 'wx' });
}

/** Reads it; undefined where it is missing, damaged, or of another user, limit or start of the system. */
export async function readSeen(file: string, conditions: SeenConditions): Promise<Seen | undefined> {
  try {
    return await parse(await readFile(file), conditions);
  } catch {
    // Everything is read by git again.
    return undefined;
  }
}

const version = 2;

interface Head {
  readonly version: number;
  readonly byteOrder: string;
  readonly bootedAt: number;
  readonly user: number;
  readonly maxFileBytes: number;
  readonly lines: number;
  readonly roots: number;
  readonly content: Omit<CheckpointContent, 'permissions' | 'omitted' | 'folders' | 'outgrown'> & {
    readonly usual: CheckpointContent['permissions']['usual'];
    readonly others: readonly (readonly [BytePath, number])[];
    readonly omitted: readonly (readonly [BytePath, OmissionReason])[];
    readonly folders: readonly (readonly [BytePath, number])[];
    readonly outgrown: readonly (readonly [BytePath, Outgrown])[];
  };
}

/** The store is this process's own; what does not parse throws. */
async function parse(bytes: Buffer, { maxFileBytes, now }: SeenConditions): Promise<Seen | undefined> {
  let at = 0;
  const line = (): string => {
    const start = at;
    at = bytes.indexOf(0x0a, start) + 1;
    if (at === 0) throw new RangeError('the file ends early');
    return bytes.toString('latin1', start, at - 1);
  };
  const head = parseLine(line(), isHead);
  const isOurs =
    head.version === version &&
    head.byteOrder === os.endianness() &&
    Math.abs(head.bootedAt - bootedAt(now)) < sameBootMs &&
    head.user === (process.geteuid?.() ?? -1) &&
    head.maxFileBytes === maxFileBytes;
  if (!isOurs) return undefined;
  const pause = pauses();
  const found: { root: RootLine; folders: FolderLine[] }[] = [];
  for (let index = 0; index < head.roots; index++) {
    const root = parseLine(line(), isRootLine);
    const folders: FolderLine[] = [];
    for (let count = root[3]; count > 0; count--) {
      folders.push(parseLine(line(), isFolderLine));
      await pause();
    }
    found.push({ root, folders });
  }
  const numbers = new Float64Array(Uint8Array.prototype.slice.call(bytes, at).buffer);
  let next = 0;
  const take = (count: number): Float64Array => numbers.subarray(next, (next += count));
  const roots = new Map<BytePath, SeenFiles>();
  for (const {
    root: [path, startedAt, awaited, , paths],
    folders: lines,
  } of found) {
    const folders = new Map<BytePath, ScannedFolder>();
    for (const [folder, joined] of lines) {
      const names = joined === null ? undefined : joined === '' ? [] : joined.split('/');
      const stamp = take(stampSize);
      folders.set(folder, { names, stamp, stamps: take((names ?? []).filter(isStamped).length * stampSize) });
    }
    roots.set(path, { scan: { startedAt, folders, isPartial: false }, paths, awaited });
  }
  if (next !== numbers.length) return undefined;
  const { usual, others, omitted, folders, outgrown, ...rest } = head.content;
  const content: CheckpointContent = {
    ...rest,
    permissions: { usual, others: new Map(others) },
    omitted: new Map(omitted),
    folders: new Map(folders),
    outgrown: new Map(outgrown),
  };
  return { content, roots };
}

type RootLine = readonly [
  path: BytePath,
  startedAt: number,
  awaited: string,
  folders: number,
  paths: ListedPaths,
];
type FolderLine = readonly [path: BytePath, names: string | null];

/** Parley wrote the lines itself: the checks only need to detect a file of another program. */
function parseLine<Line>(text: string, isLine: (value: unknown) => value is Line): Line {
  const value: unknown = JSON.parse(text);
  if (isLine(value)) return value;
  throw new TypeError('not a line of this file');
}

function isHead(value: unknown): value is Head {
  return typeof value === 'object' && value !== null && 'bootedAt' in value && 'content' in value;
}

function isRootLine(value: unknown): value is RootLine {
  return Array.isArray(value) && value.length === 5 && typeof value[0] === 'string';
}

function isFolderLine(value: unknown): value is FolderLine {
  if (!Array.isArray(value) || value.length !== 2) return false;
  return typeof value[0] === 'string' && (value[1] === null || typeof value[1] === 'string');
}

/** When the system started: after a power cut, objects of the store may be missing. */
function bootedAt(now: number): number {
  return now - os.uptime() * 1000;
}

/** Difference between two clock readings up to which they belong to the same boot. */
const sameBootMs = 10_000;
