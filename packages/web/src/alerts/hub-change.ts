import type { HubQuestion, HubSession } from '@parley/host/hub';
import type { HubState } from '../hub/hub-state.ts';

/** What has happened on the hub that may be announced. */
export interface HubChange {
  readonly asked: readonly HubQuestion[];
  /** The ids of questions that wait no longer. */
  readonly settled: readonly string[];
  /** Sessions whose turn has ended and that are idle. */
  readonly finished: readonly HubSession[];
}

/** The changes between two states of the hub; none before the first known state. */
export function hubChange(
  before: Pick<HubState, 'isKnown' | 'questions' | 'sessions'>,
  after: Pick<HubState, 'isKnown' | 'questions' | 'sessions'>,
): HubChange {
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

function isBusy({ state }: HubSession): boolean {
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
