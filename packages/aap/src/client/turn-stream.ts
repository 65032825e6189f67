import { type Clock, FrameFault, Invalid, isJsonObject, untilAborted } from '@parley/wire';
import { EventReader, type ServerSentEvent } from '@parley/wire/sse';
import type { ReceivedAgentMessage, ReceivedTypes } from '../received.ts';
import { parseTolerant } from '../schema/parse.ts';
import { AapClientError, AapError, StreamInterrupted } from './aap-error.ts';
import type { AapClientLimits } from './limits.ts';
import { MessageCollector } from './message-collector.ts';

/** The names of the types of events: those of one mode, or of any. */
export type StreamedName = 'DeltaTurnEvent' | 'MessageTurnEvent' | 'TurnEvent';

/**
 * The events of a turn, up to its stop. Can be read once. If the server supports it, a broken stream is resumed.
 * Leaving the loop closes the connection; the turn continues on the server.
 */
export interface TurnStream<Event> extends AsyncIterable<Event>, AsyncDisposable {
  /** The id of the turn, if the server has the extension. */
  readonly turnId: string | undefined;
  /** The id of the last event that was read, to continue from in another stream. */
  readonly lastEventId: string | undefined;
  /** The messages received so far. */
  readonly messages: readonly ReceivedAgentMessage[];
  /** Closes the connection. A running loop ends. */
  close(): Promise<void>;
}

/** What a stream needs. */
export interface TurnStreamOptions<Name extends StreamedName> {
  readonly eventName: Name;
  /** What was asked for, for messages. */
  readonly request: string;
  readonly turnId?: string;
  readonly lastEventId?: string;
  readonly limits: AapClientLimits;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Asks for the turn's events after one of them, or all. */
  follow(turnId: string, lastEventId: string | undefined): Promise<Response>;
}

/** Reads the events of a turn from the answer to a request. */
export function openTurnStream<Name extends StreamedName>(
  response: Response,
  options: TurnStreamOptions<Name>,
): TurnStream<ReceivedTypes[Name]> {
  return new OpenTurnStream(response, options);
}

/** Delay before the second reconnection of a stream; it doubles each time. */
const firstReconnectMs = 250;

class OpenTurnStream<Name extends StreamedName> implements TurnStream<ReceivedTypes[Name]> {
  readonly #options: TurnStreamOptions<Name>;
  readonly #collector: MessageCollector;
  readonly #events: AsyncGenerator<ReceivedTypes[Name], void>;
  #body: Body;
  #turnId: string | undefined;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #reconnects = 0;
  #isClosed = false;

  constructor(response: Response, options: TurnStreamOptions<Name>) {
    this.#options = options;
    this.#body = toBody(response);
    this.#turnId = options.turnId ?? response.headers.get('aap-turn-id') ?? undefined;
    this.#lastEventId = options.lastEventId;
    this.#collector = new MessageCollector(options.limits);
    this.#events = this.#read();
  }

  get turnId(): string | undefined {
    return this.#turnId;
  }

  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  get messages(): readonly ReceivedAgentMessage[] {
    return this.#collector.messages;
  }

