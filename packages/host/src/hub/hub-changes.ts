import type { HubAgent } from './hub-agent.ts';
import type { HubMachine } from './hub-machine.ts';
import type { HubQuestion, SettledQuestion } from './hub-question.ts';
import type { HubSession } from './hub-session.ts';
import type { MarkedSessions } from './session-marks.ts';

/** Changes of the hub. Absent fields have not changed. */
export interface HubChanges {
  /** New and changed sessions. */
  readonly sessions?: readonly HubSession[];
  /** The keys of removed sessions. */
  readonly removed?: readonly string[];
  /** New and changed agents. */
  readonly agents?: readonly HubAgent[];
  /** The names of removed agents. */
  readonly removedAgents?: readonly string[];
  /** New questions, oldest first. */
  readonly questions?: readonly HubQuestion[];
  /** The request ids of questions that are no longer open. */
  readonly withdrawn?: readonly string[];
  /** Questions that were just answered or withdrawn. */
  readonly settled?: readonly SettledQuestion[];
  /** All marks of the client's token, if one has changed. */
  readonly marks?: MarkedSessions;
  /** All machines of the hub, if one has changed. */
  readonly machines?: readonly HubMachine[];
  /** Set if the list of worktrees may have changed, and should be requested again. */
  readonly worktrees?: true;
}

/** Applies changes to the agents: changed ones remain in their positions, new ones are last. */
export function agentsAfter(
  before: readonly HubAgent[],
  { agents = [], removedAgents = [] }: Pick<HubChanges, 'agents' | 'removedAgents'>,
): readonly HubAgent[] {
  if (agents.length === 0 && removedAgents.length === 0) return before;
  const after = new Map(before.map((agent) => [agent.name, agent]));
  for (const agent of agents) after.set(agent.name, agent);
  for (const name of removedAgents) after.delete(name);
  return [...after.values()];
}

/** Applies changes to the open questions, oldest first. */
export function questionsAfter(
  before: readonly HubQuestion[],
  { questions = [], withdrawn = [] }: Pick<HubChanges, 'questions' | 'withdrawn'>,
): readonly HubQuestion[] {
  if (questions.length === 0 && withdrawn.length === 0) return before;
  const after = new Map(before.map((question) => [question.requestId, question]));
  for (const question of questions) after.set(question.requestId, question);
  for (const requestId of withdrawn) after.delete(requestId);
  return [...after.values()].toSorted((left, right) => left.since - right.since);
}
