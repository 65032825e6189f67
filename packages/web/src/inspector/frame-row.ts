import type { MessageView } from '@parley/recording';

/** A frame before anything is known of its place. */
export interface RawFrame {
  /** Larger than that of the frame before. */
  readonly seq: number;
  /** In milliseconds since 1970. */
  readonly time: number;
  /** `in`: from the agent. */
  readonly direction: 'in' | 'out';
  readonly message?: unknown;
  /** What was wrong with it. */
  readonly fault?: string;
}

/** A frame, and what it belongs to. What it says is kept as text, which is searched and takes less room. */
export interface FrameRow extends Pick<RawFrame, 'seq' | 'time' | 'direction' | 'fault'> {
  readonly kind: MessageView['kind'] | 'fault';
  /** The message as JSON; empty where there was none. */
  readonly text: string;
  /** In bytes, as it went over the wire. */
  readonly size: number;
  readonly id?: string;
  /** Of an answer: that of its request. */
  readonly method?: string;
  readonly update?: string;
  readonly session?: string;
  readonly toolCall?: string;
  readonly code?: number;
  /** The prompt turn of its session that was running, from 1, and the number of its `session/prompt`. */
  readonly turn?: number;
  readonly prompt?: number;
  /** Of an answer: the number of its request, and the time it took. */
  readonly answers?: number;
  readonly latencyMs?: number;
}

/** What a frame is called in lists and filters: its method, and the kind of an update behind it. */
export function nameOf({ method, update }: Pick<FrameRow, 'method' | 'update'>): string | undefined {
  return update === undefined ? method : `${method ?? ''} ${update}`;
}