  [Symbol.asyncIterator](): AsyncIterator<ReceivedTypes[Name], void> {
    return this.#events;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await discard(this.#body);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async *#read(): AsyncGenerator<ReceivedTypes[Name], void> {
    try {
      for (;;) {
        const end = yield* this.#readBody();
        if (end.isStop || this.#isClosed) return;
        await this.#reconnect(end.cause);
      }
    } finally {
      await discard(this.#body);
    }
  }

  async *#readBody(): AsyncGenerator<ReceivedTypes[Name], BodyEnd> {
    const { maxEventBytes } = this.#options.limits;
    const reader = new EventReader({ maxEventBytes });
    for (;;) {
      let chunk: Awaited<ReturnType<Body['read']>>;
      try {
        chunk = await untilAborted(this.#body.read(), this.#options.signal);
      } catch (cause) {
        this.#options.signal?.throwIfAborted();
        return { isStop: false, cause };
      }
      // What is left at the end is half an event: it comes again.
      if (chunk.done) return { isStop: false };
      const found = reader.push(chunk.value);
      this.#retryMs = reader.retryMs;
      for (const item of found) {
        if (item instanceof FrameFault) throw this.#invalid(`an event could not be read: ${item.code}`);
        const event = this.#take(item);
        yield event;
        if (event.event === 'turn_stop') return { isStop: true };
        if (this.#isClosed) return { isStop: false };
      }
    }
  }

  #take({ event: name, data, id }: ServerSentEvent): ReceivedTypes[Name] {
    const parsed = parseTolerant(this.#options.eventName, toEventValue(name, data));
    if (parsed instanceof Invalid) throw this.#invalid(`${name}: ${parsed.message}`);
    this.#reconnects = 0;
    if (id !== undefined) this.#lastEventId = id;
    if (parsed.event === 'turn_start') this.#turnId ??= parsed.turnId;
    this.#collector.add(parsed);
    return parsed;
  }

  /** Waits longer each time; fails when nothing new has come for some attempts. */
  async #reconnect(cause: unknown): Promise<void> {
    const { limits, follow } = this.#options;
    const turnId = this.#turnId;
    // Without ids, what was read already would come again.
    const isResumable = this.#lastEventId !== undefined || !this.#collector.hasBegun;
    if (turnId === undefined || !isResumable) throw this.#interrupted(cause);
    let reason = cause;
    while (this.#reconnects < limits.maxReconnects) {
      await this.#wait(this.#reconnects++);
      if (this.#isClosed) return;
      try {
        this.#body = toBody(await follow(turnId, this.#lastEventId));
        return;
      } catch (error) {
        this.#options.signal?.throwIfAborted();
        reason = error;
        if (error instanceof AapError && error.status < 500 && error.status !== 429) break;
      }
    }
    throw this.#interrupted(reason);
  }

  async #wait(reconnects: number): Promise<void> {
    const { clock, limits, signal } = this.#options;
    const backoffMs = Math.min(firstReconnectMs * 2 ** (reconnects - 1), limits.maxReconnectMs);
    const ms = this.#retryMs ?? (reconnects === 0 ? 0 : backoffMs);
    if (ms === 0) return;
    await new Promise<void>((resolve) => {
      const stop = clock.after(ms, () => {
        signal?.removeEventListener('abort', end);
        resolve();
      });
      const end = (): void => {
        stop();
        resolve();
      };
      signal?.addEventListener('abort', end, { once: true });
    });
    signal?.throwIfAborted();
  }

  #interrupted(cause: unknown): StreamInterrupted {
    return new StreamInterrupted(`${this.#options.request}: the stream ended before the turn did`, {
      messages: this.#collector.messages,
      ...(this.#turnId !== undefined && { turnId: this.#turnId }),
      ...(this.#lastEventId !== undefined && { lastEventId: this.#lastEventId }),
      ...(cause !== undefined && { cause }),
    });
  }

  #invalid(problem: string): AapClientError {
    return new AapClientError('invalid-answer', `${this.#options.request}: ${problem}`);
  }
}

type Body = ReadableStreamDefaultReader<Uint8Array>;

/** How reading one body ended. */
type BodyEnd = { readonly isStop: true } | { readonly isStop: false; readonly cause?: unknown };

function toBody(response: Response): Body {
  return (response.body ?? new ReadableStream<Uint8Array>({ start: (stream) => stream.close() })).getReader();
}

async function discard(body: Body): Promise<void> {
  // A broken body needs no discarding.
  await body.cancel().catch(() => undefined);
}

/** The name of the event; if the event has none, its data may contain it. */
function toEventValue(name: string, data: string): unknown {
  const value = parseJson(data);
  if (!isJsonObject(value)) return { event: name, data };
  return name === 'message' && typeof value['event'] === 'string' ? value : { ...value, event: name };
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
