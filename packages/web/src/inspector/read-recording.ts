import { recordingLine } from '../limits.ts';
import type { RawFrame } from './frame-row.ts';
import { at } from './message-shape.ts';

/** How many frames are handed over at once. */
const batchSize = 2000;

/** What a recording says of itself. */
interface RecordingHead {
  readonly agent?: string;
  readonly program?: string;
  readonly cwd?: string;
}

/** A recording, and how it was read. */
export interface Recording extends RecordingHead {
  /** Lines that hold nothing of a recording. */
  readonly unreadable: number;
  /** Whether anything was a frame. */
  readonly isRecording: boolean;
}

/** Reads the recording in a file, a line at a time, and hands over its frames as they come. Nothing leaves the browser. */
export async function readRecording(
  file: Blob,
  onFrames: (frames: readonly RawFrame[]) => void,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Recording> {
  let head: RecordingHead | undefined;
  let unreadable = 0;
  let batch: RawFrame[] = [];
  let last = { seq: 0, time: 0 };
  for await (const line of linesOf(file)) {
    signal?.throwIfAborted();
    if (line.trim() === '') continue;
    const entry = toEntry(line, last);
    switch (entry.kind) {
      case 'head':
        ({ head } = entry);
        break;
      case 'frame':
        last = entry.frame;
        batch.push(entry.frame);
        break;
      case 'unreadable':
        unreadable += 1;
    }
    if (batch.length < batchSize) continue;
    onFrames(batch);
    batch = [];
  }
  if (batch.length > 0) onFrames(batch);
  return { ...head, unreadable, isRecording: head !== undefined || last.seq > 0 };
}

type Entry =
  | { readonly kind: 'head'; readonly head: RecordingHead }
  | { readonly kind: 'frame'; readonly frame: RawFrame }
  | { readonly kind: 'unreadable' };

function toEntry(line: string, last: Pick<RawFrame, 'seq' | 'time'>): Entry {
  const value = parseJson(line);
  if (at(value, 'recording') === 1) {
    const [agent, program, cwd] = [at(value, 'agent'), at(value, 'program'), at(value, 'cwd')];
    return {
      kind: 'head',
      head: {
        ...(typeof agent === 'string' && { agent }),
        ...(typeof program === 'string' && { program }),
        ...(typeof cwd === 'string' && { cwd }),
      },
    };
  }
  const direction = at(value, 'direction');
  const message = at(value, 'message');
  const fault = at(value, 'fault');
  if ((direction !== 'in' && direction !== 'out') || (message === undefined && fault === undefined)) {
    return { kind: 'unreadable' };
  }
  const [seq, time] = [at(value, 'seq'), Date.parse(String(at(value, 'time')))];
  return {
    kind: 'frame',
    frame: {
      seq: typeof seq === 'number' && seq > last.seq ? seq : last.seq + 1,
      time: Number.isNaN(time) ? last.time : time,
      direction,
      ...(message === undefined ? { fault: toFault(fault) } : { message }),
    },
  };
}

function toFault(fault: unknown): string {
  const [code, bytes, head] = [at(fault, 'code'), at(fault, 'bytes'), at(fault, 'head')];
  return [
    typeof code === 'string' ? code : 'unknown',
    ...(typeof bytes === 'number' ? [`(${bytes} bytes)`] : []),
    ...(typeof head === 'string' ? [head] : []),
  ].join(' ');
}

/** A line that is too long counts as an empty one with a mark that makes it unreadable. */
async function* linesOf(file: Blob): AsyncGenerator<string, void> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let held: string[] = [];
  let length = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const [first = '', ...others] = chunk.value.split('\n');
    hold(first);
    for (const other of others) {
      yield take();
      hold(other);
    }
  }
  if (length > 0) yield take();

  function hold(text: string): void {
    length += text.length;
    if (length > recordingLine) held = [];
    else held.push(text);
  }

  function take(): string {
    const line = length > recordingLine ? '(too long)' : held.join('');
    held = [];
    length = 0;
    return line;
  }
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // Whoever asks says what it is not.
    return undefined;
  }
}
