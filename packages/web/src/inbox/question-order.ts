import type { HubQuestion, HubSession } from '@parley/host/hub';
import { riskOf } from '../permission/permission-choice.ts';

/** What of the inbox is shown, and in which order. */
export interface InboxChoice {
  readonly order: 'oldest' | 'risk';
  /** @default all */
  readonly kind?: HubQuestion['kind'];
  readonly agent?: string;
  readonly session?: string;
}

/** The questions that were asked for, in the order that was. */
export function chooseQuestions(
  questions: readonly HubQuestion[],
  sessions: ReadonlyMap<string, HubSession>,
  { order, kind, agent, session }: InboxChoice,
): readonly HubQuestion[] {
  const chosen = questions.filter(
    (question) =>
      (kind === undefined || question.kind === kind) &&
      (session === undefined || question.key === session) &&
      (agent === undefined || sessions.get(question.key)?.agent === agent),
  );
  return chosen.toSorted((left, right) =>
    order === 'oldest' ? left.since - right.since : riskIn(right) - riskIn(left) || left.since - right.since,
  );
}

/** The agents that wait, in alphabetical order. */
export function agentsOf(
  questions: readonly HubQuestion[],
  sessions: ReadonlyMap<string, HubSession>,
): readonly string[] {
  const agents = new Set(questions.flatMap(({ key }) => sessions.get(key)?.agent ?? []));
  return [...agents].toSorted((left, right) => left.localeCompare(right));
}

/** The risk of a question. A form or a text question blocks the agent like any other, and risks nothing. */
function riskIn(question: HubQuestion): number {
  return question.kind === 'permission' ? riskOf(question.action.kind) : 0;
}

/** Index of the next or previous card; stays within the list. */
export function neighbour(index: number, step: 1 | -1, count: number): number {
  return Math.max(0, Math.min(count - 1, index + step));
}
