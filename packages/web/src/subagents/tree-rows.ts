import { values, type SessionState, type SubagentState } from '@parley/host/state';

/** A row of the tree. */
export interface TreeRow {
  readonly subagent: SubagentState;
  /** How many sub-agents are above it. */
  readonly depth: number;
}

/** The sub-agents of a session as rows, each under the one that it works for. */
export function treeRows({ subagents }: Pick<SessionState, 'subagents'>): readonly TreeRow[] {
  const children = new Map<string | undefined, SubagentState[]>();
  for (const subagent of values(subagents)) {
    const siblings = children.get(subagent.parentId);
    if (siblings === undefined) children.set(subagent.parentId, [subagent]);
    else siblings.push(subagent);
  }
  const rows: TreeRow[] = [];
  const waiting: TreeRow[] = toRows(children.get(undefined), 0);
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    rows.push(row);
    waiting.push(...toRows(children.get(row.subagent.sessionId), row.depth + 1));
  }
  return rows;
}

/** The last first: they are taken from the end. */
function toRows(subagents: readonly SubagentState[] = [], depth: number): TreeRow[] {
  return subagents.map((subagent) => ({ subagent, depth })).toReversed();
}
