import type { AapServer, ServerEvent } from '@parley/aap/server';
import type { AnsweredRequest, Metrics } from '@parley/gateway';
import type { LimitedPool } from '@parley/host';
import { messageOf, type Log } from './log.ts';

/** What happens on a server, in its metrics and its log. */
export interface ServerReports {
  /** A turn of a session begins; what is returned is called when it ends. */
  beginTurn(agent: string, sessionId: string): (stopReason: string) => void;
  /** Something happened in a session of an application. */
  take(event: ServerEvent): void;
  answered(answered: AnsweredRequest): void;
}

/** Reports to these metrics and this log. */
export function serverReports(metrics: Metrics, log: Log): ServerReports {
  return {
    beginTurn: (agent, sessionId) => {
      const begun = performance.now();
      metrics.turnStart(agent);
      return (stopReason) => {
        const ms = performance.now() - begun;
        metrics.turnStop(agent, { stopReason, ms });
        log.info('turn', { agent, sessionId, stopReason, ms: Math.round(ms) });
      };
    },
    take: (event) => {
      takeEvent(event, metrics, log);
    },
    answered: (answered) => {
      metrics.request(answered);
      logRequest(answered, log);
    },
  };
}

function takeEvent(event: ServerEvent, metrics: Metrics, log: Log): void {
  switch (event.type) {
    case 'turn-start':
      metrics.turnStart(event.agent);
      break;
    case 'first-event':
      metrics.firstEvent(event.agent, event.ms);
      break;
    case 'turn-stop': {
      const { agent, sessionId, turnId, stopReason, detail, ms } = event;
      metrics.turnStop(agent, event);
      log.info('turn', { agent, sessionId, turnId, stopReason, detail, ms: Math.round(ms) });
      break;
    }
    case 'fault':
      log.error(event.message, { requestId: event.requestId, error: messageOf(event.cause) });
      break;
  }
}

function logRequest(
  { requestId, method, path: target, status, ms, principal }: AnsweredRequest,
  log: Log,
): void {
  // A liveness check comes every few seconds.
  if (target === '/healthz' || target === '/readyz') return;
  // A page brings a dozen of them.
  if (target.startsWith('/assets/') && status < 400) return;
  log.info('request', { requestId, method, path: target, status, ms: Math.round(ms), token: principal });
}

/** The processes of agents, for the metrics. */
export function processesIn({ taken, idle, waiting }: LimitedPool): {
  used: number;
  idle: number;
  waiting: number;
} {
  return { used: taken - idle, idle, waiting };
}

/** The tool calls that wait for applications, for the metrics. */
export async function pendingIn(aap: AapServer): Promise<{ calls: number; oldestMs: number }> {
  const { waitingCalls } = await aap.status();
  const since = waitingCalls.map((call) => Date.parse(call.since));
  return { calls: since.length, oldestMs: Math.max(0, Date.now() - Math.min(...since, Infinity)) };
}
