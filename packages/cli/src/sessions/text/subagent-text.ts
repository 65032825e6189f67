import {
  subagentOf,
  type SessionMessageItem,
  type SessionState,
  type SubagentState,
} from '@parley/host/state';
import { toPlainLine } from '../../output/plain.ts';

/** What a sub-agent is called, by its newest title. */
function toSubagentTitle({ title, sessionId }: Pick<SubagentState, 'title' | 'sessionId'>): string {
  const plain = toPlainLine(title ?? '');
  return plain === '' ? toPlainLine(sessionId) : plain;
}

/** What the line of a sub-agent says. */
export interface NamedSubagent extends Pick<SubagentState, 'title' | 'sessionId'> {
  readonly work: Pick<SubagentState['work'], 'state' | 'stopReason'>;
}

/** A sub-agent in one line: its title, and what it does. */
export function toSubagentLine(subagent: NamedSubagent): string {
  const { state, stopReason } = subagent.work;
  const why = stopReason === undefined ? '' : `: ${toPlainLine(stopReason)}`;
  return `Sub-agent "${toSubagentTitle(subagent)}" (${toPlainLine(state)}${why})`;
}

/** Who sends a message between two sessions, and who receives it. */
export function toParticipants({ sender, recipient }: SessionMessageItem, root: SessionState): string {
  return [sender, recipient]
    .map((sessionId) => {
      if (sessionId === undefined) return '?';
      const subagent = subagentOf(root, sessionId);
      return subagent === undefined ? 'the session' : `"${toSubagentTitle(subagent)}"`;
    })
    .join(' → ');
}
