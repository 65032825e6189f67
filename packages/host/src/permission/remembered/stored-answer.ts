import { stateList, type ListPlace, type StateList } from '@parley/workspace';
import {
  parseRule,
  ruleWords,
  type AnswerRule,
  type AnswerScope,
  type RememberedAnswer,
} from '@parley/workspace/rule';

/** A remembered answer, and where and since when it counts. Its paths are absolute. */
export interface StoredAnswer extends RememberedAnswer {
  /** The session, for an answer that counts for a turn or a session. */
  readonly sessionId?: string;
  /** The real path of the project, for an answer that counts there. */
  readonly project?: string;
  /** ISO 8601. */
  readonly time: string;
}

/** A remembered answer, as decisions see it. */
export interface StoredAnswerRule extends AnswerRule<StoredAnswer> {
  /** Whether it was given after the approval level of this program was set: the level then does not override it. */
  readonly isFresh: boolean;
}

/** The stored answers. */
export function answerList(place: ListPlace): StateList<StoredAnswer> {
  return stateList(place, parseAnswer);
}

/** Maximum number of remembered answers. The oldest are dropped first, and those of sessions before others. */
export const mostAnswers = 1000;

/** An answer as the reason of a decision. */
export function answerReason({ id, scope, rule }: StoredAnswer): string {
  return `your answer "${ruleWords(rule)}" ${scopeText(scope)} (${id})`;
}

/** The scope of an answer, in words. */
export function scopeText(scope: AnswerScope): string {
  switch (scope) {
    case 'turn':
      return 'for this turn';
    case 'session':
      return 'for this session';
    case 'project':
      return 'in this project';
    case 'user':
      return 'everywhere';
  }
}

function parseAnswer(value: unknown): StoredAnswer | undefined {
  if (!isFields(value)) return undefined;
  const { id, scope, rule, sessionId, project, answersRule, time } = value;
  const parsed = parseRule(rule);
  if (parsed === undefined || parsed.decision === 'ask' || !isText(id) || !isText(time)) return undefined;
  if (typeof answersRule !== 'boolean') return undefined;
  if (!isOptionalText(sessionId) || !isOptionalText(project)) return undefined;
  if (scope !== 'turn' && scope !== 'session' && scope !== 'project' && scope !== 'user') return undefined;
  return {
    id,
    scope,
    rule: parsed,
    answersRule,
    time,
    ...(sessionId !== undefined && { sessionId }),
    ...(project !== undefined && { project }),
  };
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || isText(value);
}
