import { acpCodes } from '@parley/acp';
import { filesStore, type AgentSession, type SupervisedAgent } from '@parley/host';
import { RpcError } from '@parley/wire';
import { CliError } from '../cli-error.ts';
import { eventLogsFolder } from '../configuration/places.ts';
import { commandLineOf, type SessionChoice } from './flags.ts';
import { findLatestSession } from './latest-session.ts';
import { checkMcpServers } from './mcp-servers.ts';
import type { PreparedConversation } from './prepare-conversation.ts';

/** With the full name of the model our own agent is to use, when there is one. */
export type WantedConversation = PreparedConversation & { readonly model?: string };

/** Opens a session as the flags want it: its directories, mode, model and settings. */
export async function openWantedSession(
  agent: SupervisedAgent,
  { flags, mcpServers, model, env }: WantedConversation,
  choice: SessionChoice,
  signal: AbortSignal,
): Promise<AgentSession> {
  checkMcpServers(agent.handle, mcpServers);
  const sessionId =
    choice.kind === 'latest'
      ? await findLatestSession(agent.handle, {
          cwd: flags.cwd,
          ...commandLineOf(flags.agent),
          store: filesStore(eventLogsFolder(env)),
          signal,
        })
      : toSessionId(choice);
  const open = agent.openSession({
    cwd: flags.cwd,
    additionalDirectories: flags.additionalDirectories,
    mcpServers,
    signal,
    ...(sessionId !== undefined && { resume: { sessionId } }),
  });
  const session = await open.catch((error: unknown) => {
    if (model !== undefined && error instanceof RpcError && isUnknownProvider(error.data)) {
      throw new CliError('not-offered', `--model: ${error.message}`, { cause: error });
    }
    if (sessionId === undefined || !(error instanceof RpcError) || error.code !== acpCodes.resourceNotFound) {
      throw error;
    }
    const flag = choice.kind === 'latest' ? '--continue' : '--session';
    throw new CliError('not-offered', `${flag}: ${agent.handle.name} has no session "${sessionId}"`, {
      cause: error,
    });
  });
  if (flags.mode !== undefined) await session.setMode(flags.mode, { signal });
  const wantedModel = model ?? flags.model;
  if (wantedModel !== undefined) await session.setModel(wantedModel, { signal });
  for (const { id, value } of flags.settings) await session.setOption(id, value, { signal });
  return session;
}

/** Our own agent refused the model it was to begin with. */
function isUnknownProvider(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'code' in data && data.code === 'unknown-provider';
}

function toSessionId(choice: Exclude<SessionChoice, { readonly kind: 'latest' }>): string | undefined {
  return choice.kind === 'id' ? choice.sessionId : undefined;
}
