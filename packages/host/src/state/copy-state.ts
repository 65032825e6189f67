import type { SessionState } from './session-state.ts';

/** A state that was made just now and has no other user yet: its fields may be assigned. */
export type StateDraft = { -readonly [Name in keyof SessionState]: SessionState[Name] };

/**
 * A copy of a state, field by field. To V8 of Node 20, each copy of a copy that a spread makes is an object of a new kind: that
 * costs ten times as much, and slows down what reads its fields. States are copied for each event.
 */
export function copyState(state: SessionState): StateDraft {
  const copy: StateDraft = {
    seq: state.seq,
    time: state.time,
    clientSeq: state.clientSeq,
    startedAt: state.startedAt,
    phase: state.phase,
    agentLife: state.agentLife,
    additionalDirectories: state.additionalDirectories,
    questions: state.questions,
    items: state.items,
    turns: state.turns,
    terminals: state.terminals,
    subagents: state.subagents,
    changes: state.changes,
    usage: state.usage,
    commands: state.commands,
    progress: state.progress,
  };
  if (state.key !== undefined) copy.key = state.key;
  if (state.agent !== undefined) copy.agent = state.agent;
  if (state.cwd !== undefined) copy.cwd = state.cwd;
  if (state.worktree !== undefined) copy.worktree = state.worktree;
  // That there is none any more is written out.
  if ('sandbox' in state) copy.sandbox = state.sandbox;
  if (state.sessionId !== undefined) copy.sessionId = state.sessionId;
  if (state.title !== undefined) copy.title = state.title;
  if (state.firstPrompt !== undefined) copy.firstPrompt = state.firstPrompt;
  if (state.lastTurn !== undefined) copy.lastTurn = state.lastTurn;
  if (state.plan !== undefined) copy.plan = state.plan;
  if (state.modes !== undefined) copy.modes = state.modes;
  if (state.configOptions !== undefined) copy.configOptions = state.configOptions;
  if (state.models !== undefined) copy.models = state.models;
  return copy;
}

/** A state with some fields changed. */
export function withState(state: SessionState, fields: Partial<SessionState>): SessionState {
  return Object.assign(copyState(state), fields);
}
