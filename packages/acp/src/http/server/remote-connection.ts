import {
  atMost,
  type Clock,
  type CloseReason,
  type OutgoingFrame,
  type Receiver,
  type Transport,
} from '@parley/wire';
import { formatEvent } from '@parley/wire/sse';
import { isObject } from '../../schema/value.ts';
import { formatMark, toMark } from '../load-mark.ts';
import {
  cancelledKeyOf,
  endsSession,
  methodOf,
  requestKeyOf,
  sessionOfAnswer,
  sessionOfCall,
} from '../message-scope.ts';
import { OutgoingStream } from './outgoing-stream.ts';
import type { RemoteLimits } from './remote-limits.ts';

/** What a connection needs of its server. */
export interface RemoteConnectionOptions {
  readonly id: string;
  readonly limits: RemoteLimits;
  readonly clock: Clock;
  /** It has ended: no request finds it any more. */
  readonly onEnd: () => void;
}

/** Why a message was not taken, or a stream not opened. */
export type Refusal = 'no-session' | 'other-session' | 'unknown-session' | 'busy' | 'taken' | 'gone';

/** A request without an answer yet. */
interface OpenRequest {
  readonly method: string | undefined;
  readonly sessionId: string | undefined;
}

/** One client of streamable HTTP: requests come from it, streams lead to it. It is the transport of its agent. */
export class RemoteConnection implements Transport {
  readonly id: string;
  readonly #options: RemoteConnectionOptions;
  /** The stream of the connection. */
  readonly #own: OutgoingStream;
  readonly #sessions = new Map<string, OutgoingStream>();
  /** The client's requests. */
  readonly #asked = new Map<string, OpenRequest>();
  /** The agent's requests. */
  readonly #asking = new Map<string, OpenRequest>();
  /** Sessions that the agent has announced on this connection. */
  readonly #announced = new Set<string>();
  readonly #started: Promise<Receiver>;
  readonly #over: Promise<undefined>;
  #start: (receiver: Receiver) => void = () => {};
  #setOver: (_: undefined) => void = () => {};
  #receiver: Receiver | undefined;
  /** The request that opens the connection: its answer is the response to it, and is on no stream. */
  #opening: { readonly key: string | undefined; readonly answer: (frame: OutgoingFrame) => void } | undefined;
  /** Whether the agent can bring back sessions of another connection. */
  #canReattach = true;
  #posts: Promise<void> = Promise.resolve();
  #waitingPosts = 0;
  #unread = 0;
  #room: { readonly promise: Promise<void>; readonly settle: () => void } | undefined;
  #marks = 0;
  #isOver = false;
  #stopIdleTimer = (): void => {};

