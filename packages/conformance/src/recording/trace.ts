import { at } from '../acp-v1/json-value.ts';
import type { FrameDirection, RecordedFrame } from './entry.ts';
import { idKey, sessionOf, viewMessage, type MessageView } from './message-view.ts';

/** A frame, and what it belongs to. */
export interface TracedFrame {
  readonly frame: RecordedFrame;
  readonly view: MessageView;
  /** Of an answer: that of its request. */
  readonly method?: string;
  readonly session?: string;
  /** The prompt turn of its session that was running, from 1. */
  readonly turn?: number;
  /** Of an answer: the number of its request, and the time it took. */
  readonly answers?: number;
  readonly latencyMs?: number;
}

/** A request that has no answer. */
export interface OpenRequest {
  readonly seq: number;
  readonly method: string;
  readonly time?: number;
  readonly session?: string;
  readonly turn?: number;
}

/** Follows a conversation frame by frame: what answers what, and the turn in which it happened. */
export class Trace {
  readonly #open: Readonly<Record<FrameDirection, Map<string, OpenRequest>>> = {
    in: new Map(),
    out: new Map(),
  };
  readonly #turns = new Map<string, { count: number; prompt?: number }>();

  /** The requests without an answer so far, in order. */
  get open(): readonly OpenRequest[] {
    return [...this.#open.out.values(), ...this.#open.in.values()].toSorted((a, b) => a.seq - b.seq);
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
    if (method === 'session/prompt' && frame.direction === 'out' && session !== undefined) {
      const count = (this.#turns.get(session)?.count ?? 0) + 1;
      forgetOldest(this.#turns);
      this.#turns.set(session, { count, prompt: frame.seq });
    }
    const place = this.#place(session);
    const open = this.#open[frame.direction];
    forgetOldest(open);
    open.set(idKey(id), {
      seq: frame.seq,
      method,
      ...(frame.time !== undefined && { time: frame.time }),
      ...place,
    });
    return { frame, view, method, ...place };
  }

  #answer(frame: RecordedFrame, view: MessageView & { readonly kind: 'result' | 'error' }): TracedFrame {
    const open = this.#open[frame.direction === 'in' ? 'out' : 'in'];
    const id = idKey(view.id);
    const request = open.get(id);
    if (request === undefined) return { frame, view };
    open.delete(id);
    const { seq, method, turn, time } = request;
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
      ...(time !== undefined && frame.time !== undefined && { latencyMs: frame.time - time }),
    };
  }

  #place(session: string | undefined): { readonly session?: string; readonly turn?: number } {
    if (session === undefined) return {};
    const running = this.#turns.get(session);
    return running?.prompt === undefined ? { session } : { session, turn: running.count };
  }

  #sessionOfCancelled(
    { direction }: RecordedFrame,
    { method, params }: MessageView & { readonly kind: 'notification' },
  ): string | undefined {
    if (method !== '$/cancel_request') return undefined;
    return this.#open[direction].get(idKey(at(params, 'requestId')))?.session;
  }
}

/** So many open requests, and sessions, are remembered. */
const maxRemembered = 10_000;

function forgetOldest(map: Map<string, unknown>): void {
  if (map.size < maxRemembered) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
