import type { HubAgent } from './hub-agent.ts';
import type { HubQuestion, SettledQuestion } from './hub-question.ts';
import type { HubSession } from './hub-session.ts';

/** What has changed on the hub. What is absent has not. */
export interface HubChanges {
  /** Those that are new or have changed. */
  readonly sessions?: readonly HubSession[];
  /** The keys of sessions that are gone. */
  readonly removed?: readonly string[];
  /** Those that are new or have changed. */
  readonly agents?: readonly HubAgent[];
  /** Those that wait now and did not before, the oldest first. */
  readonly questions?: readonly HubQuestion[];
  /** The request ids of questions that do not wait any more. */
  readonly withdrawn?: readonly string[];
  /** Of those that waited, the ones that have just ceased to. */
  readonly settled?: readonly SettledQuestion[];
}

/** The agents after a change: those that have changed are in their places, new ones last. */
export function agentsAfter(
  before: readonly HubAgent[],
  { agents = [] }: Pick<HubChanges, 'agents'>,
): readonly HubAgent[] {
  if (agents.length === 0) return before;
  const after = new Map(before.map((agent) => [agent.name, agent]));
  for (const agent of agents) after.set(agent.name, agent);
  return [...after.values()];
}

/** The questions that wait after a change, the oldest first. */
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
