import { createRemoteAcp, defaultRemoteLimits, type RemoteClient } from '@parley/acp/http';
import type { PolicyRule } from '@parley/host';
import { RpcError, rpcCodes, type RpcErrorObject, type Transport } from '@parley/wire';
import { WorkspaceError } from '@parley/workspace';
import { refusal } from '../access/refusal.ts';
import type { AgentAccess } from '../bridge/bridge-options.ts';
import { createCount } from '../count.ts';
import { GatewayError } from '../gateway-error.ts';
import type { TakeOver } from '../node-http/handler.ts';
import type { AgentPool } from '../pool/agent-pool.ts';
import { acceptWebSocket } from '../server/accept-web-socket.ts';
import type { Route, RouteContext } from '../server/route.ts';
import { ClientDenials, type DeniedRequest } from './client-denials.ts';
import { ClientGuard } from './client-guard.ts';
import { openAgentTransport } from './open-agent-transport.ts';
import { relay } from './relay.ts';

/** What is served to remote clients of ACP. */
export interface AcpRoutesOptions {
  /** The agents, by name. */
  readonly agents: ReadonlyMap<string, AgentAccess>;
  /** The one behind `/acp`. */
  readonly defaultAgent: string;
  /** The directories that sessions may use, by their real paths; agents start in the first. */
  readonly workspaces: readonly [string, ...string[]];
  readonly pool: AgentPool;
  /** Rules of the configuration; only what they deny counts here, for the client decides the rest. @default none */
  readonly rules?: readonly PolicyRule[];
  /** A rule has rejected what an agent asked for. @default nothing is said */
  readonly onDenied?: (agent: string, denied: DeniedRequest) => void;
  /** A turn of an agent begins; what is returned hears how it stopped. @default nothing is said */
  readonly onTurn?: (agent: string) => (stopReason: string) => void;
}

/** `/acp` and `/acp/NAME`. */
export interface AcpRoutes {
  readonly routes: readonly Route[];
  /** Clients that are connected. */
  readonly connections: number;
  /**
   * Begins no turn any more, lets those that run go on for a while, and ends all clients. Settles when their agents have
   * ended.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

const prefix = '/acp';

/** Serves agents to clients of ACP that are elsewhere. Each client has an agent process of its own. */
export function createAcpRoutes(options: AcpRoutesOptions): AcpRoutes {
  const { agents, defaultAgent, workspaces, pool, rules = [], onTurn, onDenied } = options;
  const denying = rules.filter(({ decision }) => decision === 'deny');
  const owners = new Map<string, string>();
  const relays = new Set<Promise<void>>();
  const turns = createCount();
  let isEnding = false;
  // What the gateway knows of a request reaches `accept` through the request.
  const contexts = new WeakMap<Request, RouteContext>();

  const denialsFor = (agentName: string, token: string | undefined): ClientDenials | undefined =>
    denying.length === 0
      ? undefined
      : new ClientDenials({
          agentName,
          rules: denying,
          directory: workspaces[0],
          onDenied: (denied) => onDenied?.(agentName, { ...denied, ...(token !== undefined && { token }) }),
        });

  const accept = (transport: Transport, { connectionId, request }: RemoteClient): void => {
    const name = agentNameOf(request, defaultAgent);
    const access = agents.get(name);
    if (access === undefined) throw new RpcError(rpcCodes.invalidRequest, 'there is no such agent');
    const token = contexts.get(request)?.principal?.name;
    owners.set(connectionId, token ?? '');
    const denials = denialsFor(name, token);
    const relayed = relay(transport, {
      open: (signal) => openAgentTransport(access, { cwd: workspaces[0], pool, connectionId, signal }),
      guard: new ClientGuard({
        workspaces,
        ...(denials !== undefined && { denials }),
        isEnding: () => isEnding,
        onTurn: () => {
          const settle = turns.add();
          const stop = onTurn?.(name);
          return (stopReason) => {
            settle();
            stop?.(stopReason);
          };
        },
      }),
      toError,
    }).finally(() => {
      owners.delete(connectionId);
      relays.delete(relayed);
    });
    relays.add(relayed);
  };
  const remote = createRemoteAcp({ accept });

  const refuse = (request: Request, { principal }: RouteContext): Response | undefined => {
    const name = agentNameOf(request, defaultAgent);
    if (!agents.has(name)) return refusal(404, 'unknown_agent', `there is no agent ${JSON.stringify(name)}`);
    const connectionId = request.headers.get('acp-connection-id');
    // The id of a connection is no secret, and so it opens nothing to whoever has another token.
    if (connectionId === null || !owners.has(connectionId)) return undefined;
    if (owners.get(connectionId) === principal?.name) return undefined;
    return refusal(404, 'unknown_connection', 'there is no such connection');
  };

  const route: Route = {
    path: prefix,
    isPrefix: true,
    // Whoever may only look has nothing to say to an agent.
    scopes: () => ['admin', 'use'],
    answer: (request, context) => {
      contexts.set(request, context);
      return refuse(request, context) ?? remote.handle(request);
    },
    upgrade: (request, context): Promise<Response | TakeOver> => {
      contexts.set(request, context);
      const refused = refuse(request, context);
      const upgrade = refused === undefined ? remote.upgrade(request) : undefined;
      if (upgrade === undefined) {
        const busy = (): Response =>
          refusal(503, 'too_many_connections', 'too many connections', { headers: { 'retry-after': '5' } });
        return Promise.resolve(refused ?? busy());
      }
      const { headers } = upgrade;
      const { maxMessageBytes } = defaultRemoteLimits;
      return Promise.resolve(
        acceptWebSocket(
          (socket) => {
            upgrade.accept(socket);
          },
          { headers, maxMessageBytes, signal: context.signal },
        ),
      );
    },
  };

  return {
    routes: [route],
    get connections() {
      return remote.connections;
    },
    close: async ({ graceMs = 0 } = {}) => {
      isEnding = true;
      await turns.none(graceMs);
      await remote.close();
      await Promise.all(relays);
    },
  };
}

/** The agent that the address of a request names. */
function agentNameOf(request: Request, defaultAgent: string): string {
  const name = new URL(request.url).pathname.slice(prefix.length).replaceAll(/^\/|\/$/gu, '');
  if (name === '') return defaultAgent;
  try {
    return decodeURIComponent(name);
  } catch {
    // No agent is called what cannot be read.
    return name;
  }
}

/** What a client is told when its agent cannot be started. */
function toError(error: unknown): RpcErrorObject {
  const isOurs = error instanceof GatewayError || error instanceof WorkspaceError;
  return {
    code: rpcCodes.internalError,
    message: isOurs ? error.message : 'the agent cannot be reached',
    ...(error instanceof GatewayError && { data: { code: error.code } }),
  };
}
