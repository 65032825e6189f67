import path from 'node:path';
import type { ApprovalLevel, RemoteAddress, SandboxChoice } from '@parley/host';
import type { WorktreeWish } from '@parley/workspace/worktree';
import { CliError } from '../cli-error.ts';
import { parseSandbox, parseWord } from '../flag-values.ts';
import { parseWorktreeFlags, type TypedWorktreeFlags } from '../worktrees/flags.ts';
import { isAddress, parseRemote } from './agent/remote.ts';

/** The agent to use. */
export type AgentChoice =
  | { readonly kind: 'default' }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'remote'; readonly address: RemoteAddress }
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] };

/** The session to use. */
export type SessionChoice =
  | { readonly kind: 'new' }
  | { readonly kind: 'latest' }
  | { readonly kind: 'id'; readonly sessionId: string };

/** A config option and what to set it to, as typed: `ID=VALUE`. */
export interface Setting {
  readonly id: string;
  readonly value: string;
}

/** The flags that `run` and `chat` have in common, as typed. */
export interface TypedConversationFlags extends TypedWorktreeFlags {
  /** What stood behind `--`; absent when there was no `--`. */
  readonly command?: readonly string[];
  readonly agent?: string;
  readonly cwd?: string;
  readonly addDir?: readonly string[];
  readonly mcpConfig?: string;
  readonly mode?: string;
  readonly model?: string;
  readonly set?: readonly string[];
  readonly continue?: boolean;
  readonly session?: string;
  readonly record?: string;
  readonly config?: string;
  readonly approve?: string;
  readonly team?: string;
  readonly sandbox?: string;
}

/** Which agent is talked to, where, and how. Paths are absolute. */
export interface ConversationFlags {
  readonly agent: AgentChoice;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpConfigFile?: string;
  readonly mode?: string;
  readonly model?: string;
  readonly settings: readonly Setting[];
  readonly session: SessionChoice;
  readonly recordFile?: string;
  readonly configFile?: string;
  readonly approve?: Exclude<ApprovalLevel, 'ask'>;
  /** The names of agents that the session may delegate to. @default those of the configuration */
  readonly team?: readonly string[];
  /** The mode of the sandbox. @default the configuration's */
  readonly sandbox?: SandboxChoice;
  /** The git worktree that the session is to work in. @default the folder itself */
  readonly worktree?: WorktreeWish;
}

/** Checks these flags; relative paths are against `cwd`, the folder of the command. */
export function parseConversationFlags(typed: TypedConversationFlags, cwd: string): ConversationFlags {
  const resolve = (file: string): string => path.resolve(cwd, file);
  const worktree = parseWorktreeFlags(typed);
  return {
    agent: parseAgentChoice(typed),
    cwd: resolve(typed.cwd ?? '.'),
    additionalDirectories: (typed.addDir ?? []).map(resolve),
    ...(typed.mcpConfig !== undefined && { mcpConfigFile: resolve(typed.mcpConfig) }),
    ...(typed.mode !== undefined && { mode: typed.mode }),
    ...(typed.model !== undefined && { model: typed.model }),
    settings: (typed.set ?? []).map(parseSetting),
    session: parseSessionChoice(typed),
    ...(typed.record !== undefined && { recordFile: resolve(typed.record) }),
    ...(typed.config !== undefined && { configFile: resolve(typed.config) }),
    ...(typed.approve !== undefined && {
      approve: parseWord('--approve', typed.approve, ['reads', 'edits', 'all', 'none']),
    }),
    ...(typed.sandbox !== undefined && { sandbox: parseSandbox(typed.sandbox) }),
    ...(worktree !== undefined && { worktree }),
    ...(typed.team !== undefined && { team: parseTeam(typed.team) }),
  };
}

/** Reads `--team AGENT,AGENT`. */
export function parseTeam(typed: string): readonly string[] {
  const names = typed.split(',').map((name) => name.trim());
  if (names.some((name) => name === '')) {
    throw new CliError('usage', '--team: expected names of agents, separated by commas');
  }
  return [...new Set(names)];
}

/** The command line of an agent that was named by nothing else. */
export function commandLineOf(agent: AgentChoice): { readonly commandLine?: readonly string[] } {
  return agent.kind === 'command' ? { commandLine: [agent.command, ...agent.args] } : {};
}

function parseAgentChoice(typed: TypedConversationFlags): AgentChoice {
  if (typed.command !== undefined) {
    const [command, ...args] = typed.command;
    if (command === undefined || command === '') {
      throw new CliError('usage', 'expected the command line of an agent after --');
    }
    if (typed.agent !== undefined) {
      throw new CliError('usage', '--agent and a command after -- cannot be combined');
    }
    return { kind: 'command', command, args };
  }
  if (typed.agent === undefined) return { kind: 'default' };
  if (typed.agent === '') throw new CliError('usage', '--agent: expected the name of an agent');
  if (isAddress(typed.agent)) {
    return { kind: 'remote', address: parseRemote('--agent', typed.agent) };
  }
  return { kind: 'name', name: typed.agent };
}

function parseSessionChoice(typed: TypedConversationFlags): SessionChoice {
  if (typed.continue === true && typed.session !== undefined) {
    throw new CliError('usage', '--continue and --session cannot be combined');
  }
  if (typed.continue === true) return { kind: 'latest' };
  if (typed.session === undefined) return { kind: 'new' };
  if (typed.session === '') throw new CliError('usage', '--session: expected the id of a session');
  return { kind: 'id', sessionId: typed.session };
}

function parseSetting(typed: string): Setting {
  const equals = typed.indexOf('=');
  if (equals < 1) throw new CliError('usage', `--set ${typed}: expected ID=VALUE`);
  return { id: typed.slice(0, equals), value: typed.slice(equals + 1) };
}
