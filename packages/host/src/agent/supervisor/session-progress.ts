import type { HostEvent } from '../../event/host-event.ts';
import type { SessionPhase } from '../../event/session-event.ts';

/** Where a session stands. */
export interface SessionProgress {
  readonly state: SessionPhase;
  /** The questions that wait for an answer, by their requests' ids. */
  readonly questions: ReadonlySet<string>;
  /** It was open until its agent ended: there is another way to open it again, and at last a new one. */
  readonly wasOpen?: true;
}

const none: ReadonlySet<string> = new Set();

/** Where a session begins. */
export const newSession: SessionProgress = { state: 'starting', questions: none };

/** Where a session stands after an event of its own. Its agent is started again should it end. */
export function progressAfter(before: SessionProgress, event: HostEvent): SessionProgress {
  switch (event.type) {
    case 'session':
      return before.wasOpen === true ? { ...newSession, wasOpen: true } : newSession;
    case 'session-ready':
      return { state: 'ready', questions: none };
    case 'session-end':
      return ended(before, event.reason);
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

function asking(before: SessionProgress, questions: ReadonlySet<string>): SessionProgress {
  if (before.state !== 'running' && before.state !== 'waiting') return { ...before, questions };
  return { state: questions.size > 0 ? 'waiting' : 'running', questions };
}

function ended(before: SessionProgress, reason: 'closed' | 'agent-ended' | 'not-opened'): SessionProgress {
  switch (reason) {
    case 'closed':
      return { state: 'closed', questions: none };
    case 'agent-ended':
      return { state: 'starting', questions: none, wasOpen: true };
    case 'not-opened':
      // The caller that tries reports whether nothing else opens it.
      return before.wasOpen === true ? { ...before, questions: none } : { state: 'failed', questions: none };
  }
}
