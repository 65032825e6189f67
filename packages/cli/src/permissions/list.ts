import path from 'node:path';
import { answerList, ruleReason, scopeText, type StoredAnswer } from '@parley/host';
import type { ConfiguredRule } from '@parley/workspace';
import { hasEnded, ruleWords, type RuleScope } from '@parley/workspace/rule';
import { answersFile } from '../configuration/places.ts';
import { readConfiguration } from '../configuration/read-configuration.ts';
import { trustedFiles, type TrustedFile } from '../configuration/trusted-files.ts';
import { exitStatus } from '../exit-status.ts';
import { toPlainLine, toPlainText } from '../output/plain.ts';
import { createStyle, type Style } from '../output/style.ts';
import type { Surroundings } from '../surroundings.ts';
import { readState } from './read-state.ts';

/** The flags of `parley permissions list`, as typed. */
export interface ListFlags {
  readonly cwd?: string;
  readonly json?: boolean;
}

interface Permissions {
  readonly answers: readonly (StoredAnswer & Ending)[];
  readonly trusted: readonly TrustedFile[];
  readonly rules: readonly (ConfiguredRule & Ending)[];
}

/** Whether a rule decides nothing any more, as its time is over. */
interface Ending {
  readonly expired?: true;
}

/** `parley permissions list`: remembered answers, trusted files, and the rules that hold in a folder. */
export async function listPermissions(flags: ListFlags, surroundings: Surroundings): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  const cwd = path.resolve(surroundings.cwd, flags.cwd ?? '.');
  const { rules } = await readConfiguration({
    cwd,
    env,
    warn: (message) => stderr.write(`parley: warning: ${toPlainText(message)}\n`),
  });
  const answers = await readState(answerList(answersFile(env)).read());
  const now = Date.now();
  const endingOf = (rule: RuleScope): Ending => (hasEnded(rule, now) ? { expired: true } : {});
  const permissions: Permissions = {
    answers: answers.map((answer) => ({ ...answer, ...endingOf(answer.rule) })),
    trusted: await readState(trustedFiles(env).read()),
    rules: rules.map((rule) => ({ ...rule, ...endingOf(rule) })),
  };
  const text =
    flags.json === true
      ? `${JSON.stringify({ v: 1, ...permissions })}\n`
      : showPermissions(permissions, cwd, createStyle(stdout.isTTY === true, env));
  stdout.write(text);
  return exitStatus.done;
}

/** Displayed characters of a rule or path. */
const maxLength = 400;

function showPermissions({ answers, trusted, rules }: Permissions, cwd: string, style: Style): string {
  const plain = (text: string): string => toPlainLine(text, maxLength);
  const expiry = ({ expired }: Ending): string => (expired === true ? style.dim(' (expired)') : '');
  const stamped = ({ id, time }: { readonly id: string; readonly time: string }): string =>
    `  ${plain(id)}  ${plain(time.slice(0, 10))}  `;
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [style.bold(title), ...lines];
  const lines = [
    ...section(
      'Remembered answers:',
      answers.flatMap((answer) => [
        `${stamped(answer)}${plain(ruleWords(answer.rule))}${expiry(answer)}`,
        `${' '.repeat(24)}${plain(placeText(answer))}`,
      ]),
    ),
    ...section(
      'Trusted project files:',
      trusted.map((file) => `${stamped(file)}${plain(file.file)}`),
    ),
    ...section(
      `Rules of the configuration, in ${plain(cwd)}:`,
      rules.map((rule) => `  ${plain(ruleReason(rule))}${expiry(rule)}`),
    ),
  ];
  if (lines.length === 0) return 'No remembered answers, no trusted files and no rules.\n';
  const hint = answers.length + trusted.length === 0 ? [] : ['parley permissions revoke ID revokes one.'];
  return `${[...lines, ...hint].join('\n')}\n`;
}

function placeText({ scope, project, sessionId }: StoredAnswer): string {
  const place = project ?? sessionId;
  return place === undefined ? scopeText(scope) : `${scopeText(scope)}: ${place}`;
}
