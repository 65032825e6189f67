import type { HostEvent } from '@parley/host';
import type { Log } from './log.ts';

/** Whose event it is. */
export interface EventPlace {
  readonly agent: string;
  readonly sessionId: string | undefined;
}

/** Logs what an operator wants to know of an agent: that it ended by itself, and what is wrong with it. */
export function logAgentEvent(log: Log, event: HostEvent, { agent, sessionId }: EventPlace): void {
  if (event.type === 'agent-end' && !event.expected) {
    log.warn('the agent ended', { agent, sessionId, exitCode: event.exitCode, signal: event.signal });
  } else if (event.type === 'diagnostic' && event.level !== 'info') {
    log.warn(event.message, { agent, sessionId, code: event.code });
  }
}
