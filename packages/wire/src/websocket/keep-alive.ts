import type { Clock } from '../time/clock.ts';
import type { WebSocketLike } from './web-socket-like.ts';

/** What a keep-alive needs to know of its transport. */
export interface KeepAliveOptions {
  readonly clock: Clock;
  readonly pingMs: number;
  /** Whether what the peer says is read now: while it is not, silence means nothing. */
  readonly isReading: () => boolean;
  readonly onSilence: (message: string) => void;
}

/** Pings the peer, to detect one that has disconnected without closing the connection. */
export class KeepAlive {
  readonly #socket: WebSocketLike;
  readonly #options: KeepAliveOptions;
  #missed = 0;
  #stopTimer: (() => void) | undefined;

  constructor(socket: WebSocketLike, options: KeepAliveOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  start(): void {
    if (this.#stopTimer !== undefined || this.#socket.ping === undefined) return;
    this.#socket.on?.('pong', () => this.heard());
    this.#schedule();
  }

  /** The peer has said something. */
  heard(): void {
    this.#missed = 0;
  }

  stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = () => {};
  }

  #schedule(): void {
    const { clock, pingMs } = this.#options;
    this.#stopTimer = clock.after(pingMs, () => this.#ask());
  }

  #ask(): void {
    const { pingMs, isReading, onSilence } = this.#options;
    if (!isReading()) this.heard();
    if (this.#missed === mayMiss) {
      onSilence(`the peer gave no sign of life for ${this.#missed * pingMs} ms`);
      return;
    }
    this.#missed++;
    this.#socket.ping?.();
    this.#schedule();
  }
}

/** Signs of life that may fail to come. */
const mayMiss = 2;
