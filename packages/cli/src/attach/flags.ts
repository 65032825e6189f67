import path from 'node:path';
import type { SandboxChoice, TurnLimits } from '@parley/host';
import type { WorktreeWish } from '@parley/workspace/worktree';
import { CliError } from '../cli-error.ts';
import { parseConversationFlags, parseTeam, type Setting } from '../conversation/flags.ts';
import { parseCount, parseSandbox, parseSeconds, parseWord } from '../flag-values.ts';
import type { HubChoice } from '../hub/find-hub.ts';
import { parseFormat, type Format } from '../run/flags.ts';
import { parseWorktreeFlags, type TypedWorktreeFlags } from '../worktrees/flags.ts';

/** The flags of `parley attach`, as typed. */
export interface TypedAttachFlags extends TypedWorktreeFlags {
  readonly new?: boolean;
  readonly agent?: string;
  readonly cwd?: string;
  readonly mode?: string;
  readonly model?: string;
  readonly set?: readonly string[];
  readonly sandbox?: string;
  readonly team?: string;
  readonly prompt?: string;
  readonly format?: string;
  readonly from?: string;
  readonly onAsk?: string;
  readonly timeout?: string;
  readonly idleTimeout?: string;
  readonly url?: string;
  readonly token?: string;
}

/** A session to create. */
export interface NewSessionFlags {
  readonly cwd: string;
  /** @default the hub's default agent */
  readonly agent?: string;
  readonly mode?: string;
  readonly settings: readonly Setting[];
  /** @default as the hub is configured */
  readonly sandbox?: SandboxChoice;
  /** @default it works in the folder itself */
  readonly worktree?: WorktreeWish;
  /** @default the hub's configuration */
  readonly team?: readonly string[];
}

/** The flags of `parley attach`. */
export interface AttachFlags extends TurnLimits {
  readonly hub: HubChoice;
  /** The beginning of a session's id. */
  readonly session?: string;
  readonly begin?: NewSessionFlags;
  readonly prompt?: string;
  readonly format: Format;
  /** The number of the first event that is printed. @default the next one */
  readonly from?: number;
  readonly onAsk?: 'fail';
}

/** Checks the flags of `parley attach`. */
export function parseAttachFlags(
  session: string | undefined,
  typed: TypedAttachFlags,
  cwd: string,
): AttachFlags {
  const format = parseFormat(typed.format);
  checkTogether(session, typed);
  if (typed.prompt?.trim() === '') throw new CliError('usage', '--prompt: the prompt is empty');
  return {
    hub: {
      ...(typed.url !== undefined && { url: typed.url }),
      ...(typed.token !== undefined && { token: typed.token }),
    },
    ...(session !== undefined && { session }),
    ...(typed.new === true && { begin: parseBeginning(typed, cwd) }),
    ...(typed.prompt !== undefined && { prompt: typed.prompt }),
    format,
    ...(typed.from !== undefined && { from: parseCount('--from', typed.from) }),
    ...(typed.onAsk !== undefined && { onAsk: parseWord('--on-ask', typed.onAsk, ['fail']) }),
    ...(typed.timeout !== undefined && { timeoutMs: parseSeconds('--timeout', typed.timeout) }),
    ...(typed.idleTimeout !== undefined && {
      idleTimeoutMs: parseSeconds('--idle-timeout', typed.idleTimeout),
    }),
  };
}

function checkTogether(session: string | undefined, typed: TypedAttachFlags): void {
  const { format, prompt, from, onAsk } = typed;
  if (typed.new === true && session !== undefined) {
    throw new CliError('usage', 'SESSION and --new cannot be combined');
  }
  if (typed.new !== true) {
    for (const name of [
      'agent',
      'cwd',
      'mode',
      'model',
      'set',
      'team',
      'sandbox',
      'worktree',
      'base',
    ] as const) {
      if (typed[name] !== undefined) throw new CliError('usage', `--${name} requires --new`);
    }
    if (typed.withChanges === true) throw new CliError('usage', '--with-changes requires --new');
  }
  if (from !== undefined && (format !== 'json' || prompt !== undefined)) {
    throw new CliError('usage', '--from requires --format json, and cannot be combined with --prompt');
  }
  if (onAsk !== undefined && prompt === undefined) throw new CliError('usage', '--on-ask requires --prompt');
  if (format === 'quiet' && prompt === undefined) {
    throw new CliError('usage', '--format quiet requires --prompt');
  }
}

function parseBeginning(typed: TypedAttachFlags, cwd: string): NewSessionFlags {
  const { set } = typed;
  const worktree = parseWorktreeFlags(typed);
  const { settings } = parseConversationFlags(set === undefined ? {} : { set }, cwd);
  return {
    cwd: path.resolve(cwd, typed.cwd ?? '.'),
    ...(typed.agent !== undefined && { agent: typed.agent }),
    ...(typed.mode !== undefined && { mode: typed.mode }),
    ...(worktree !== undefined && { worktree }),
    ...(typed.sandbox !== undefined && { sandbox: parseSandbox(typed.sandbox) }),
    ...(typed.team !== undefined && { team: parseTeam(typed.team) }),
    settings: typed.model === undefined ? settings : [{ id: 'model', value: typed.model }, ...settings],
  };
}
