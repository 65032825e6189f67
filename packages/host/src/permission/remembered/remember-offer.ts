import {
  escapePath,
  narrowestScopes,
  variablesAreHarmless,
  type Rule,
  type RuleScope,
} from '@parley/workspace';
import type { RememberOffer } from '@parley/workspace/rule';
import type { PermissionSubject } from '../request/permission-subject.ts';

/**
 * The lasting answers that can be offered for a call; none if it is unknown what the call does.
 *
 * @param agent The agent's name in the configuration.
 */
export function rememberOffer(
  subject: PermissionSubject,
  cwd: string,
  agent: string,
): RememberOffer | undefined {
  if (subject.isOpaque === true || !isRuleEnough(subject)) return undefined;
  // Whether the agent may go on with a plan says nothing about its next plan.
  if (subject.kind === 'switch_mode') return undefined;
  const about = narrowestScopes(subject, cwd).map((scope) => ({ ...withAbsolutePath(scope, cwd), agent }));
  // A folder is in one project: "everywhere" would say no more.
  const isAboutFiles = about.some(({ path }) => path !== undefined);
  return {
    about,
    scopes: isAboutFiles ? ['turn', 'session', 'project'] : ['turn', 'session', 'project', 'user'],
  };
}

/** Whether a rule can express the action. Rules cannot express variables, protected files or a folder elsewhere. */
function isRuleEnough({ variables = [], protectedFile, command, outside = [] }: PermissionSubject): boolean {
  if (!variablesAreHarmless(variables) || protectedFile !== undefined) return false;
  return command === undefined || outside.length === 0;
}

/** The rules that an answer makes. */
export function toRules({ about }: RememberOffer, decision: 'allow' | 'deny'): readonly Rule[] {
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
