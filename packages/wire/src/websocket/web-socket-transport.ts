import { decodeUtf8 } from '../framing/decode-utf8.ts';
import { FrameFault, faultHeadLength } from '../framing/frame-fault.ts';
import { defaultMaxMessageBytes } from '../framing/message-size.ts';
import { systemClock, type Clock } from '../time/clock.ts';
import type { CloseReason, OutgoingFrame, Receiver, Transport } from '../transport.ts';
import { closeCodeOf, toCloseReason } from './close-code.ts';
import { KeepAlive } from './keep-alive.ts';
import { socketState, type WebSocketEvent, type WebSocketLike } from './web-socket-like.ts';

/** Options of a WebSocket transport. */
export interface WebSocketTransportOptions {
  /** The longest message, in bytes; a longer one is skipped. @default 80 MiB */
  readonly maxMessageBytes?: number;
  /**
   * Characters that may wait for a slow receiver if the socket cannot be paused; more end the connection. @default 16
   * Mi
   */
  readonly maxWaiting?: number;
  /** Interval between pings, if the socket supports them; the peer may miss two. @default 30000 */
  readonly pingMs?: number;
  readonly clock?: Clock;
}

/**
 * Sends and receives one JSON message per text frame over a WebSocket that is open or connecting. Binary frames are
 * read as UTF-8, because some clients send their JSON in them.
 */
export function webSocketTransport(
  socket: WebSocketLike,
  options: WebSocketTransportOptions = {},
): Transport {
  return new WebSocketTransport(socket, options);
}

class WebSocketTransport implements Transport {
  readonly #socket: WebSocketLike;
  readonly #clock: Clock;
  readonly #maxMessageBytes: number;
  readonly #maxWaiting: number;
  readonly #keepAlive: KeepAlive;
  readonly #opened: Promise<void>;
  readonly #closed: Promise<void>;
  #receiver: Receiver | undefined;
  /** Messages that the receiver was not given yet, and their length. */
  #waiting: unknown[] = [];
  #waitingLength = 0;
  /** Whether the receiver has asked to wait. */
  #isBehind = false;
  /** Why it ended; the receiver is notified once nothing waits any more. */
  #end: CloseReason | undefined;
  #errorMessage: string | undefined;
  #room: { readonly promise: Promise<void>; readonly settle: () => void } | undefined;

