import type { MessageView } from '@parley/recording';

/** A frame as received. */
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

/** A frame with its relations. Its content is stored as text, which is searchable and smaller. */
export interface FrameRow extends Pick<RawFrame, 'seq' | 'time' | 'direction' | 'fault'> {
  readonly kind: MessageView['kind'] | 'fault';
  /** The message as JSON; empty where there was none. */
  readonly text: string;
  /** Size on the wire, in bytes. */
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
  /** For a response: the number of its request, and the time it took. */
  readonly answers?: number;
  readonly latencyMs?: number;
}

/** The name of a frame in lists and filters: its method, and the kind of an update. */
export function nameOf({ method, update }: Pick<FrameRow, 'method' | 'update'>): string | undefined {
  return update === undefined ? method : `${method ?? ''} ${update}`;
}
