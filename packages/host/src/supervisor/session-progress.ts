import type { HostEvent } from '../event/host-event.ts';
import type { SessionState } from '../event/session-event.ts';

/** Where a session stands. */
export interface SessionProgress {
  readonly state: SessionState;
  /** The questions that wait for an answer, by their requests' ids. */
  readonly questions: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/** Where a session begins. */
export const newSession: SessionProgress = { state: 'starting', questions: none };

/** Where a session stands after an event of its own. Its agent is started again should it end. */
export function progressAfter(before: SessionProgress, event: HostEvent): SessionProgress {
  switch (event.type) {
    case 'session':
      return newSession;
    case 'session-ready':
      return { state: 'ready', questions: none };
    case 'session-end':
      return { state: toEndState(event.reason), questions: none };
    case 'turn-start':
      return { state: 'running', questions: none };
    case 'turn-cancel':
      // When the agent is gone, what comes next is its start.
      return before.state === 'starting' ? before : { ...before, state: 'stopping' };
    case 'turn-end':
      return before.state === 'starting' ? before : { state: 'ready', questions: none };
    case 'permission-request':
    case 'elicitation-request':
      return asking(before, new Set([...before.questions, event.requestId]));
    case 'permission':
    case 'elicitation':
      return asking(before, new Set([...before.questions].filter((id) => id !== event.requestId)));
    default:
      // Nothing else changes where a session stands.
      return before;
  }
}

function asking({ state }: SessionProgress, questions: ReadonlySet<string>): SessionProgress {
  if (state !== 'running' && state !== 'waiting') return { state, questions };
  return { state: questions.size > 0 ? 'waiting' : 'running', questions };
}

function toEndState(reason: 'closed' | 'agent-ended' | 'not-opened'): SessionState {
  switch (reason) {
    case 'closed':
      return 'closed';
    case 'agent-ended':
      return 'starting';
    case 'not-opened':
      return 'failed';
  }
}