  constructor(socket: WebSocketLike, options: WebSocketTransportOptions) {
    this.#socket = socket;
    this.#clock = options.clock ?? systemClock;
    this.#maxMessageBytes = options.maxMessageBytes ?? defaultMaxMessageBytes;
    this.#maxWaiting = options.maxWaiting ?? defaultMaxWaiting;
    this.#keepAlive = new KeepAlive(socket, {
      clock: this.#clock,
      pingMs: options.pingMs ?? defaultPingMs,
      isReading: () => !this.#isBehind,
      onSilence: (message) => this.#onSilence(message),
    });
    // A blob could not be read at its place among the messages.
    socket.binaryType = 'arraybuffer';
    // A socket that is open may bring messages before a listener is attached.
    socket.addEventListener('message', (event) => this.#onMessage(event));
    socket.addEventListener('error', (event) => {
      this.#errorMessage = event.message;
    });
    this.#closed = new Promise((resolve) => {
      socket.addEventListener('close', (event) => {
        this.#finish(toCloseReason(event, this.#errorMessage));
        resolve();
      });
    });
    this.#opened = new Promise((resolve) => {
      socket.addEventListener('open', () => resolve());
      void this.#closed.then(resolve);
    });
  }

  start(receiver: Receiver): void {
    void Promise.resolve().then(() => {
      this.#receiver = receiver;
      this.#deliver();
    });
    void this.#opened.then(() => this.#keepAlive.start());
    if (this.#socket.readyState === socketState.open) this.#keepAlive.start();
  }

  send(batch: readonly OutgoingFrame[]): void | Promise<void> {
    const { readyState } = this.#socket;
    if (this.#end === undefined && readyState === socketState.connecting) {
      return this.#opened.then(() => this.send(batch));
    }
    if (this.#end !== undefined || readyState !== socketState.open) {
      return Promise.reject(new Error(this.#end?.message ?? 'the socket is closed'));
    }
    for (const { text } of batch) this.#socket.send(text, () => this.#releaseIfRoom());
    if (this.#socket.bufferedAmount <= enoughRoom) return undefined;
    this.#room ??= this.#awaitRoom();
    return this.#room.promise.then(() => {
      if (this.#end !== undefined) throw new Error(this.#end.message);
    });
  }

  async close(reason: CloseReason): Promise<void> {
    this.#receiver = undefined;
    this.#waiting = [];
    const isOver = this.#end !== undefined;
    this.#finish(reason);
    if (isOver) return;
    // A socket that reads nothing would not see the other side's close frame.
    this.#socket.resume?.();
    closeSocket(this.#socket, reason);
    let stopTimer = (): void => {};
    const tooLate = new Promise<void>((resolve) => {
      stopTimer = this.#clock.after(reason.code === 'stalled' ? stalledFrameMs : closeFrameMs, () => {
        this.#socket.terminate?.();
        resolve();
      });
    });
    await Promise.race([this.#closed, tooLate]);
    stopTimer();
  }

  // What comes in

  #onMessage({ data }: WebSocketEvent): void {
    if (this.#end !== undefined) return;
    this.#keepAlive.heard();
    const frame = typeof data === 'string' ? data : toBytes(data);
    this.#waiting.push(typeof frame === 'string' ? this.#readText(frame) : this.#readBytes(frame));
    this.#waitingLength += frame.length;
    this.#deliver();
    if (this.#waitingLength <= this.#maxWaiting || this.#socket.pause !== undefined) return;
    const message = `${this.#waitingLength} characters wait for their handlers, and the socket cannot be paused`;
    const reason: CloseReason = { code: 'stalled', message };
    this.#finish(reason);
    closeSocket(this.#socket, reason);
  }

  #readBytes(bytes: Uint8Array): unknown {
    if (bytes.length > this.#maxMessageBytes) {
      const head = new TextDecoder().decode(bytes.subarray(0, faultHeadLength));
      return new FrameFault('too-large', bytes.length, head);
    }
    const text = decodeUtf8(bytes);
    return text === undefined ? new FrameFault('encoding', bytes.length, '') : this.#readText(text);
  }

  #readText(data: string): unknown {
    // A character has one to three bytes.
    if (data.length * 3 > this.#maxMessageBytes) {
      const bytes = data.length > this.#maxMessageBytes ? data.length : new TextEncoder().encode(data).length;
      if (bytes > this.#maxMessageBytes) {
        return new FrameFault('too-large', bytes, data.slice(0, faultHeadLength));
      }
    }
    try {
      return JSON.parse(data);
    } catch {
      return new FrameFault('malformed', data.length, data.slice(0, faultHeadLength));
    }
  }

  #deliver(): void {
    const receiver = this.#receiver;
    if (receiver === undefined || this.#isBehind) return;
    if (this.#waiting.length > 0) {
      const [batch, length] = [this.#waiting, this.#waitingLength];
      this.#waiting = [];
      this.#waitingLength = 0;
      const behind = receiver.receive(batch, length);
      if (behind !== undefined) {
        this.#wait(behind);
        return;
      }
    }
    if (this.#end === undefined) return;
    this.#receiver = undefined;
    receiver.close(this.#end);
  }

  #wait(behind: Promise<void>): void {
    this.#isBehind = true;
    this.#socket.pause?.();
    void behind.then(() => {
      this.#isBehind = false;
      this.#socket.resume?.();
      this.#deliver();
    });
  }

  // What goes out

  #awaitRoom(): { readonly promise: Promise<void>; readonly settle: () => void } {
    let settle = (): void => {};
    const promise = new Promise<void>((resolve) => {
      settle = resolve;
    });
    // Browsers do not report when there is room again.
    const poll = (ms: number): void => {
      this.#clock.after(ms, () => {
        this.#releaseIfRoom();
        if (this.#room !== undefined) poll(Math.min(ms * 2, slowestPollMs));
      });
    };
    poll(1);
    return { promise, settle };
  }

  #releaseIfRoom(): void {
    if (this.#end === undefined && this.#socket.bufferedAmount > enoughRoom) return;
    const room = this.#room;
    this.#room = undefined;
    room?.settle();
  }

  // The end

  #onSilence(message: string): void {
    this.#finish({ code: 'failed', message });
    this.#socket.terminate?.();
  }

  #finish(reason: CloseReason): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    this.#keepAlive.stop();
    this.#releaseIfRoom();
    this.#deliver();
  }
}

/** A peer that reads too slowly learns why it is dropped; other reasons can be about this side alone. */
function closeSocket(socket: WebSocketLike, reason: CloseReason): void {
  try {
    socket.close(closeCodeOf(reason), reason.code === 'stalled' ? toReasonText(reason.message) : undefined);
  } catch {
    // Browsers let a page close with 1000 only.
    socket.close();
  }
}

/** As much of a text as a close frame can have, in whole characters: a longer one is refused, and the code with it. */
function toReasonText(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxReasonBytes));
  return text.slice(0, read);
}

/** The bytes of a binary message. */
function toBytes(data: unknown): Uint8Array {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array();
}

const defaultMaxWaiting = 16 * 1024 * 1024;

/** Bytes of the reason in a close frame. Source: RFC 6455, section 5.5: 125, of which the code takes two. */
const maxReasonBytes = 123;

/** Default interval between pings, in milliseconds. */
const defaultPingMs = 30_000;

/** How much may wait to be written without making the sender wait. Bytes. */
const enoughRoom = 256 * 1024;

/** Milliseconds between checks for buffer space, for sockets that do not report it. */
const slowestPollMs = 50;

/** Milliseconds for the peer to send its close frame. */
const closeFrameMs = 1000;

/** The same for a peer that reads slowly: what was sent before comes first. */
const stalledFrameMs = 5000;
