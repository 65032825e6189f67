import { Invalid, type AgentCapabilities } from '@parley/acp';
import type { AgentRequests } from '@parley/acp/unstable';
import { isJsonObject, valueAt } from '@parley/wire';
import { HostError } from '../../host-error.ts';
import type { AgentConnection } from '../agent-connection.ts';

/** The requests of the unstable protocol that the host sends, with the capability that declares each. */
const capabilities = {
  'auth/status': ['auth', 'status'],
  'providers/list': ['providers'],
  'providers/set': ['providers'],
  'providers/disable': ['providers'],
  'session/archive': ['sessionCapabilities', 'archive'],
  'session/unarchive': ['sessionCapabilities', 'archive'],
  'session/set_title': ['sessionCapabilities', 'title'],
  'session/status': ['sessionCapabilities', 'status'],
} as const;

/** A request of the unstable protocol that the host sends. */
export type UnstableMethod = keyof typeof capabilities;

/** Limits of a request. */
export interface UnstableRequestOptions {
  readonly signal?: AbortSignal;
  /** @default 60000 */
  readonly timeoutMs?: number;
}

/** Whether an agent declares a request of the unstable protocol. */
export function offersUnstable(declared: AgentCapabilities, method: UnstableMethod): boolean {
  return isJsonObject(valueAt(declared, ...capabilities[method]));
}

/**
 * Sends a request of the unstable protocol, which the host does not declare as a whole.
 *
 * @throws {RpcError} The agent rejected it.
 * @throws {HostError} `not-supported`: the agent does not declare it. `invalid-answer`: the result is not of its type.
 */
export async function requestUnstable<Method extends UnstableMethod>(
  { agent, capabilities: declared, name }: Pick<AgentConnection, 'agent' | 'capabilities' | 'name'>,
  method: Method,
  params: AgentRequests[Method]['params'],
  { timeoutMs = requestMs, ...options }: UnstableRequestOptions = {},
): Promise<AgentRequests[Method]['result']> {
  if (!offersUnstable(declared, method)) {
    throw new HostError('not-supported', `${method}: ${name} does not offer it`);
  }
  const { agentRequests } = await import('@parley/acp/unstable');
  const readers: Readers = agentRequests;
  const answer = await agent.requestExtension(method, params, { ...options, timeoutMs });
  const result = readers[method].parseResult(answer);
  if (!(result instanceof Invalid)) return result;
  throw new HostError('invalid-answer', `${method}: ${name}: ${result.message}`);
}

/** What reads the results. */
type Readers = {
  readonly [Method in UnstableMethod]: {
    readonly parseResult: (value: unknown) => AgentRequests[Method]['result'] | Invalid;
  };
};

/** Time limit for the agent's response. */
const requestMs = 60_000;
