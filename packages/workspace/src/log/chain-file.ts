import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { checkHeader, type LogFormat } from './log-format.ts';
import { readLine, recordText } from './log-line.ts';
import { linesOf } from './scan-log.ts';

/** The last entry of a chain: the next entry contains its hash, and the following number. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

/** Before the first entry. */
export const chainStart: ChainEnd = { seq: 0, hash: '0'.repeat(64) };

/** The result of reading a chain. */
export interface ChainReport {
  readonly entries: number;
  /** The number of the first entry, if older ones were removed to limit the size. */
  readonly firstSeq?: number;
  /** Where the chain was modified. */
  readonly breaks: readonly ChainBreak[];
  /** Bytes of an incomplete line at the end: a process was killed while writing, or is writing now. */
  readonly tornBytes: number;
  readonly ends: ChainEnd;
}

/** A position where entries were changed, removed or added. */
export interface ChainBreak {
  readonly file: string;
  /** The line in that file; the first line is its header. */
  readonly line: number;
  /** The number of the last unmodified entry. */
  readonly afterSeq: number;
  readonly reason: 'damaged' | 'changed' | 'missing';
}

/** An entry with its number and the hash of the previous entry, as JSON; and the state for the next one. */
export function chainEntry(
  entry: Readonly<Record<string, unknown>>,
  { seq, hash }: ChainEnd,
): { readonly json: string; readonly end: ChainEnd } {
  const json = JSON.stringify({ seq: seq + 1, previous: hash, ...entry });
  return { json, end: { seq: seq + 1, hash: hashOf(json) } };
}

/** Length of a line. */
export const maxLineBytes: number = 1024 * 1024;

/** Reported breaks of a hash chain. */
const mostBreaks = 100;

/** How a file of a chain is read. */
export interface ChainFileOptions {
  readonly name: string;
  readonly format: LogFormat;
  /** The report of the files before this one. */
  readonly report: ChainReport;
  /** Entries before it may have been removed to make room. */
  readonly isFirst: boolean;
  readonly read: (entry: Readonly<Record<string, unknown>>, hash: string) => void;
}

/** Reads a file of a chain to its end. */
export async function readChainFile(file: FileHandle, options: ChainFileOptions): Promise<ChainReport> {
  const { name, format, read } = options;
  let { entries, firstSeq, ends } = options.report;
  const breaks = [...options.report.breaks];
  let offset = 0;
  let line = 0;
  let isAnchored = !options.isFirst;
  const report = (reason: ChainBreak['reason']): void => {
    if (breaks.length < mostBreaks) breaks.push({ file: name, line, afterSeq: ends.seq, reason });
  };
  for await (const lines of linesOf(file, maxLineBytes)) {
    for (const { text, bytes } of lines) {
      offset += bytes;
      line += 1;
      const found = text === undefined ? undefined : readLine(text);
      if (line === 1) {
        if (found?.isWhole === true) checkHeader(found.record, format, name);
        else report('damaged');
        continue;
      }
      if (text === undefined || found?.isWhole !== true || !isEntry(found.record)) {
        report('damaged');
        // What comes next cannot fit, and need not be reported as well.
        isAnchored = false;
        continue;
      }
      const { seq, previous } = found.record;
      const hash = hashOf(recordText(text));
      if (isAnchored && seq !== ends.seq + 1) report('missing');
      else if (isAnchored && previous !== ends.hash) report('changed');
      else if (!isAnchored && seq === 1 && previous !== chainStart.hash) report('changed');
      isAnchored = true;
      entries += 1;
      firstSeq ??= seq;
      ends = { seq, hash };
      read(found.record, hash);
    }
  }
  const { size } = await file.stat();
  const tornBytes = Math.max(0, size - offset);
  return { entries, ...(firstSeq !== undefined && { firstSeq }), breaks, tornBytes, ends };
}

type Entry = Readonly<Record<string, unknown>> & { readonly seq: number; readonly previous: string };

function isEntry(record: unknown): record is Entry {
  return (
    typeof record === 'object' &&
    record !== null &&
    'seq' in record &&
    typeof record.seq === 'number' &&
    'previous' in record &&
    typeof record.previous === 'string'
  );
}

function hashOf(json: string): string {
  return createHash('sha256').update(json).digest('hex');
}
