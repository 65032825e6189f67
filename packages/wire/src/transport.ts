import type { Message } from './message.ts';

/**
 * Why a connection ended.
 *
 * - `local`: this side closed it.
 * - `end-of-input`: the peer sends nothing more; responses may still be written.
 * - `exited`: the peer's process has exited.
 * - `stalled`: the peer stopped reading.
 * - `failed`: reading or writing failed; `error` is the cause.
 */
export interface CloseReason {
  readonly code: 'local' | 'end-of-input' | 'exited' | 'stalled' | 'failed';
  readonly message: string;
  readonly error?: unknown;
}

/** An outgoing message: its text, and the message itself for transports that route by its content. */
export interface OutgoingFrame {
  readonly text: string;
  readonly message: Message;
}

/** The messages of one read, in order: parsed JSON values, and a `FrameFault` for each frame without a message. */
export type IncomingBatch = readonly unknown[];

/** The connection, as seen by its transport. */
export interface Receiver {
  /**
   * Receives the messages of one read.
   *
   * @param bytes The size of the batch as transferred.
   * @returns A promise if the handlers are behind: pause reading until it settles.
   */
  receive(batch: IncomingBatch, bytes: number): void | Promise<void>;
  /** Reports that no more messages will arrive. Called once. */
  close(reason: CloseReason): void;
}

/** Moves messages between two peers without interpreting them. */
export interface Transport {
  /** Starts to deliver messages, but never synchronously. Called once, before anything is sent. */
  start(receiver: Receiver): void;
  /**
   * Writes messages, in order.
   *
   * @returns A promise if the peer is behind: it settles when there is buffer space again, and rejects if writing
   * failed.
   */
  send(batch: readonly OutgoingFrame[]): void | Promise<void>;
  /** Flushes pending messages if the peer reads them, then releases all resources. Never rejects. */
  close(reason: CloseReason): Promise<void>;
}
