import {
  escapePath,
  narrowestScopes,
  variablesAreHarmless,
  type Rule,
  type RuleScope,
} from '@parley/workspace';
import type { AnswerScope } from './answer-scope.ts';
import type { Subject } from './subject.ts';

/** What a lasting answer to a question would be about, and how long it may count. */
export interface LastingOffer {
  /** About little more than what was asked, for the agent that asked. */
  readonly about: readonly RuleScope[];
  readonly scopes: readonly AnswerScope[];
}

/**
 * What may be offered for a call; nothing where nobody can say what it does.
 *
 * @param agent What the agent that asks is called here.
 */
export function lastingOffer(subject: Subject, cwd: string, agent: string): LastingOffer | undefined {
  if (subject.isOpaque === true || !isRuleEnough(subject)) return undefined;
  const about = narrowestScopes(subject, cwd).map((scope) => ({ ...withAbsolutePath(scope, cwd), agent }));
  // A folder is in one project: "everywhere" would say no more.
  const isAboutFiles = about.some(({ path }) => path !== undefined);
  return {
    about,
    scopes: isAboutFiles ? ['turn', 'session', 'project'] : ['turn', 'session', 'project', 'user'],
  };
}

/** Whether a rule can say what was shown: of variables, of a protected file and of a folder elsewhere it says nothing. */
function isRuleEnough({ variables = [], protectedFile, command, outside = [] }: Subject): boolean {
  if (!variablesAreHarmless(variables) || protectedFile !== undefined) return false;
  return command === undefined || outside.length === 0;
}

/** The rules that an answer makes. */
export function toRules({ about }: LastingOffer, decision: 'allow' | 'deny'): readonly Rule[] {
  return about.map((scope) => ({ ...scope, decision }));
}

/** The same folder, from wherever it is looked at. */
function withAbsolutePath(scope: RuleScope, cwd: string): RuleScope {
  const { path } = scope;
  if (path === undefined || path.startsWith('/') || /^[A-Za-z]:/u.test(path)) return scope;
  const folder = escapePath(cwd);
  const inside = path === '.' ? folder : `${folder}/${path.replace(/^\.\//u, '')}`;
  const isLiteral = !/[*?[{]/u.test(path);
  // Behind a glob, and so behind an escaped name, what is below has to be said.
  return { ...scope, path: isLiteral && folder !== cwd ? `${inside}/**` : inside };
}
