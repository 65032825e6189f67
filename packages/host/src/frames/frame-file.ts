import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { EntryReader, type RecordingEntry } from '@parley/recording';
import type { HubFrame } from '../hub/hub-frame.ts';

/** The newest frames of a session, as a recording. */
export function framesFile(folder: string): string {
  return path.join(folder, 'frames.jsonl');
}

/** Those before. */
export function olderFramesFile(folder: string): string {
  return path.join(folder, 'frames.1.jsonl');
}

/** Characters of frames that are sent together. */
const togetherLength = 256 * 1024;

/** Reads the stored frames of a session after a number, in batches. Lines that are not frames are skipped. */
export async function* readFrames(
  folder: string,
  after: number,
): AsyncGenerator<readonly HubFrame[], void, undefined> {
  let frames: HubFrame[] = [];
  let length = 0;
  const reader = new EntryReader();
  let number = 0;
  for await (const line of recordingLines(folder)) {
    number += 1;
    const frame = toFrame(reader.readText(line, number));
    if (frame === undefined || frame.seq <= after) continue;
    frames.push(frame);
    length += line.length;
    if (length < togetherLength) continue;
    yield frames;
    frames = [];
    length = 0;
  }
  if (frames.length > 0) yield frames;
}

/** Yields the recording of a session line by line: a head, and the stored frames. */
export async function* recordingLines(folder: string): AsyncGenerator<string, void, undefined> {
  let hasHead = false;
  for (const file of [olderFramesFile(folder), framesFile(folder)]) {
    for await (const line of linesOf(file)) {
      const isHead = line.startsWith('{"recording":');
      if (isHead && hasHead) continue;
      hasHead ||= isHead;
      yield line;
    }
  }
}

/** The number of the last frame that is kept; 0 without one. */
export async function lastFrameNumber(folder: string): Promise<number> {
  let last = 0;
  for await (const line of recordingLines(folder)) last = Number(/^\{"seq":(\d+)/u.exec(line)?.[1] ?? last);
  return last;
}

async function* linesOf(file: string): AsyncGenerator<string, void, undefined> {
  const stream = createReadStream(file);
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) yield line;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) throw error;
  } finally {
    stream.destroy();
  }
}

function toFrame(entry: RecordingEntry | undefined): HubFrame | undefined {
  if (entry?.kind !== 'frame' && entry?.kind !== 'fault') return undefined;
  const { seq, time = 0, direction } = entry;
  const content =
    entry.kind === 'frame' ? { message: entry.message } : { fault: `${entry.code}: ${entry.head}` };
  return { seq, time, direction, ...content };
}
