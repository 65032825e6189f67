import type { FileHandle } from 'node:fs/promises';
import {
  EntryReader,
  type FrameDirection,
  idKey,
  maxRecordedBytes,
  type MessageView,
  readLines,
  type RecordedFrame,
  RecordingError,
  sessionOf,
  Trace,
  type TracedFrame,
} from '@parley/recording';
import { isJsonObject, valueAt } from '@parley/wire';

/** A frame of a recording and its position in the file, from which it is read when needed. */
export interface Step {
  readonly seq: number;
  readonly offset: number;
  readonly length: number;
  /** `out` is a message of the client, `in` one of the agent. */
  readonly direction: FrameDirection;
  readonly kind: 'request' | 'notification' | 'answer';
  /** The method; for a response, that of its request. Empty if it is not a message of the protocol. */
  readonly method: string;
  readonly time?: number;
  /** The request that is answered or, by the agent, cancelled. */
  readonly request?: Step;
  /** The directory that a request names for its session. */
  readonly cwd?: string;
  /** The session that begins with this answer. */
  readonly opens?: string;
}

/** The messages of one session, or of none, in order. */
export interface RecordedLane {
  /** Absent for messages without a session. */
  readonly session?: string;
  /** The answer that carried the session's id; absent where the client knew it before. */
  readonly openedBy?: Step;
  readonly steps: Step[];
}

/** The lanes of a recording by session; '' for messages without one. */
export type RecordingIndex = ReadonlyMap<string, RecordedLane>;

/** Reads a recording once, and stores the positions of its frames. */
export async function indexRecording(file: FileHandle): Promise<RecordingIndex> {
  const lanes = new Map<string, RecordedLane>([['', { steps: [] }]]);
  const requests = new Map<number, { readonly step: Step; readonly lane: RecordedLane }>();
  /** The agent's, by the ids it gave them. */
  const askedByAgent = new Map<string, Step>();
  const reader = new EntryReader();
  const trace = new Trace();
  let before = laneOf('');

  function laneOf(session: string): RecordedLane {
    const lane = lanes.get(session) ?? { session, steps: [] };
    lanes.set(session, lane);
    return lane;
  }

  /** The position of a frame. One for a session that was never opened follows the frame before it. */
  function placeOf(frame: RecordedFrame, session: string | undefined): RecordedLane {
    if (session === undefined) return laneOf('');
    return frame.direction === 'out' || lanes.has(session) ? laneOf(session) : before;
  }

  const chunks = file.createReadStream({ start: 0, autoClose: false });
  for await (const line of readLines(chunks, { maxBytes: maxRecordedBytes })) {
    const entry = reader.read(line);
    if (entry?.kind !== 'frame') continue;
    const traced = trace.follow(entry);
    const { view } = traced;
    // The time of a cancellation is the client's choice: no replay waits for it.
    if (traced.method === '$/cancel_request' && entry.direction === 'out') continue;
    const asked = traced.answers === undefined ? undefined : requests.get(traced.answers);
    const isAnswer = view.kind === 'result' || view.kind === 'error';
    if ((isAnswer && asked === undefined) || (view.kind === 'unknown' && entry.direction === 'out')) continue;
    const lane = asked?.lane ?? placeOf(entry, view.kind === 'unknown' ? undefined : traced.session);
    const cancelled =
      view.kind === 'notification' ? askedByAgent.get(idKey(valueAt(view.params, 'requestId'))) : undefined;
    const step = toStep(traced, line, asked?.step ?? cancelled, (session) => !lanes.has(session));
    lane.steps.push(step);
    before = lane;
    if (view.kind === 'request') {
      requests.set(step.seq, { step, lane });
      if (step.direction === 'in') askedByAgent.set(idKey(view.id), step);
    } else if (isAnswer) {
      requests.delete(asked?.step.seq ?? 0);
      if (step.direction === 'out') askedByAgent.delete(idKey(view.id));
    }
    if (step.opens !== undefined) {
      lanes.set(step.opens, { session: step.opens, openedBy: step, steps: [] });
    }
  }
  if ([...lanes.values()].every(({ steps }) => steps.length === 0)) {
    throw new RecordingError('not-a-recording', 'it contains no messages');
  }
  return lanes;
}

/** Reads the message of a step. */
export async function readStep(file: FileHandle, { offset, length }: Step): Promise<unknown> {
  const bytes = Buffer.alloc(length);
  for (let start = 0; start < length;) {
    const { bytesRead } = await file.read(bytes, start, length - start, offset + start);
    if (bytesRead === 0) throw new RecordingError('not-a-recording', 'the file was truncated');
    start += bytesRead;
  }
  const line: unknown = JSON.parse(bytes.toString('utf8'));
  return isJsonObject(line) && 'direction' in line ? line['message'] : line;
}

function toKind({ kind }: MessageView): Step['kind'] {
  switch (kind) {
    case 'request':
      return 'request';
    case 'result':
    case 'error':
      return 'answer';
    case 'notification':
    case 'unknown':
      return 'notification';
  }
}

function toStep(
  { frame, view, method = '' }: TracedFrame,
  { offset, length }: { readonly offset: number; readonly length: number },
  request: Step | undefined,
  isNew: (session: string) => boolean,
): Step {
  const cwd = view.kind === 'request' ? valueAt(view.params, 'cwd') : undefined;
  const answered = view.kind === 'result' && frame.direction === 'in' ? sessionOf(view.result) : undefined;
  return {
    seq: frame.seq,
    offset,
    length,
    direction: frame.direction,
    kind: toKind(view),
    method,
    ...(frame.time !== undefined && { time: frame.time }),
    ...(request !== undefined && { request }),
    ...(typeof cwd === 'string' && { cwd }),
    ...(answered !== undefined && isNew(answered) && { opens: answered }),
  };
}
