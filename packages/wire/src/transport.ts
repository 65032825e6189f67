import type { Message } from './message.ts';

/**
 * Why a connection ended.
 *
 * - `local`: this side closed it.
 * - `end-of-input`: the peer will send nothing more; what we still have to answer can perhaps be written.
 * - `exited`: the peer's process is gone.
 * - `stalled`: the peer stopped reading.
 * - `failed`: reading or writing failed; `error` says how.
 */
export interface CloseReason {
  readonly code: 'local' | 'end-of-input' | 'exited' | 'stalled' | 'failed';
  readonly message: string;
  readonly error?: unknown;
}

/** A message on its way out: its text, and the message for a transport that routes by it. */
export interface OutgoingFrame {
  readonly text: string;
  readonly message: Message;
}

/** What one read brought, in order: parsed JSON values, and a `FrameFault` where a frame was none. */
export type IncomingBatch = readonly unknown[];

/** The connection, as its transport sees it. */
export interface Receiver {
  /**
   * Takes what one read brought.
   *
   * @param bytes How long the batch was on the wire.
   * @returns A promise when the handlers are behind: read no more until it settles.
   */
  receive(batch: IncomingBatch, bytes: number): void | Promise<void>;
  /** Nothing more will come. Called once. */
  close(reason: CloseReason): void;
}

/** Moves messages between two peers; knows nothing of what they mean. */
export interface Transport {
  /** Begins to deliver, but never from inside this call. Called once, before anything is sent. */
  start(receiver: Receiver): void;
  /**
   * Writes messages, in order.
   *
   * @returns A promise when the peer is behind: it settles when there is room again, and rejects when writing failed.
   */
  send(batch: readonly OutgoingFrame[]): void | Promise<void>;
  /** Flushes what was sent, if the peer reads it, then releases everything. Never rejects. */
  close(reason: CloseReason): Promise<void>;
}
