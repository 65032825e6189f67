import { isAscii, isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import { NdjsonReader } from '../framing/ndjson.ts';
import type { CloseReason, OutgoingFrame, Receiver, Transport } from '../transport.ts';

/** The streams of a stream transport. */
export interface StreamTransportOptions {
  /** The stream that the peer writes to. */
  readonly input: Readable;
  /** The stream that the peer reads from. */
  readonly output: Writable;
  /** The longest line, in bytes; a longer one is skipped. @default 80 MiB */
  readonly maxLineBytes?: number;
  /** Settles when the peer's process has exited; its remaining output is still read. */
  readonly exited?: Promise<CloseReason>;
}

/**
 * Sends and receives one JSON message per line over two Node streams: the stdio transport of ACP. Source: ACP v1,
 * Transports.
 */
export function streamTransport(options: StreamTransportOptions): Transport {
  return new StreamTransport(options);
}

/** Uses this process's standard input and output. Nothing else may write to standard output. */
export function processTransport(options: { readonly maxLineBytes?: number } = {}): Transport {
  return new StreamTransport({ input: process.stdin, output: process.stdout, ...options });
}

class StreamTransport implements Transport {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #exited: Promise<CloseReason> | undefined;
  readonly #reader: NdjsonReader;
  #receiver: Receiver | undefined;
  #isEnded = false;
  #writeError: Error | undefined;
  #drained: { readonly promise: Promise<void>; readonly settle: (error?: Error) => void } | undefined;

  constructor({ input, output, maxLineBytes, exited }: StreamTransportOptions) {
    this.#input = input;
    this.#output = output;
    this.#exited = exited;
    this.#reader = new NdjsonReader({
      decode: decodeBuffer,
      ...(maxLineBytes !== undefined && { maxLineBytes }),
    });
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    const { input, output } = { input: this.#input, output: this.#output };
    output.on('error', this.#onWriteError);
    output.on('close', this.#onWriteClose);
    output.on('drain', this.#onDrain);
    input.on('data', this.#onData);
    input.on('end', this.#onInputEnd);
    input.on('close', this.#onInputEnd);
    input.on('error', this.#onReadError);
    void this.#exited?.then((reason) => this.#endWhenSilent(reason));
  }

  send(batch: readonly OutgoingFrame[]): void | Promise<void> {
    if (this.#writeError !== undefined) return Promise.reject(this.#writeError);
    if (this.#output.destroyed || this.#output.writableEnded) {
      return Promise.reject(new Error('the stream is closed'));
    }
    let text = '';
    for (const frame of batch) text += `${frame.text}\n`;
    if (this.#output.write(text) || !this.#output.writableNeedDrain) return undefined;
    this.#drained ??= openDrain();
    return this.#drained.promise;
  }

  async close(): Promise<void> {
    this.#isEnded = true;
    const { input, output } = { input: this.#input, output: this.#output };
    input.off('data', this.#onData);
    input.off('end', this.#onInputEnd);
    input.off('close', this.#onInputEnd);
    if (!output.destroyed && !output.writableEnded && this.#writeError === undefined) await endOutput(output);
    this.#drained?.settle(new Error('the transport was closed'));
    input.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    const begun = performance.now();
    const values = this.#reader.push(chunk);
    if (values.length === 0) return;
    const behind =
      this.#receiver?.receive(values, chunk.length) ??
      // What is received next would be handled in the same turn of the event loop.
      (performance.now() - begun < longMs ? undefined : nextTurn());
    if (behind === undefined) return;
    this.#input.pause();
    void behind.then(() => {
      if (!this.#isEnded || !this.#input.readableEnded) this.#input.resume();
    });
  };

  readonly #onInputEnd = (): void => {
    this.#end({ code: 'end-of-input', message: 'the peer closed its output' });
  };

  readonly #onReadError = (error: Error): void => {
    this.#end({ code: 'failed', message: `reading failed: ${error.message}`, error });
  };

  readonly #onWriteError = (error: Error): void => {
    // No more messages can be sent, and pending requests would wait forever.
    if (this.#writeError === undefined) {
      this.#endWhenSilent({ code: 'failed', message: `writing failed: ${error.message}`, error });
    }
    this.#writeError = error;
    this.#drained?.settle(error);
    this.#drained = undefined;
  };

  readonly #onWriteClose = (): void => {
    // The owner of the stream may end it on this side: the peer then still answers what it has read.
    if (this.#output.writableEnded && this.#writeError === undefined) return;
    this.#onWriteError(this.#writeError ?? new Error('the peer closed its input'));
  };

  readonly #onDrain = (): void => {
    this.#drained?.settle();
    this.#drained = undefined;
  };

  /**
   * What a peer wrote before it died, or before it closed its input, is still read; a grandchild that keeps the pipe
   * open and silent is not waited for.
   */
  #endWhenSilent(reason: CloseReason): void {
    if (this.#isEnded) return;
    let isSilent = true;
    const onData = (): void => {
      isSilent = false;
    };
    this.#input.on('data', onData);
    const timer = setInterval(() => {
      if (isSilent && !this.#input.isPaused()) this.#end(reason);
      if (this.#isEnded) {
        clearInterval(timer);
        this.#input.off('data', onData);
      }
      isSilent = true;
    }, silenceMs);
  }

  #end(reason: CloseReason): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const values = this.#reader.end();
    if (values.length > 0) void this.#receiver?.receive(values, 0);
    this.#receiver?.close(reason);
  }
}

/** Bytes to text, by the quickest way that is right; not UTF-8: nothing. */
function decodeBuffer(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return buffer.toString('latin1');
  return isUtf8(buffer) ? buffer.toString('utf8') : undefined;
}

function openDrain(): { readonly promise: Promise<void>; readonly settle: (error?: Error) => void } {
  let settle = (_error?: Error): void => {};
  const promise = new Promise<void>((resolve, reject) => {
    settle = (error) => {
      if (error === undefined) resolve();
      else reject(error);
    };
  });
  promise.catch(() => {
    // The connection is notified where it waits; it may not be waiting any more.
  });
  return { promise, settle };
}

/** Ends a stream, and waits until what was written has left or cannot leave. */
function endOutput(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const stopWaiting = setTimeout(resolve, endMs);
    const done = (): void => {
      clearTimeout(stopWaiting);
      resolve();
    };
    output.once('close', done);
    output.once('error', done);
    output.end(done);
  });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Milliseconds that handling what was received may take before timers and other connections get their turn. */
const longMs = 10;

/** Milliseconds of silence after which a peer that has exited, or cannot be reached, is treated as ended. */
const silenceMs = 250;

/** Milliseconds for a peer to read the remaining data when the connection closes. */
const endMs = 1000;
