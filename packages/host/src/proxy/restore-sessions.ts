import { RpcError, valueAt, type Clock, type RequestMessage } from '@parley/wire';
import type { ProxiedConnection } from './proxied-connection.ts';
import type { ProxiedSession, ProxiedSessions } from './proxied-sessions.ts';
import { toHub } from './to-hub.ts';

/** Options of {@link restoreSessions}. */
export interface RestoreOptions {
  /** Whether the agent is a hub, which sends missed events. */
  readonly isHub: boolean;
  /** As the client sent it. */
  readonly initialize: RequestMessage | undefined;
  readonly report: (message: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Replaces a lost connection: initializes a new one like the client did, and reopens its sessions. A session that
 * cannot be reopened is forgotten; using it gives the agent's own error.
 *
 * @throws The new connection was lost, or a response took too long.
 */
export async function restoreSessions(
  connection: ProxiedConnection,
  sessions: ProxiedSessions,
  { isHub, initialize, report, clock, signal }: RestoreOptions,
): Promise<void> {
  const ask = (method: string, params: unknown): Promise<unknown> =>
    inTime(connection.ask(method, params), method, clock, signal);
  const first = isHub && initialize !== undefined ? toHub(initialize, sessions) : initialize;
  const way = wayBack(await ask('initialize', valueAt(first, 'params')));
  for (const session of sessions.open) {
    try {
      if (way === undefined) throw new RpcError(0, 'the agent can neither resume nor load');
      if (isHub) await ask(way, { ...session, _meta: sessions.missing(session.sessionId) });
      else await reopen(connection, session, () => ask(way, session));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      sessions.forget(session.sessionId);
      report(`session ${session.sessionId} could not be opened again: ${error.message}`);
    }
  }
}

/** Reopens a session. The client already has what `session/load` replays. */
async function reopen(
  connection: ProxiedConnection,
  { sessionId }: ProxiedSession,
  run: () => Promise<unknown>,
): Promise<void> {
  await connection.whileMuted(sessionId, run);
}

function wayBack(initialized: unknown): 'session/resume' | 'session/load' | undefined {
  const capabilities = valueAt(initialized, 'agentCapabilities');
  const resume = valueAt(capabilities, 'sessionCapabilities', 'resume');
  if (typeof resume === 'object' && resume !== null) return 'session/resume';
  return valueAt(capabilities, 'loadSession') === true ? 'session/load' : undefined;
}

function inTime(
  answer: Promise<unknown>,
  method: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stopTimer = clock.after(answerMs, () => {
      reject(new Error(`${method}: no answer in ${answerMs} ms`));
    });
    const onAbort = (): void => {
      reject(new Error(`${method}: aborted`));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const stop = (): void => {
      stopTimer();
      signal.removeEventListener('abort', onAbort);
    };
    answer.finally(stop).then(resolve, reject);
  });
}

/** Milliseconds for each response of the agent. */
const answerMs = 60_000;
