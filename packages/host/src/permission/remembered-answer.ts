import { stateList, type StateList } from '@parley/workspace';
import { parseRule, ruleWords, type Rule } from '@parley/workspace/rule';
import { scopeText, type AnswerScope } from './answer-scope.ts';

/** A lasting answer of the person's to a permission question. */
export interface RememberedAnswer {
  /** What it is revoked by. */
  readonly id: string;
  readonly scope: AnswerScope;
  /** What was answered; its paths are absolute. */
  readonly rule: Rule;
  /** The session, for an answer that counts for a turn or a session. */
  readonly sessionId?: string;
  /** The real path of the project, for an answer that counts there. */
  readonly project?: string;
  /** The question was asked because a rule said so: the answer is one to that rule too. */
  readonly answersRule: boolean;
  /** ISO 8601. */
  readonly time: string;
}

/** A remembered answer, as decisions see it. */
export interface AnswerRule extends Rule {
  readonly origin: 'answer';
  readonly answer: RememberedAnswer;
  /** It was given to this program, after the level was: the level does not beat it. */
  readonly isFresh: boolean;
}

/** The answers that are kept in a file. */
export function answerList(file: string): StateList<RememberedAnswer> {
  return stateList(file, parseAnswer);
}

/** How many answers are kept; the oldest is forgotten first, and those of sessions before others. */
export const mostAnswers = 1000;

/** An answer as the reason of a decision. */
export function answerReason({ id, scope, rule }: RememberedAnswer): string {
  return `your answer "${ruleWords(rule)}" ${scopeText(scope)} (${id})`;
}

function parseAnswer(value: unknown): RememberedAnswer | undefined {
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
