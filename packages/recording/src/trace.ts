import { valueAt } from '@parley/wire';
import type { FrameDirection, RecordedFrame } from './entry.ts';
import { idKey, sessionOf, viewMessage, type MessageView } from './message-view.ts';

/** A frame with its position in the conversation. */
export interface TracedFrame {
  readonly frame: RecordedFrame;
  readonly view: MessageView;
  /** For responses: the method of the request. */
  readonly method?: string;
  readonly session?: string;
  /** The turn of the session that was running, from 1, and the number of its `session/prompt`. */
  readonly turn?: number;
  readonly prompt?: number;
  /** For responses: the number of the request, and the duration. */
  readonly answers?: number;
  readonly latencyMs?: number;
}

/** A request without a response. */
export interface OpenRequest {
  readonly seq: number;
  readonly method: string;
  readonly time?: number;
  readonly session?: string;
  readonly turn?: number;
  readonly prompt?: number;
}

/** Follows a conversation frame by frame, and assigns responses to requests and frames to turns. */
export class Trace {
  readonly #open: Readonly<Record<FrameDirection, Map<string, OpenRequest>>> = {
    in: new Map(),
    out: new Map(),
  };
  readonly #turns = new Map<string, { count: number; prompt?: number }>();
  /** Requests of connections that have ended. */
  #lost: OpenRequest[] = [];
  readonly #waiting = new Set<number>();

  /** The requests without a response so far, in order. */
  get open(): readonly OpenRequest[] {
    return [...this.#lost, ...this.#open.out.values(), ...this.#open.in.values()].toSorted(
      (a, b) => a.seq - b.seq,
    );
  }

  /** Checks whether the request with this number has no response, and can still get one. */
  isWaiting(seq: number): boolean {
    return this.#waiting.has(seq);
  }

  follow(frame: RecordedFrame): TracedFrame {
    const view = viewMessage(frame.message);
    switch (view.kind) {
      case 'request':
        return this.#ask(frame, view);
      case 'notification': {
        const session = sessionOf(view.params) ?? this.#sessionOfCancelled(frame, view);
        return { frame, view, method: view.method, ...this.#place(session) };
      }
      case 'result':
      case 'error':
        return this.#answer(frame, view);
      case 'unknown':
        return { frame, view };
    }
  }

  #ask(frame: RecordedFrame, view: MessageView & { readonly kind: 'request' }): TracedFrame {
    const { method, params, id } = view;
    const session = sessionOf(params);
    if (method === 'initialize' && frame.direction === 'out') this.#beginConnection();
    if (method === 'session/prompt' && frame.direction === 'out' && session !== undefined) {
      const count = (this.#turns.get(session)?.count ?? 0) + 1;
      forgetOldest(this.#turns);
      this.#turns.set(session, { count, prompt: frame.seq });
    }
    const place = this.#place(session);
    const open = this.#open[frame.direction];
    const key = idKey(id);
    this.#settle(open.get(key));
    this.#settle(forgetOldest(open));
    open.set(key, {
      seq: frame.seq,
      method,
      ...(frame.time !== undefined && { time: frame.time }),
      ...place,
    });
    this.#waiting.add(frame.seq);
    return { frame, view, method, ...place };
  }

  #answer(frame: RecordedFrame, view: MessageView & { readonly kind: 'result' | 'error' }): TracedFrame {
    const open = this.#open[frame.direction === 'in' ? 'out' : 'in'];
    const id = idKey(view.id);
    const request = open.get(id);
    if (request === undefined) return { frame, view };
    open.delete(id);
    this.#settle(request);
    const { seq, method, turn, prompt, time } = request;
    const session = request.session ?? (view.kind === 'result' ? sessionOf(view.result) : undefined);
    const running = session === undefined ? undefined : this.#turns.get(session);
    if (running?.prompt === seq) delete running.prompt;
    return {
      frame,
      view,
      method,
      answers: seq,
      ...(session !== undefined && { session }),
      ...(turn !== undefined && { turn }),
      ...(prompt !== undefined && { prompt }),
      ...(time !== undefined && frame.time !== undefined && { latencyMs: Math.max(0, frame.time - time) }),
    };
  }

  #place(session: string | undefined): Pick<TracedFrame, 'session' | 'turn' | 'prompt'> {
    if (session === undefined) return {};
    const { count, prompt } = this.#turns.get(session) ?? {};
    return prompt === undefined || count === undefined ? { session } : { session, turn: count, prompt };
  }

  #settle(request: OpenRequest | undefined): void {
    if (request !== undefined) this.#waiting.delete(request.seq);
  }

  /** Marks the requests of the previous connection as lost. */
  #beginConnection(): void {
    const { out, in: asked } = this.#open;
    this.#lost = [...this.#lost, ...out.values(), ...asked.values()].slice(-maxRemembered);
    out.clear();
    asked.clear();
    this.#waiting.clear();
    for (const turns of this.#turns.values()) delete turns.prompt;
  }

  #sessionOfCancelled(
    { direction }: RecordedFrame,
    { method, params }: MessageView & { readonly kind: 'notification' },
  ): string | undefined {
    if (method !== '$/cancel_request') return undefined;
    return this.#open[direction].get(idKey(valueAt(params, 'requestId')))?.session;
  }
}

/** Remembered open requests of each direction, and sessions. */
const maxRemembered = 10_000;

function forgetOldest<Value>(map: Map<string, Value>): Value | undefined {
  if (map.size < maxRemembered) return undefined;
  const [oldest] = map;
  if (oldest === undefined) return undefined;
  map.delete(oldest[0]);
  return oldest[1];
}
