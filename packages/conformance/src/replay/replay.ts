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
  { file, index }: { readonly file: FileHandle; readonly index: RecordingIndex },
  transport: Transport,
  options: ReplayOptions = {},
): Promise<void> {
  const { speed = Infinity, strict = false, clock = systemClock, onDeparture } = options;
  const ended = new AbortController();
  const { signal } = ended;
  const players = new Map<string, LanePlayer>();
  /** By the ids that the client uses. */
  const bySession = new Map<string, LanePlayer>();
  const playing: Promise<void>[] = [];
  const waiting = new Map<number, (answer: JsonObject | undefined) => void>();
  const methods = new Set([...index.values()].flatMap(({ steps }) => steps.map(({ method }) => method)));
  let lastId = 0;
  const failures: Error[] = [];

  function fail(error: unknown): void {
    // What fails because it ended is no failure.
    if (!signal.aborted) failures.push(error instanceof Error ? error : new Error(String(error)));
    ended.abort();
  }

  const stage: Stage = {
    clock,
    speed,
    isStrict: strict,
    signal,
    read: (step: Step) => readStep(file, step),
    send,
    ask(message: JsonObject): Asked {
      lastId += 1;
      const id = lastId;
      const answer = new Promise<JsonObject | undefined>((resolve) => {
        waiting.set(id, resolve);
      });
      return { id, isSent: send({ ...message, id }), answer };
    },
    async refuse({ id, method }: LiveCall, why: string): Promise<void> {
      depart(why);
      if (id === undefined) return;
      const code = methods.has(method) ? -32600 : -32601;
      await send({ jsonrpc: '2.0', id, error: { code, message: `replay: ${why}` } });
    },
    open({ opens = '', request }: Step, cwd: string | undefined): void {
      const player = players.get(opens);
      if (player === undefined) return;
      if (request?.cwd !== undefined && cwd !== undefined) player.rewrite.cwd(request.cwd, cwd);
      start(player, opens);
    },
    depart,
  };

  function depart(what: string): void {
    if (signal.aborted) return;
    onDeparture?.(what);
    if (strict) ended.abort();
  }

  async function send(message: JsonObject): Promise<void> {
    if (signal.aborted) return;
    await transport.send([{ text: JSON.stringify(message), message: envelope }]);
  }

  function start(player: LanePlayer, session: string): void {
    if (bySession.get(session) === player) return;
    bySession.set(session, player);
    playing.push(player.play().catch(fail));
  }

  /** A session that the client knew before, be it under another id. */
  function bind(session: string, method: string): LanePlayer | undefined {
    const lanes = [...index.values()].filter(
      (lane) => lane.openedBy === undefined && lane.session !== undefined,
    );
    const free = lanes.filter((lane) => {
      const player = players.get(lane.session ?? '');
      return player?.firstMethod === method && ![...bySession.values()].includes(player);
    });
    const lane = free.find((each) => each.session === session) ?? free[0];
    const player = players.get(lane?.session ?? '');
    if (lane?.session === undefined || player === undefined) return undefined;
    player.rewrite.id(lane.session, session);
    start(player, session);
    return player;
  }

  async function take(message: unknown): Promise<void> {
    const view = viewMessage(message);
    switch (view.kind) {
      case 'request':
      case 'notification': {
        const { method, params } = view;
        if (method === '$/cancel_request') {
          const id = valueAt(params, 'requestId');
          for (const each of bySession.values()) if (await each.cancelRequest(id)) break;
          return;
        }
        const session = sessionOf(params) ?? '';
        const player = bySession.get(session) ?? bind(session, method);
        const call = { method, params, ...(view.kind === 'request' && { id: view.id }) };
        if (player !== undefined) return player.take(call);
        return stage.refuse(call, `the recording has no ${method} of such a session`);
      }
      case 'result':
      case 'error': {
        const id = typeof view.id === 'number' ? view.id : 0;
        const settle = waiting.get(id);
        waiting.delete(id);
        if (isJsonObject(message)) settle?.(message);
        if (settle === undefined) depart(`the client answered ${idKey(view.id)}, which was never asked`);
        return;
      }
      case 'unknown':
        depart('the client said something that is no message');
    }
  }

  async function takeAll(batch: readonly unknown[]): Promise<void> {
    try {
      for (const message of batch) await take(message);
    } catch (error) {
      fail(error);
    }
  }

  for (const [session, lane] of index) players.set(session, new LanePlayer(lane, stage));
  let reason: CloseReason = { code: 'local', message: 'the replay ended' };
  transport.start({
    receive: takeAll,
    close(why) {
      reason = why;
      const [unsaid] = [...players.values()].flatMap((player) => player.unsaid ?? []);
      if (strict && unsaid !== undefined) depart(`the client left before ${unsaid}`);
      ended.abort();
    },
  });
  for (const [session, player] of players) if (session === '') start(player, session);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  for (const settle of waiting.values()) settle(undefined);
  await transport.close(reason);
  await Promise.all(playing);
  const [failure] = failures;
  if (failure !== undefined) throw failure;
}

/** A placeholder for transports that route by message; those used here do not. */
const envelope: Message = { jsonrpc: '2.0', method: 'replay' };
