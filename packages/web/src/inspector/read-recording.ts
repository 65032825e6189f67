import { readRecording as readEntries, type RecordedFault, type RecordingHead } from '@parley/recording';
import type { RawFrame } from './frame-row.ts';

/** Number of frames per batch. */
const batchSize = 2000;

/** A recording, and how it was read. */
export interface Recording extends Pick<RecordingHead, 'agent' | 'program' | 'cwd'> {
  /** Lines that are not part of a recording. */
  readonly unreadable: number;
  /** Whether the file contained any frames. */
  readonly isRecording: boolean;
}

/** Reads a recording line by line, and passes on its frames in batches. The file stays in the browser. */
export async function readRecording(
  file: Blob,
  onFrames: (frames: readonly RawFrame[]) => void,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Recording> {
  let head: RecordingHead | undefined;
  let unreadable = 0;
  let batch: RawFrame[] = [];
  let last = { seq: 0, time: 0 };
  for await (const entry of readEntries(chunksOf(file))) {
    signal?.throwIfAborted();
    switch (entry.kind) {
      case 'head':
        head = entry;
        break;
      case 'frame':
      case 'fault': {
        const { direction } = entry;
        last = { seq: entry.seq > last.seq ? entry.seq : last.seq + 1, time: entry.time ?? last.time };
        const content = entry.kind === 'frame' ? { message: entry.message } : { fault: faultText(entry) };
        batch.push({ ...last, direction, ...content });
        break;
      }
      case 'unreadable':
        unreadable += 1;
    }
    if (batch.length < batchSize) continue;
    onFrames(batch);
    batch = [];
  }
  if (batch.length > 0) onFrames(batch);
  const { agent, program, cwd } = head ?? {};
  return {
    ...(agent !== undefined && { agent }),
    ...(program !== undefined && { program }),
    ...(cwd !== undefined && { cwd }),
    unreadable,
    isRecording: head !== undefined || last.seq > 0,
  };
}

function faultText({ code, bytes, head }: RecordedFault): string {
  return [code, ...(bytes === undefined ? [] : [`(${bytes} bytes)`]), ...(head === '' ? [] : [head])].join(
    ' ',
  );
}

/** Streams cannot be iterated in every browser. */
async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array, void> {
  const reader = file.stream().getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
}
