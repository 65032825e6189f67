import type { HostEvent } from '@parley/host';

/** The message when the agent ended by itself and is restarted. */
export function toRestartText(event: HostEvent): string | undefined {
  switch (event.type) {
    case 'agent-restart': {
      const { attempt, attempts, delayMs } = event;
      if (attempt === 1) return 'the agent has ended by itself; it is being started again';
      const wait = delayMs === 0 ? '' : ` in ${String(delayMs / 1000)} s`;
      return `the agent could not be started again; one more attempt${wait} (${String(attempt)} of ${String(attempts)})`;
    }
    case 'agent-given-up':
      return event.message;
    case 'session-recovered':
      return event.by === 'new'
        ? 'the agent is there again, but cannot go on with the session: a new one has begun'
        : 'the agent is there again, and the session goes on';
    default:
      // Nothing else is about a restart.
      return undefined;
  }
}
