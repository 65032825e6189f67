import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ToolCallUpdate } from '@parley/acp';
import {
  answerList,
  filesElsewhere,
  subjectOf,
  toRequestedAction,
  type PermissionSubject,
} from '@parley/host';
import { openFiles } from '@parley/workspace';
import { CliError } from '../cli-error.ts';
import { answersFile } from '../configuration/places.ts';
import { readConfiguration } from '../configuration/read-configuration.ts';
import { exitStatus } from '../exit-status.ts';
import { parseWord } from '../flag-values.ts';
import { toPlainText } from '../output/plain.ts';
import { createStyle } from '../output/style.ts';
import type { Surroundings } from '../surroundings.ts';
import { showExplanation } from './explanation-text.ts';
import { explain } from './explanation.ts';
import { rememberedAnswers } from './remembered-answers.ts';

/** The flags of `parley permissions explain`, as typed. */
export interface ExplainFlags {
  readonly agent?: string;
  readonly kind?: string;
  readonly cwd?: string;
  readonly config?: string;
  readonly json?: boolean;
}

/** `parley permissions explain`: what would be decided about a command, a file or an address, and why. */
export async function explainPermission(
  typed: string,
  flags: ExplainFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  if (typed.trim() === '') throw new CliError('usage', 'explain: expected a command, a path or an address');
  const cwd = path.resolve(surroundings.cwd, flags.cwd ?? '.');
  const configuration = await readConfiguration({
    cwd,
    env,
    warn: (message) => stderr.write(`parley: warning: ${toPlainText(message)}\n`),
    ...(flags.config !== undefined && { file: path.resolve(surroundings.cwd, flags.config) }),
  });
  const agent = flags.agent ?? configuration.defaultAgent;
  const subjects = await toSubjects(typed, cwd, flags.kind);
  const answers = await rememberedAnswers(await answerList(answersFile(env)).read(), { cwd, env });
  const { rules } = configuration;
  const explanations = subjects.map((subject) => explain({ ...subject, agent }, { rules, answers, cwd }));
  if (flags.json === true) {
    stdout.write(`${JSON.stringify({ v: 1, cwd, agent, explanations })}\n`);
  } else {
    const style = createStyle(stdout.isTTY === true, env);
    stdout.write(`Agent ${toPlainText(agent)}, folder ${toPlainText(cwd)}:\n`);
    for (const explanation of explanations) stdout.write(showExplanation(explanation, style));
  }
  return exitStatus.done;
}

const kinds = ['execute', 'fetch', 'read', 'edit', 'delete', 'move', 'search'] as const;

type Kind = (typeof kinds)[number];

/** The calls that the words describe: one of the given kind, else of the kinds they look like. */
async function toSubjects(
  typed: string,
  cwd: string,
  typedKind: string | undefined,
): Promise<readonly PermissionSubject[]> {
  if (typedKind !== undefined) return [await toSubject(typed, cwd, parseWord('--kind', typedKind, kinds))];
  if (/^https?:\/\//iu.test(typed)) return [await toSubject(typed, cwd, 'fetch')];
  if (!(await isPath(typed, cwd))) return [await toSubject(typed, cwd, 'execute')];
  return Promise.all((['read', 'edit'] as const).map((kind) => toSubject(typed, cwd, kind)));
}

/** The call as it would be judged if an agent asked for it. */
async function toSubject(typed: string, cwd: string, kind: Kind): Promise<PermissionSubject> {
  const call = { toolCallId: '', kind, ...inputFor(typed, cwd, kind) };
  const files = await openFiles({ cwd }).catch(() => filesElsewhere({ cwd, directories: [cwd] }));
  return subjectOf(await toRequestedAction(call, { files }));
}

function inputFor(typed: string, cwd: string, kind: Kind): Pick<ToolCallUpdate, 'rawInput' | 'locations'> {
  if (kind === 'execute') return { rawInput: { command: typed.trim() } };
  if (kind === 'fetch') return { rawInput: { url: toAddress(typed) } };
  return { locations: [{ path: toPath(typed, cwd) }] };
}

function toAddress(typed: string): string {
  const address = /^https?:\/\//iu.test(typed) ? typed : `https://${typed}`;
  if (!URL.canParse(address)) throw new CliError('usage', `explain ${typed}: not a valid address`);
  return address;
}

async function isPath(typed: string, cwd: string): Promise<boolean> {
  if (/^(?:\.{1,2}|~)?\//u.test(typed) && !/\s/u.test(typed)) return true;
  return stat(toPath(typed, cwd)).then(
    () => true,
    () => false,
  );
}

function toPath(typed: string, cwd: string): string {
  return typed === '~' || typed.startsWith('~/')
    ? path.join(homedir(), typed.slice(1))
    : path.resolve(cwd, typed);
}
