import type { DeskQuestion, DeskSession } from '@parley/host/desk';
import type { DeskState } from '../desk/desk-state.ts';

/** What has happened on the desk that a person may want to be told. */
export interface DeskChange {
  readonly asked: readonly DeskQuestion[];
  /** The ids of questions that wait no longer. */
  readonly settled: readonly string[];
  /** Sessions whose turn has ended, and nothing else has begun. */
  readonly finished: readonly DeskSession[];
}

/** What has happened between two states of the desk; nothing before the first that is known. */
export function deskChange(
  before: Pick<DeskState, 'isKnown' | 'questions' | 'sessions'>,
  after: Pick<DeskState, 'isKnown' | 'questions' | 'sessions'>,
): DeskChange {
  const known = new Set(before.questions.map(({ requestId }) => requestId));
  const open = new Set(after.questions.map(({ requestId }) => requestId));
  return {
    asked: before.isKnown ? after.questions.filter(({ requestId }) => !known.has(requestId)) : [],
    settled: [...known].filter((id) => !open.has(id)),
    finished:
      before.sessions === after.sessions
        ? []
        : [...after.sessions.values()].filter((session) => {
            const earlier = before.sessions.get(session.key);
            return earlier !== undefined && isBusy(earlier) && !isBusy(session);
          }),
  };
}

function isBusy({ state }: DeskSession): boolean {
  switch (state) {
    case 'running':
    case 'waiting':
    case 'stopping':
      return true;
    case 'kept':
    case 'elsewhere':
    case 'starting':
    case 'ready':
    case 'failed':
      return false;
  }
}
