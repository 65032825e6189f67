import { scopeText, type AnswerToRemember } from '@parley/host';
import { toHonestPieces } from '@parley/host/state';
import type { AnswerScope, RememberOffer } from '@parley/workspace/rule';
import { oneLine, type Line } from './rows.ts';

/** The keys that allow something for longer than this call, and with a capital letter deny it, with what they mean. */
export function rememberOfferLines({ about, scopes }: RememberOffer): readonly Line[] {
  const what = about.map((scope) => oneLine(toHonestPieces(aboutText(scope)))).join(' and ');
  const keys = scopes.map((scope) => `${keyOf(scope)} ${keyOf(scope).toUpperCase()} ${scopeText(scope)}`);
  return [
    { before: '', text: `Or allow (capital letter: never allow) ${what}:` },
    { before: '', text: keys.join('  ') },
  ];
}

/** The keys alone, as they stand in the line for the answer. */
export function rememberKeys({ scopes }: RememberOffer): string {
  return scopes.map((scope) => `${keyOf(scope)} ${keyOf(scope).toUpperCase()}`).join(' ');
}

/** The answer that a typed key means, if it was offered. */
export function rememberOfKey(typed: string, { scopes }: RememberOffer): AnswerToRemember | undefined {
  const scope = scopes.find((each) => keyOf(each) === typed.toLowerCase());
  if (scope === undefined) return undefined;
  return { kind: 'remember', scope, decision: keyOf(scope) === typed ? 'allow' : 'deny' };
}

function keyOf(scope: AnswerScope): string {
  return scope.slice(0, 1);
}

function aboutText({ tool, command, commandPrefix, path, host }: RememberOffer['about'][number]): string {
  if (commandPrefix !== undefined) return `commands that begin with ${JSON.stringify(commandPrefix)}`;
  if (command !== undefined) return 'exactly this command';
  if (host !== undefined) return `${tool} from ${host}`;
  return path === undefined ? `each call of ${tool}` : `${tool} in ${path}`;
}
