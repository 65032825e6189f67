import type { HostEvent } from '@parley/host';

/** The message when the agent ended by itself and is restarted. */
export function toRestartText(event: HostEvent): string | undefined {
  switch (event.type) {
    case 'agent-restart': {
      const { attempt, attempts, delayMs } = event;
      if (attempt === 1) return 'the agent exited; restarting it';
      const wait = delayMs === 0 ? '' : ` in ${String(delayMs / 1000)} s`;
      return `the agent could not be restarted; next attempt${wait} (${String(attempt)} of ${String(attempts)})`;
    }
    case 'agent-given-up':
      return event.message;
    case 'session-recovered':
      return event.by === 'new'
        ? 'the agent was restarted, but could not resume the session; a new one was started'
        : 'the agent was restarted, and the session continues';
    default:
      // Nothing else is about a restart.
      return undefined;
  }
}
