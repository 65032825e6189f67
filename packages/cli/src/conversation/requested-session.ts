import { acpCodes } from '@parley/acp';
import { isLogOf, type AgentConnection, type AgentSession, type SessionStore } from '@parley/host';
import { RpcError, rpcCodes, valueAt } from '@parley/wire';
import { modelsOf } from '../chat/settings-text.ts';
import { CliError } from '../cli-error.ts';
import { listedSession } from '../sessions/find-session.ts';
import { fullModel, isOwnAgent } from './agent/agent-source.ts';
import { commandLineOf, type ConversationFlags, type SessionChoice } from './flags.ts';
import { findLatestSession } from './latest-session.ts';
import type { PreparedConversation } from './prepare-conversation.ts';

/** Which session is opened. `load`: one that the agent is to replay, and that it may have to look for. */
export type RequestedSession =
  | SessionChoice
  | { readonly kind: 'load'; readonly find: (agent: AgentConnection) => Promise<FoundSession> };

/** A session of the agent's. */
export interface FoundSession {
  readonly sessionId: string;
  /** @default the folder of the flags */
  readonly cwd?: string;
}

/** The agent's id of the requested session; undefined for a new one. */
export async function resolveTarget(
  target: RequestedSession,
  agent: AgentConnection,
  {
    flags,
    store,
    signal,
  }: { readonly flags: ConversationFlags; readonly store: SessionStore; readonly signal: AbortSignal },
): Promise<FoundSession | undefined> {
  switch (target.kind) {
    case 'new':
      return undefined;
    case 'id':
      return { sessionId: await agentIdOf(target.sessionId, { flags, store, agent }) };
    case 'load':
      return target.find(agent);
    case 'latest':
      return {
        sessionId: await findLatestSession(agent, {
          cwd: flags.cwd,
          ...commandLineOf(flags.agent),
          store,
          signal,
        }),
      };
  }
}

/** What the agent calls a session; `parley sessions list` shows ids of Parley's. All others are the agent's. */
async function agentIdOf(
  id: string,
  {
    flags,
    store,
    agent,
  }: {
    readonly flags: ConversationFlags;
    readonly store: SessionStore;
    readonly agent: Pick<AgentConnection, 'name'>;
  },
): Promise<string> {
  const wanted = { agent: agent.name, ...commandLineOf(flags.agent) };
  const heads = (await store.list()).filter(({ start }) => isLogOf(start, wanted));
  if (heads.some(({ sessionId }) => sessionId === id)) return id;
  return listedSession(id, heads)?.sessionId ?? id;
}

/** Makes the settings of the flags: mode, model and options. */
export async function makeSettings(
  session: AgentSession,
  { flags, spec }: PreparedConversation,
  signal: AbortSignal,
): Promise<void> {
  if (flags.mode !== undefined) await session.setMode(flags.mode, { signal });
  const model = (isOwnAgent(spec) ? fullModel(flags.model) : undefined) ?? flags.model;
  if (model !== undefined) {
    await session.setModel(model, { signal }).catch((error: unknown) => {
      throw explainModel(error, { model, flag: '--model ', session });
    });
  }
  for (const { id, value } of flags.settings) await session.setOption(id, value, { signal });
}

/** Why a model was not set: an agent that refuses it does not say which ones there are. */
export function explainModel(
  error: unknown,
  {
    model,
    flag = '',
    session,
  }: { readonly model: string; readonly flag?: string; readonly session: AgentSession },
): unknown {
  const isRefused =
    error instanceof RpcError &&
    (error.code === rpcCodes.invalidRequest || error.code === rpcCodes.invalidParams);
  if (!isRefused) return error;
  const offered = modelsOf(session).choices.map(({ id }) => JSON.stringify(id));
  const list = offered.length === 0 ? 'lists no models' : `offers ${offered.slice(0, mostListed).join(', ')}`;
  const more = offered.length > mostListed ? `, and ${String(offered.length - mostListed)} more` : '';
  const message = `${flag}${JSON.stringify(model)} is not available (${error.message}); the agent ${list}${more}`;
  return new CliError('not-offered', message, { cause: error });
}

/** Sessions that an error message lists. */
const mostListed = 20;

/** Why a session was not opened, where a flag is to blame. */
export function explainOpening(
  error: unknown,
  { target, sessionId }: { readonly target: RequestedSession; readonly sessionId: string | undefined },
  { flags, spec }: PreparedConversation,
): unknown {
  if (!(error instanceof RpcError)) return error;
  if (isOwnAgent(spec) && fullModel(flags.model) !== undefined && isUnknownModel(error.data)) {
    return new CliError('not-offered', `--model: ${error.message}`, { cause: error });
  }
  if (sessionId === undefined || error.code !== acpCodes.resourceNotFound || target.kind === 'load') {
    return error;
  }
  const flag = target.kind === 'latest' ? '--continue' : '--session';
  return new CliError('not-offered', `${flag}: ${spec.name} has no session "${sessionId}"`, { cause: error });
}

/** Parley's own agent rejected the model it should have started with. */
function isUnknownModel(data: unknown): boolean {
  const code = valueAt(data, 'code');
  return code === 'unknown-provider' || code === 'unknown-model';
}
