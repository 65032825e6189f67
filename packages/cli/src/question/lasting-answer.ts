import { scopeText, type PermissionAnswer } from '@parley/host';
import { toHonestPieces, type LastingChoices } from '@parley/host/state';
import { scopePhrase, type AnswerScope, type ScopeWords } from '@parley/workspace/rule';
import { optionBlock } from './option-label.ts';
import { oneLine, toRows, type Block, type Screen } from './rows.ts';

/** An answer that lasts, and how it is listed. */
interface LastingAnswer {
  readonly answer: PermissionAnswer;
  readonly block: (number: string, screen: Screen) => Block;
}

/** What "Always…" opens: each answer with its number. */
export function showLasting(choices: LastingChoices, screen: Screen): string {
  const { scopes, agentOptions } = choices;
  const answers = lastingAnswers(choices).map(({ block }, index) => block(`${String(index + 1)}  `, screen));
  const ours = answers.slice(0, answers.length - agentOptions.length);
  const theirs = answers.slice(ours.length);
  const heading = (text: string): Block => ({ lines: [{ before: '', text }], limit: 8 });
  const blocks = [
    ...(scopes.length === 0 ? [] : [heading(`Parley remembers ${aboutText(choices.about)}:`), ...ours]),
    ...(theirs.length === 0
      ? []
      : [heading('The agent remembers by itself; Parley cannot list or revoke it:'), ...theirs]),
  ];
  const { rows } = toRows(blocks, screen, 'whole', '  ');
  return rows.map((row) => `${row}\n`).join('');
}

/** The line for the number. */
export function lastingPrompt(choices: LastingChoices): string {
  return `Number, then Enter [1-${String(lastingAnswers(choices).length)}; Enter: back]: `;
}

/** The answer that a number means. */
export function lastingAnswerOf(line: string, choices: LastingChoices): PermissionAnswer | undefined {
  const number = line.trim();
  return /^\d{1,3}$/u.test(number) ? lastingAnswers(choices)[Number(number) - 1]?.answer : undefined;
}

/** What an answer would be about: this command, these files. */
export function aboutText(about: LastingChoices['about']): string {
  return about.map((scope) => oneLine(toHonestPieces(scopePhrase(scope, aboutWords)))).join(' and ');
}

function lastingAnswers({ scopes, agentOptions }: LastingChoices): readonly LastingAnswer[] {
  const ours = (['allow', 'deny'] as const).flatMap((decision) =>
    scopes.map((scope) => ({
      answer: { kind: 'remember', decision, scope } as const,
      block: (number: string) => ({
        lines: [{ before: number, text: rememberText(decision, scope) }],
        limit: 1,
      }),
    })),
  );
  const theirs = agentOptions.map((option) => ({
    answer: { kind: 'option', optionId: option.optionId } as const,
    block: (number: string, screen: Screen) => optionBlock(option, number, screen),
  }));
  return [...ours, ...theirs];
}

function rememberText(decision: 'allow' | 'deny', scope: AnswerScope): string {
  return `${decision === 'allow' ? 'Always allow' : 'Never allow'} ${scopeText(scope)}`;
}

const aboutWords: ScopeWords = {
  some: (tool) => tool,
  all: (tool) => `each call of ${tool}`,
  quote: (command) => JSON.stringify(command),
};