  constructor(options: RemoteConnectionOptions) {
    this.id = options.id;
    this.#options = options;
    this.#own = this.#createStream(() => {});
    this.#started = new Promise((resolve) => {
      this.#start = resolve;
    });
    this.#over = new Promise((resolve) => {
      this.#setOver = resolve;
    });
  }

  /** How many streams lead to the client. */
  get openStreams(): number {
    return this.#streams().filter((stream) => stream.isAttached).length;
  }

  // What the client's requests bring

  /** Takes the first message, and gives what is answered to it; nothing when the agent has gone. */
  async open(message: unknown, bytes: number): Promise<OutgoingFrame | undefined> {
    const answered = new Promise<OutgoingFrame>((resolve) => {
      this.#opening = { key: requestKeyOf(message), answer: resolve };
    });
    void this.#hand(message, bytes);
    const answer = await Promise.race([answered, this.#over]);
    this.#watchIdle();
    return answer;
  }

  /** Takes any other message. Settles when it was handed to the agent. */
  async post(message: unknown, bytes: number, sessionId: string | undefined): Promise<Refusal | undefined> {
    if (this.#isOver) return 'gone';
    const refusal = this.#whyNot(message, sessionId);
    if (refusal !== undefined) return refusal;
    const [key, method] = [requestKeyOf(message), methodOf(message)];
    if (key !== undefined && method === undefined) this.#asking.delete(key);
    if (key !== undefined && method !== undefined) this.#asked.set(key, { method, sessionId });
    this.#watchIdle();
    this.#waitingPosts++;
    await Promise.race([this.#hand(message, bytes), this.#over]);
    this.#waitingPosts--;
    return undefined;
  }

  /** Opens the stream of the connection, or that of a session. */
  openStream(sessionId: string | undefined): ReadableStream<Uint8Array> | Refusal {
    if (this.#isOver) return 'gone';
    // A session is brought back after its stream was opened: only an agent that cannot do so has unknown ones.
    if (sessionId !== undefined && !this.#canReattach && !this.#announced.has(sessionId)) {
      return 'unknown-session';
    }
    if (sessionId !== undefined) this.#release(sessionId);
    const stream = sessionId === undefined ? this.#own : this.#streamOf(sessionId);
    if (stream === undefined) return 'busy';
    if (stream.isAttached) return 'taken';
    this.#stopIdleTimer();
    return stream.open();
  }

  /** The client has ended the connection, or has disconnected. */
  async end(reason: CloseReason): Promise<void> {
    if (this.#isOver) return;
    this.#finish();
    for (const stream of this.#streams()) stream.abort();
    // What was posted before is handed over first, unless the agent does not take it.
    await atMost(partingMs, this.#options.clock, this.#posts);
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.close(reason);
  }

  // The transport of the agent

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    this.#start(receiver);
  }

  send(batch: readonly OutgoingFrame[]): void | Promise<void> {
    if (this.#isOver) return Promise.reject(new Error('the client has disconnected'));
    for (const frame of batch) this.#route(frame);
    for (const stream of this.#streams()) stream.flush();
    if (this.#unread <= this.#options.limits.unreadSoft) return undefined;
    this.#room ??= createGate();
    return this.#room.promise.then(() => {
      if (this.#isOver) throw new Error('the client has disconnected');
    });
  }

  async close(): Promise<void> {
    this.#receiver = undefined;
    if (this.#isOver) return;
    const streams = this.#streams();
    this.#finish();
    await atMost(partingMs, this.#options.clock, Promise.all(streams.map((stream) => stream.end())));
    for (const stream of streams) stream.abort();
  }

  #whyNot(message: unknown, sessionId: string | undefined): Refusal | undefined {
    const key = requestKeyOf(message);
    const isAnswer = methodOf(message) === undefined;
    const about = isAnswer && key !== undefined ? this.#asking.get(key)?.sessionId : sessionOfCall(message);
    if (about !== undefined && sessionId === undefined) return 'no-session';
    if (about !== undefined && sessionId !== about) return 'other-session';
    const { waitingPosts, openRequests } = this.#options.limits;
    const isFull = !isAnswer && this.#asked.size >= openRequests;
    return isFull || this.#waitingPosts >= waitingPosts ? 'busy' : undefined;
  }

  /** One message after the other, each when the agent is ready for it. Settles when this one was handed over. */
  #hand(message: unknown, bytes: number): Promise<void> {
    const ready = this.#posts.then(() => this.#started);
    const handed = ready.then((receiver) => ({ behind: receiver.receive([message], bytes) }));
    this.#posts = handed.then(({ behind }) => behind);
    return handed.then(() => {});
  }

  #route(frame: OutgoingFrame): void {
    const { text, message } = frame;
    const key = requestKeyOf(message);
    if ('method' in message) {
      const cancelled = cancelledKeyOf(message);
      const sessionId =
        cancelled === undefined ? sessionOfCall(message) : this.#asking.get(cancelled)?.sessionId;
      if (key !== undefined) this.#asking.set(key, { method: message.method, sessionId });
      return this.#push(this.#streamFor(sessionId), formatEvent({ data: text }));
    }
    if (this.#opening !== undefined && key === this.#opening.key) {
      this.#opening.answer(frame);
      this.#opening = undefined;
      this.#canReattach = canReattach(message);
      return;
    }
    const request = key === undefined ? undefined : this.#asked.get(key);
    if (key !== undefined) this.#asked.delete(key);
    const announced = sessionOfAnswer(message);
    if (announced !== undefined) this.#announced.add(announced);
    this.#answer(frame, request);
  }

  #answer({ text, message }: OutgoingFrame, request: OpenRequest | undefined): void {
    const { method, sessionId } = request ?? {};
    const stream = sessionId === undefined ? undefined : this.#sessions.get(sessionId);
    if (method === 'session/load' && sessionId !== undefined) {
      // Source: ACP, remote transports: this answer is on the connection's stream.
      this.#announced.add(sessionId);
      const mark = toMark(++this.#marks);
      if (stream !== undefined) this.#push(stream, formatMark(mark));
      return this.#push(this.#own, formatEvent({ data: text, id: mark }));
    }
    this.#push(this.#streamFor(sessionId), formatEvent({ data: text }));
    if (sessionId === undefined || !endsSession(method) || 'error' in message) return;
    this.#announced.delete(sessionId);
    if (stream?.isAttached === true) void stream.end();
  }

  #push(stream: OutgoingStream, text: string): void {
    stream.push(text);
    this.#unread += text.length;
  }

  /** Where a message goes; with too many sessions that have no listener, it goes to the connection's stream. */
  #streamFor(sessionId: string | undefined): OutgoingStream {
    return (sessionId === undefined ? undefined : this.#streamOf(sessionId)) ?? this.#own;
  }

  #streamOf(sessionId: string): OutgoingStream | undefined {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    if (this.#sessions.size >= this.#options.limits.sessionStreams) return undefined;
    const stream = this.#createStream(() => {
      if ((stream.isEmpty || stream.isEnding) && this.#sessions.get(sessionId) === stream) {
        this.#sessions.delete(sessionId);
        stream.abort();
      }
    });
    this.#sessions.set(sessionId, stream);
    return stream;
  }

  /** The stream of a session that was closed gives way to that of the session's next life. */
  #release(sessionId: string): void {
    const stream = this.#sessions.get(sessionId);
    if (stream?.isEnding === true) stream.abort();
  }

  #createStream(onDetached: () => void): OutgoingStream {
    const { clock, limits } = this.#options;
    return new OutgoingStream({
      clock,
      heartbeatMs: limits.heartbeatMs,
      onTaken: (length) => {
        this.#unread -= length;
        if (this.#unread <= limits.unreadSoft / 2) this.#releaseRoom();
      },
      onDetached: () => {
        onDetached();
        this.#watchIdle();
      },
    });
  }

  #streams(): OutgoingStream[] {
    return [this.#own, ...this.#sessions.values()];
  }

  #releaseRoom(): void {
    const room = this.#room;
    this.#room = undefined;
    room?.settle();
  }

  /** A client without a stream may come back for a while. */
  #watchIdle(): void {
    this.#stopIdleTimer();
    if (this.#isOver || this.openStreams > 0) return;
    const { idleMs } = this.#options.limits;
    this.#stopIdleTimer = this.#options.clock.after(idleMs, () => {
      void this.end({ code: 'failed', message: `the client had no stream open for ${idleMs} ms` });
    });
  }

  #finish(): void {
    this.#isOver = true;
    this.#stopIdleTimer();
    this.#setOver(undefined);
    this.#releaseRoom();
    this.#options.onEnd();
  }
}

function createGate(): { readonly promise: Promise<void>; readonly settle: () => void } {
  let settle = (): void => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

/** Whether the agent says that it can load or resume sessions. */
function canReattach(initialized: unknown): boolean {
  const capabilities = memberOf(memberOf(initialized, 'result'), 'agentCapabilities');
  return (
    memberOf(capabilities, 'loadSession') === true ||
    isObject(memberOf(memberOf(capabilities, 'sessionCapabilities'), 'resume'))
  );
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** Milliseconds for the other side to handle messages in transit when the connection closes. */
const partingMs = 1000;
