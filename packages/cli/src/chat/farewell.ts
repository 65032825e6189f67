import type { AgentCapabilities } from '@parley/acp';
import { commandText } from '@parley/workspace';
import type { ConversationFlags } from '../conversation/flags.ts';
import { toPlainLine } from '../output/plain.ts';

/** What was talked in, and where. */
export interface FarewellOptions {
  /** What the agent calls the session. */
  readonly sessionId: string;
  readonly flags: ConversationFlags;
  readonly capabilities: AgentCapabilities;
  /** The folder the command was started in. */
  readonly cwd: string;
  /** The name of the worktree of the session. @default it is in none */
  readonly worktree?: string;
}

/** The last line of a chat: how to resume its session, or how to read it where the agent does not store it. */
export function farewell({ sessionId, flags, capabilities, cwd, worktree }: FarewellOptions): string {
  const isKept = capabilities.loadSession === true || capabilities.sessionCapabilities?.resume !== undefined;
  if (!isKept) {
    return `Read it again with: ${toPlainLine(commandText(['parley', 'sessions', 'show', sessionId]), 1000)}\n`;
  }
  const { agent } = flags;
  const words = [
    'parley',
    'chat',
    ...(flags.cwd === cwd ? [] : ['--cwd', flags.cwd]),
    ...(worktree === undefined ? [] : [`--worktree=${worktree}`]),
    ...(agent.kind === 'name' ? ['--agent', agent.name] : []),
    '--session',
    sessionId,
    ...(agent.kind === 'command' ? ['--', agent.command, ...agent.args] : []),
  ];
  return `Resume with: ${toPlainLine(commandText(words), 1000)}\n`;
}
