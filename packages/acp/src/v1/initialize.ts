import { advertise, type Advertised } from '../extension.ts';
import type { Meta } from '../meta.ts';
import type {
  AgentCapabilities,
  AuthMethod,
  ClientCapabilities,
  Implementation,
  InitializeRequest,
  InitializeResponse,
} from '../schema/v1/unstable.ts';

/** The protocol version of these sides. */
export const protocolVersion = 1;

/** What an agent says of itself. */
export interface AgentDescription {
  readonly info: Implementation;
  readonly capabilities?: AgentCapabilities;
  readonly authMethods?: readonly AuthMethod[] | ((client: ClientCapabilities) => readonly AuthMethod[]);
  readonly meta?: Meta;
  readonly extensions: Advertised;
}

/** What a client says of itself. */
export interface ClientDescription {
  readonly info: Implementation;
  readonly capabilities?: ClientCapabilities;
  readonly extensions: Advertised;
}

/**
 * The answer to `initialize`. ACP v1, Initialization: the version is the client's if we speak it, else our latest;
 * there is only one, so the answer is always the same.
 *
 * @param added What the agent's own handler wants in it.
 */
export function createInitializeResult(
  agent: AgentDescription,
  { clientCapabilities = {} }: InitializeRequest,
  added: Partial<InitializeResponse>,
): InitializeResponse {
  const { authMethods = [] } = agent;
  const offered =
    added.authMethods ?? (typeof authMethods === 'function' ? authMethods(clientCapabilities) : authMethods);
  const meta = { ...agent.meta, ...added._meta };
  return {
    agentInfo: agent.info,
    ...added,
    protocolVersion,
    agentCapabilities: advertiseIn(added.agentCapabilities ?? agent.capabilities ?? {}, agent.extensions),
    authMethods: offered.filter((method) => isForClient(method, clientCapabilities)),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}

/** The params of a client's `initialize`. */
export function createInitializeParams(client: ClientDescription, meta: Meta | undefined): InitializeRequest {
  return {
    protocolVersion,
    clientCapabilities: advertiseIn(client.capabilities ?? {}, client.extensions),
    clientInfo: client.info,
    ...(meta !== undefined && { _meta: meta }),
  };
}

/** Capabilities with the extensions in their `_meta`. */
function advertiseIn<Capabilities extends { readonly _meta?: Meta }>(
  capabilities: Capabilities,
  extensions: Advertised,
): Capabilities {
  const meta = advertise(capabilities._meta, extensions);
  return Object.keys(meta).length === 0 ? capabilities : { ...capabilities, _meta: meta };
}

/** ACP v1, Authentication: a method that runs in a terminal only for a client that can run one. */
function isForClient(method: AuthMethod, client: ClientCapabilities): boolean {
  return method.type !== 'terminal' || client.auth?.terminal === true;
}
