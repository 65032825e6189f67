import {
  checkAgent,
  checkClient,
  clientProgram,
  type ConformanceCard,
  processProgram,
} from '@parley/conformance';
import { namesSecret } from '@parley/recording';
import { CliError } from '../cli-error.ts';
import { Ending } from '../conversation/ending.ts';
import { recordProcesses } from '../conversation/record-processes.ts';
import { exitStatus } from '../exit-status.ts';
import { parseSeconds, parseWord } from '../flag-values.ts';
import { listenForSignals } from '../run/signals.ts';
import type { Surroundings } from '../surroundings.ts';
import { toJson } from './card/to-json.ts';
import { toJunit } from './card/to-junit.ts';
import { toSvg } from './card/to-svg.ts';
import { toText } from './card/to-text.ts';

/** The flags of `parley check`, as typed. */
export interface TypedCheckFlags {
  readonly client?: boolean;
  readonly format?: string;
  readonly timeout?: string;
  readonly longPrompt?: string;
  readonly authMethod?: string;
  readonly allowLogout?: boolean;
  /** The command line after `--`. */
  readonly command?: readonly string[];
}

/** `parley check`: checks an agent or a client against the protocol, and prints its card. Returns the exit status. */
export async function check(typed: TypedCheckFlags, surroundings: Surroundings): Promise<number> {
  const { stdout, stderr, env, cwd } = surroundings;
  const { command = [], allowLogout = false } = typed;
  if (command.length === 0) {
    throw new CliError('usage', 'check: expected a command line after --; see parley check --help');
  }
  if (typed.client === true && !command.some((word) => word.includes('{agent}'))) {
    throw new CliError('usage', 'check --client: expected {agent} in the command line of the client');
  }
  const format = parseWord('--format', typed.format ?? 'text', formatNames);
  const timeoutMs = typed.timeout === undefined ? undefined : parseSeconds('--timeout', typed.timeout);
  const ending = new Ending();
  using _signals = listenForSignals(ending);
  await recordProcesses(env, (_code, message) => stderr.write(`parley: warning: ${message}\n`));
  const options = {
    signal: ending.begun,
    secrets: Object.entries(env).flatMap(([name, value = '']) => (namesSecret(name) ? [value] : [])),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  const card =
    typed.client === true
      ? await checkClient(clientProgram(command, { cwd }), options)
      : await checkAgent(processProgram(command, { cwd }), {
          ...options,
          allowLogout,
          ...(typed.longPrompt !== undefined && { prompts: { long: typed.longPrompt } }),
          ...(typed.authMethod !== undefined && { authMethodId: typed.authMethod }),
        });
  stdout.write(formats[format](card));
  const isMet = card.checks.every(({ outcome, level }) => outcome !== 'failed' || level !== 'required');
  return isMet ? exitStatus.done : exitStatus.failed;
}

const formatNames = ['text', 'json', 'junit', 'svg'] as const;

const formats: Readonly<Record<(typeof formatNames)[number], (card: ConformanceCard) => string>> = {
  text: toText,
  json: toJson,
  junit: toJunit,
  svg: toSvg,
};
