import type { LoggedEvent } from '../event/logged-event.ts';

/** What is open at the end of an event log. */
export interface Unfinished {
  /** A turn that has no end. */
  readonly turnId?: string;
  /** A session of the agent's that has no end. */
  readonly sessionId?: string;
}

/** What is open after one more event. */
export function unfinishedAfter(before: Unfinished, event: LoggedEvent): Unfinished {
  switch (event.type) {
    case 'turn-start':
      return { ...before, turnId: event.turnId };
    case 'turn-end':
      return event.turnId === before.turnId ? withoutTurn(before) : before;
    case 'session':
      return { ...before, sessionId: event.sessionId };
    case 'session-end':
      return withoutSession(before);
    case 'interruption':
      return {};
    case 'journal-start':
    case 'agent-start':
    case 'agent-end':
    case 'agent-restart':
    case 'agent-given-up':
    case 'session-ready':
    case 'session-recovered':
    case 'settings':
    case 'turn-timeout':
    case 'turn-cancel':
    case 'update':
    case 'aap':
    case 'changes':
    case 'changes-undone':
    case 'changes-redone':
    case 'hunks-kept':
    case 'hunks-reverted':
    case 'changes-committed':
    case 'permission-request':
    case 'permission':
    case 'elicitation-request':
    case 'elicitation':
    case 'file-write':
    case 'terminal-start':
    case 'terminal-end':
    case 'diagnostic':
    case 'omission':
    case 'unknown':
      return before;
  }
}

function withoutTurn({ sessionId }: Unfinished): Unfinished {
  return sessionId === undefined ? {} : { sessionId };
}

function withoutSession({ turnId }: Unfinished): Unfinished {
  return turnId === undefined ? {} : { turnId };
}
