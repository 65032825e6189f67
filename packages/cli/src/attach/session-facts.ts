import type { SessionWorktree } from '@parley/host';
import type { SessionEvent } from '../hub/hub-client.ts';

/** A turn of a session. */
export interface AttachedTurn {
  readonly id: string;
  /** From 1. */
  readonly number: number;
  /** As the client that sent it named the prompt. */
  readonly promptId?: string;
  /** A question needed a user, and none could answer. */
  readonly wasUnanswered: boolean;
}

/** What is known of a session by its events so far. */
export interface SessionFacts {
  /** The last event's number. */
  readonly seq: number;
  /** The number of the event by which it was opened last. */
  readonly openedBy?: number;
  readonly agent: { readonly name: string; readonly version: string };
  readonly protocolVersion: number;
  readonly cwd: string;
  readonly worktree?: SessionWorktree;
  /** What its agent calls it. */
  readonly agentSessionId?: string;
  /** How many turns have begun. */
  readonly turns: number;
  /** The one that runs. */
  readonly turn?: AttachedTurn;
  /** It was closed, and not opened since. */
  readonly isClosed: boolean;
}

/** Before the first event. */
export const noFacts: SessionFacts = {
  seq: 0,
  agent: { name: '', version: noVersion() },
  protocolVersion: 1,
  cwd: '',
  turns: 0,
  isClosed: false,
};

/** The facts after an event. */
export function factsAfter(before: SessionFacts, event: SessionEvent): SessionFacts {
  const facts = { ...before, seq: event.seq };
  switch (event.type) {
    case 'journal-start':
      return { ...facts, agent: { name: event.agent, version: noVersion() }, cwd: event.cwd };
    case 'agent-start': {
      const { info, protocolVersion, agent } = event;
      return {
        ...facts,
        protocolVersion,
        agent: { name: info?.name ?? agent, version: info?.version ?? noVersion() },
      };
    }
    case 'session':
      return {
        ...facts,
        openedBy: event.seq,
        agentSessionId: event.sessionId,
        cwd: event.cwd,
        ...(event.worktree !== undefined && { worktree: event.worktree }),
        isClosed: false,
      };
    case 'session-end':
      return { ...facts, isClosed: event.reason === 'closed' };
    case 'turn-start': {
      const { turnId: id, promptId } = event;
      const number = facts.turns + 1;
      const turn = { id, number, wasUnanswered: false, ...(promptId !== undefined && { promptId }) };
      return { ...facts, turns: number, turn };
    }
    case 'permission':
    case 'elicitation':
      if (facts.turn === undefined || event.by !== 'nobody') return facts;
      return { ...facts, turn: { ...facts.turn, wasUnanswered: true } };
    case 'turn-end':
    case 'interruption': {
      const { turn: _ended, ...others } = facts;
      return others;
    }
    default:
      return facts;
  }
}

/** As `run` prints it for an agent that reports none. */
function noVersion(): string {
  return '0.0.0';
}
