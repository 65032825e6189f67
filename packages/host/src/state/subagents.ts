import { mayCancelAfter, type StateUpdate, type SubagentSessionUpdate } from '@parley/acp';
import type { EventStamp } from '../event/logged-event.ts';
import { withState } from './copy-state.ts';
import { at, push, replace, values } from './list.ts';
import { emptyState, type SessionState, type SubagentState, type SubagentWork } from './session-state.ts';
import { get, set } from './table.ts';
import { loseTerminals } from './terminal.ts';
import { addItem, baseOf, withoutSpeaker } from './transcript/add-item.ts';
import { beginReplay, endReplay } from './transcript/replay.ts';
import { withUnknownOutcomes } from './transcript/tool-call.ts';

/** The sub-agent of that id, at any depth. */
export function subagentOf(
  { subagents, progress }: SessionState,
  sessionId: string,
): SubagentState | undefined {
  const index = get(progress.subagents, sessionId);
  return index === undefined ? undefined : at(subagents, index);
}

/** Whether a sub-agent works, or waits for a user. */
export function isWorking({ work: { state } }: Pick<SubagentState, 'work'>): boolean {
  return state === 'running' || state === 'requires_action';
}

/** The state after an event in the conversation of a sub-agent. Events of unknown sub-agents are ignored. */
export function inSubagent(
  state: SessionState,
  sessionId: string,
  stamp: EventStamp,
  change: (conversation: SessionState) => SessionState,
): SessionState {
  const subagent = subagentOf(state, sessionId);
  if (subagent === undefined) return state;
  const { seq, time } = stamp;
  const conversation = withState(change(subagent.conversation), { seq, time, clientSeq: seq });
  return withSubagent(state, { ...subagent, conversation });
}

/** A conversation of a sub-agent in which the agent replays the history, as it does without saying when it begins. */
export function whileReplaying(conversation: SessionState): SessionState {
  return conversation.progress.replay === undefined ? beginReplay(conversation) : conversation;
}

/**
 * The state after a parent announced a sub-agent, or reported a change to it.
 *
 * @param parentId The sub-agent that is the parent. @default the session itself
 */
export function takeSubagent(
  state: SessionState,
  update: SubagentSessionUpdate,
  stamp: EventStamp,
  parentId?: string,
): SessionState {
  const known = subagentOf(state, update.sessionId);
  if (known !== undefined) {
    return known.parentId === parentId ? withSubagent(state, patched(known, update, state, stamp)) : state;
  }
  const { sessionId } = update;
  const { time } = stamp;
  const index = state.subagents.length;
  const announced: SubagentState = {
    sessionId,
    ...(parentId !== undefined && { parentId }),
    mayCancel: false,
    work: { state: 'unknown', since: time },
    announcedAt: time,
    conversation: { ...emptyState, sessionId, startedAt: time, phase: 'ready' },
  };
  const added = withState(state, {
    subagents: push(state.subagents, patched(announced, update, state, stamp)),
    progress: { ...state.progress, subagents: set(state.progress.subagents, sessionId, index) },
  });
  const show = (conversation: SessionState): SessionState => {
    const item = { kind: 'subagent', ...baseOf(conversation, stamp), sessionId } as const;
    return addItem(withoutSpeaker(conversation), item, sessionId);
  };
  return parentId === undefined ? show(added) : inSubagent(added, parentId, stamp, show);
}

/** The state after the session was opened again, or its agent exited: the work of sub-agents becomes history. */
export function withPastSubagents(state: SessionState, { time }: EventStamp): SessionState {
  let past = state;
  for (const subagent of values(state.subagents)) {
    const { work, mayCancel } = subagent;
    const conversation = abandoned(subagent.conversation);
    if (!mayCancel && !isWorking(subagent) && conversation === subagent.conversation) continue;
    past = withSubagent(past, {
      ...subagent,
      mayCancel: false,
      conversation,
      ...(isWorking(subagent) && { work: { ...work, state: 'unknown', since: time } }),
    });
  }
  return past;
}

/** A conversation after its agent exited or opened the session again: open items get an unknown outcome. */
function abandoned(conversation: SessionState): SessionState {
  return withUnknownOutcomes(loseTerminals(endReplay(conversation)), 0);
}

function withSubagent(state: SessionState, subagent: SubagentState): SessionState {
  const index = get(state.progress.subagents, subagent.sessionId);
  return index === undefined
    ? state
    : withState(state, { subagents: replace(state.subagents, index, subagent) });
}

/** Absent fields stay, `null` clears, and a value replaces the whole. */
function patched(
  { title, description, cwd, additionalDirectories, ...before }: SubagentState,
  update: SubagentSessionUpdate,
  { agentLife }: SessionState,
  { time }: EventStamp,
): SubagentState {
  // Before the session is open, its history is replayed, which says nothing of what holds now.
  const isHistory = agentLife.idlePhase === 'starting';
  const { state } = update;
  const now = {
    title: update.title === undefined ? title : (update.title ?? undefined),
    description: update.description === undefined ? description : (update.description ?? undefined),
    cwd: update.cwd === undefined ? cwd : (update.cwd ?? undefined),
    additionalDirectories:
      update.additionalDirectories === undefined
        ? additionalDirectories
        : (update.additionalDirectories ?? undefined),
  };
  return {
    ...before,
    ...(now.title !== undefined && { title: now.title }),
    ...(now.description !== undefined && { description: now.description }),
    ...(now.cwd !== undefined && { cwd: now.cwd }),
    ...(now.additionalDirectories !== undefined && { additionalDirectories: now.additionalDirectories }),
    mayCancel: mayCancelAfter(before.mayCancel, update, isHistory),
    ...(state !== undefined && { work: toWork(before.work, state, time, isHistory) }),
  };
}

function toWork(
  before: SubagentWork,
  update: StateUpdate | null,
  time: number,
  isHistory: boolean,
): SubagentWork {
  const named = update === null ? 'unknown' : nameOf(update);
  const state = isHistory && isWorking({ work: { state: named, since: time } }) ? 'unknown' : named;
  const since = before.state === state ? before.since : time;
  const wasWorking = isWorking({ work: before });
  const startedAt = isWorking({ work: { state, since } }) && !wasWorking ? time : before.startedAt;
  const work = { state, since, ...(startedAt !== undefined && { startedAt }) };
  if (update?.state !== 'idle') return work;
  const { usage } = update;
  return {
    ...work,
    ...(update.stopReason !== undefined && { stopReason: stopReasonOf(update) }),
    ...(update.stopReason === 'error' &&
      update.error !== undefined && {
        error: { code: update.error.code, message: update.error.message },
      }),
    ...(usage !== undefined && { usage }),
  };
}

function nameOf(update: StateUpdate): string {
  return update.state === 'other' ? String(update.raw['state']) : update.state;
}

function stopReasonOf(update: Extract<StateUpdate, { readonly state: 'idle' }>): string {
  return update.stopReason === 'unknown' ? String(update.raw['stopReason']) : (update.stopReason ?? '');
}
