import { openRequests } from '../limits.ts';
import type { FrameRow, RawFrame } from './frame-row.ts';
import { toShape, type MessageShape } from './message-shape.ts';

interface OpenRequest extends Pick<FrameRow, 'seq' | 'time' | 'method' | 'session' | 'turn' | 'prompt'> {
  readonly seq: number;
}

interface Turns {
  count: number;
  /** The number of the `session/prompt` that is not answered yet. */
  prompt?: number;
}

/** Follows a conversation frame by frame: what answers what, and the turn in which it happened. */
export class FrameTrace {
  readonly #open: Readonly<Record<RawFrame['direction'], Map<string, OpenRequest>>> = {
    in: new Map(),
    out: new Map(),
  };
  readonly #turns = new Map<string, Turns>();
  readonly #waiting = new Set<number>();

  /** Whether a request has no answer yet, and can still get one. */
  isWaiting(seq: number): boolean {
    return this.#waiting.has(seq);
  }

  follow(frame: RawFrame): FrameRow {
    const { seq, time, direction, message, fault } = frame;
    const written = write(message);
    const base = { seq, time, direction, text: written.text, size: byteLength(written.text) };
    const wrong = fault ?? written.fault;
    if (wrong !== undefined) return { ...base, kind: 'fault', fault: wrong };
    const shape = toShape(message);
    switch (shape.kind) {
      case 'request':
        return { ...base, ...shape, ...this.#ask(frame, shape) };
      case 'notification': {
        const { cancels, ...known } = shape;
        const session = shape.session ?? this.#open[direction].get(cancels ?? '')?.session;
        return { ...base, ...known, ...this.#place(session) };
      }
      case 'result':
      case 'error':
        return { ...base, ...shape, ...this.#answer(frame, shape) };
      case 'unknown':
        return { ...base, kind: 'unknown' };
    }
  }

  #ask({ seq, time, direction }: RawFrame, { id = '', method, session }: MessageShape): Partial<FrameRow> {
    // A connection begins: what the one before still owed does not come any more.
    if (method === 'initialize' && direction === 'out') this.#forget();
    if (method === 'session/prompt' && direction === 'out' && session !== undefined) {
      const count = (this.#turns.get(session)?.count ?? 0) + 1;
      forgetOldest(this.#turns);
      this.#turns.set(session, { count, prompt: seq });
    }
    const place = this.#place(session);
    const open = this.#open[direction];
    this.#settle(open.get(id)?.seq);
    this.#settle(forgetOldest(open)?.seq);
    open.set(id, { seq, time, ...(method !== undefined && { method }), ...place });
    this.#waiting.add(seq);
    return place;
  }

  #answer({ time, direction }: RawFrame, { id = '', session: named }: MessageShape): Partial<FrameRow> {
    const open = this.#open[direction === 'in' ? 'out' : 'in'];
    const request = open.get(id);
    if (request === undefined) return {};
    open.delete(id);
    this.#settle(request.seq);
    const { method, turn, prompt } = request;
    const session = request.session ?? named;
    const turns = session === undefined ? undefined : this.#turns.get(session);
    if (turns?.prompt === request.seq) delete turns.prompt;
    return {
      ...(method !== undefined && { method }),
      ...(session !== undefined && { session }),
      ...(turn !== undefined && { turn }),
      ...(prompt !== undefined && { prompt }),
      answers: request.seq,
      latencyMs: Math.max(0, time - request.time),
    };
  }

  #place(session: string | undefined): Pick<FrameRow, 'session' | 'turn' | 'prompt'> {
    if (session === undefined) return {};
    const { count, prompt } = this.#turns.get(session) ?? {};
    return prompt === undefined || count === undefined ? { session } : { session, turn: count, prompt };
  }

  #settle(seq: number | undefined): void {
    if (seq !== undefined) this.#waiting.delete(seq);
  }

  #forget(): void {
    this.#open.in.clear();
    this.#open.out.clear();
    this.#waiting.clear();
    for (const turns of this.#turns.values()) delete turns.prompt;
  }
}

function forgetOldest<Value>(map: Map<string, Value>): Value | undefined {
  if (map.size < openRequests) return undefined;
  const [oldest] = map;
  if (oldest === undefined) return undefined;
  map.delete(oldest[0]);
  return oldest[1];
}

function write(message: unknown): { readonly text: string; readonly fault?: string } {
  if (message === undefined) return { text: '' };
  try {
    return { text: JSON.stringify(message) };
  } catch {
    // It can be parsed and not be written again: its lists are deeper than the browser's stack.
    return { text: '', fault: 'nested too deeply to be shown' };
  }
}

const encoder = new TextEncoder();

function byteLength(text: string): number {
  return encoder.encode(text).length;
}
