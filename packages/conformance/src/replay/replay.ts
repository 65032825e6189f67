import type { FileHandle } from 'node:fs/promises';
import { idKey, sessionOf, viewMessage } from '@parley/recording';
import {
  type Clock,
  type CloseReason,
  isJsonObject,
  type JsonObject,
  type Message,
  systemClock,
  type Transport,
  valueAt,
} from '@parley/wire';
import { LanePlayer } from './lane-player.ts';
import { readStep, type RecordingIndex, type Step } from './recording-index.ts';
import type { Asked, LiveCall, Stage } from './stage.ts';

/** Options of a replay. */
export interface ReplayOptions {
  /** Factor of the recorded speed. @default Infinity */
  readonly speed?: number;
  /** Whether the first difference ends the replay, and texts of the client are compared too. @default false */
  readonly strict?: boolean;
  /** Receives each difference between client and recording. */
  readonly onDeparture?: (what: string) => void;
  readonly clock?: Clock;
}

/**
 * The agent of a recording, at its end of a transport. Settles when the client closed the other one, or at the first
 * departure of a strict replay.
 */
export async function replay(
  recording: ReplayedRecording,
  transport: Transport,
  options: ReplayOptions = {},
): Promise<void> {
  await new Replay(recording, transport, options).run();
}

/** An open recording. */
export interface ReplayedRecording {
  readonly file: FileHandle;
  readonly index: RecordingIndex;
}

class Replay implements Stage {
  readonly clock: Clock;
  readonly speed: number;
  readonly isStrict: boolean;
  readonly #file: FileHandle;
  readonly #index: RecordingIndex;
  readonly #transport: Transport;
  readonly #onDeparture: ((what: string) => void) | undefined;
  readonly #ended = new AbortController();
  readonly #players: ReadonlyMap<string, LanePlayer>;
  /** By the ids that the client uses. */
  readonly #bySession = new Map<string, LanePlayer>();
  readonly #playing: Promise<void>[] = [];
  /** What waits for answers of the client, by the ids of requests. */
  readonly #waiting = new Map<number, (answer: JsonObject | undefined) => void>();
  /** The methods that the recording has. */
  readonly #methods: ReadonlySet<string>;
  readonly #failures: Error[] = [];
  #lastId = 0;

  constructor(
    { file, index }: ReplayedRecording,
    transport: Transport,
    { speed = Infinity, strict = false, clock = systemClock, onDeparture }: ReplayOptions,
  ) {
    this.clock = clock;
    this.speed = speed;
    this.isStrict = strict;
    this.#file = file;
    this.#index = index;
    this.#transport = transport;
    this.#onDeparture = onDeparture;
    this.#methods = new Set([...index.values()].flatMap(({ steps }) => steps.map(({ method }) => method)));
    this.#players = new Map(Array.from(index, ([session, lane]) => [session, new LanePlayer(lane, this)]));
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  async run(): Promise<void> {
    let reason: CloseReason = { code: 'local', message: 'the replay ended' };
    this.#transport.start({
      receive: (batch) => this.#takeAll(batch),
      close: (why) => {
        reason = why;
        const [unsaid] = [...this.#players.values()].flatMap((player) => player.unsaid ?? []);
        if (this.isStrict && unsaid !== undefined) this.depart(`the client left before ${unsaid}`);
        this.#ended.abort();
      },
    });
    for (const [session, player] of this.#players) if (session === '') this.#start(player, session);
    await new Promise<void>((resolve) => {
      if (this.signal.aborted) resolve();
      this.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    for (const settle of this.#waiting.values()) settle(undefined);
    await this.#transport.close(reason);
    await Promise.all(this.#playing);
    const [failure] = this.#failures;
    if (failure !== undefined) throw failure;
  }

  read(step: Step): ReturnType<Stage['read']> {
    return readStep(this.#file, step);
  }

  async send(message: JsonObject): Promise<void> {
    if (this.signal.aborted) return;
    await this.#transport.send([{ text: JSON.stringify(message), message: envelope }]);
  }

  ask(message: JsonObject): Asked {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<JsonObject | undefined>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    return { id, isSent: this.send({ ...message, id }), answer };
  }

  async refuse({ id, method }: LiveCall, why: string): Promise<void> {
    this.depart(why);
    if (id === undefined) return;
    const code = this.#methods.has(method) ? -32600 : -32601;
    await this.send({ jsonrpc: '2.0', id, error: { code, message: `replay: ${why}` } });
  }

  open({ opens = '', request }: Step, cwd: string | undefined): void {
    const player = this.#players.get(opens);
    if (player === undefined) return;
    if (request?.cwd !== undefined && cwd !== undefined) player.rewrite.cwd(request.cwd, cwd);
    this.#start(player, opens);
  }

  depart(what: string): void {
    if (this.signal.aborted) return;
    this.#onDeparture?.(what);
    if (this.isStrict) this.#ended.abort();
  }

  #fail(error: unknown): void {
    // What fails because it ended is no failure.
    if (!this.signal.aborted) {
      this.#failures.push(error instanceof Error ? error : new Error(String(error)));
    }
    this.#ended.abort();
  }

  #start(player: LanePlayer, session: string): void {
    if (this.#bySession.get(session) === player) return;
    this.#bySession.set(session, player);
    this.#playing.push(
      player.play().catch((error: unknown) => {
        this.#fail(error);
      }),
    );
  }

  /** A session that the client knew before, be it under another id. */
  #bind(session: string, method: string): LanePlayer | undefined {
    const lanes = [...this.#index.values()].filter(
      (lane) => lane.openedBy === undefined && lane.session !== undefined,
    );
    const free = lanes.filter((lane) => {
      const player = this.#players.get(lane.session ?? '');
      return player?.firstMethod === method && ![...this.#bySession.values()].includes(player);
    });
    const lane = free.find((each) => each.session === session) ?? free[0];
    const player = this.#players.get(lane?.session ?? '');
    if (lane?.session === undefined || player === undefined) return undefined;
    player.rewrite.id(lane.session, session);
    this.#start(player, session);
    return player;
  }

  async #takeAll(batch: readonly unknown[]): Promise<void> {
    try {
      for (const message of batch) await this.#take(message);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #take(message: unknown): Promise<void> {
    const view = viewMessage(message);
    switch (view.kind) {
      case 'request':
      case 'notification':
        return this.#takeCall({
          method: view.method,
          params: view.params,
          ...(view.kind === 'request' && { id: view.id }),
        });
      case 'result':
      case 'error': {
        const id = typeof view.id === 'number' ? view.id : 0;
        const settle = this.#waiting.get(id);
        this.#waiting.delete(id);
        if (isJsonObject(message)) settle?.(message);
        if (settle === undefined) this.depart(`the client answered ${idKey(view.id)}, which was never asked`);
        return;
      }
      case 'unknown':
        this.depart('the client said something that is no message');
    }
  }

  async #takeCall(call: LiveCall): Promise<void> {
    const { method, params } = call;
    if (method === '$/cancel_request') {
      const id = valueAt(params, 'requestId');
      for (const each of this.#bySession.values()) if (await each.cancelRequest(id)) break;
      return;
    }
    const session = sessionOf(params) ?? '';
    const player = this.#bySession.get(session) ?? this.#bind(session, method);
    if (player !== undefined) return player.take(call);
    return this.refuse(call, `the recording has no ${method} of such a session`);
  }
}

/** A placeholder for transports that route by message; those used here do not. */
const envelope: Message = { jsonrpc: '2.0', method: 'replay' };
