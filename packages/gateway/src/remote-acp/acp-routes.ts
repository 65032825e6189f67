import { createRemoteAcp, defaultRemoteLimits, type RemoteClient } from '@parley/acp/http';
import { createCount, HostError, Redaction, specSecrets, type AgentPool, type AgentSpec } from '@parley/host';
import { RpcError, rpcCodes, type RpcErrorObject, type Transport } from '@parley/wire';
import { WorkspaceError } from '@parley/workspace';
import type { ConfiguredRule } from '@parley/workspace/rule';
import { refusal } from '../access/refusal.ts';
import { scopes } from '../access/token.ts';
import type { TakeOver } from '../node-http/handler.ts';
import { acceptWebSocket } from '../server/accept-web-socket.ts';
import type { Route, RouteContext } from '../server/route.ts';
import { ClientDenials, type DeniedRequest } from './client-denials.ts';
import { ClientGuard } from './client-guard.ts';
import { openAgentTransport } from './open-agent-transport.ts';
import { redactedTransport } from './redacted-transport.ts';
import { relay } from './relay.ts';
import { memorySessionOwners, type SessionOwners } from './session-owners.ts';

/** What is served to remote clients of ACP. */
export interface AcpRoutesOptions {
  /** The agents, by name. */
  readonly agents: ReadonlyMap<string, AgentSpec>;
  /** The one behind `/acp`. */
  readonly defaultAgent: string;
  /** The directories that sessions may use, by their real paths; agents start in the first. */
  readonly workspaces: readonly [string, ...string[]];
  readonly pool: AgentPool;
  /** Whose the sessions are. @default those of this process, as long as it runs */
  readonly owners?: SessionOwners;
  /** Rules of the configuration; only what they deny counts here, for the client decides the rest. @default none */
  readonly rules?: readonly ConfiguredRule[];
  /** Hosts of MCP servers that clients may bring along. @default none, but public ones for tokens of the scope `admin` */
  readonly mcpHosts?: readonly string[];
  /** A rule has rejected what an agent asked for. @default nothing is said */
  readonly onDenied?: (agent: string, denied: DeniedRequest) => void;
  /** A turn of an agent begins; what is returned hears how it stopped. @default nothing is said */
  readonly onTurn?: (agent: string) => (stopReason: string) => void;
  /** A fault of ours. @default nothing is said */
  readonly onFault?: (error: unknown) => void;
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
  const {
    agents,
    defaultAgent,
    workspaces,
    pool,
    rules = [],
    mcpHosts = [],
    onTurn,
    onDenied,
    onFault,
  } = options;
  const { owners = memorySessionOwners() } = options;
  const denying = rules.filter(({ decision }) => decision === 'deny');
  /** The ids of the tokens that opened the connections. */
  const holders = new Map<string, string>();
  const relays = new Set<Promise<void>>();
  /** Clients whose agents have not ended. */
  const clients = new Map<string, { readonly guard: ClientGuard; readonly over: Promise<void> }>();
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

  /** Ends what a killed client of the same owner has left of a session: its agent would keep the session for another minute. */
  const makeWay = async (sessionId: string, connectionId: string): Promise<void> => {
    const holder = holders.get(connectionId);
    for (const [id, { guard, over }] of clients) {
      if (id === connectionId || holders.get(id) !== holder || !guard.hasOpened(sessionId)) continue;
      if (guard.isOver || remote.endUnattended(id)) await over;
    }
  };

  const accept = (transport: Transport, { connectionId, request }: RemoteClient): void => {
    const name = agentNameOf(request, defaultAgent);
    const spec = agents.get(name);
    if (spec === undefined) throw new RpcError(rpcCodes.invalidRequest, 'there is no such agent');
    const { principal, follow } = contexts.get(request) ?? {};
    if (principal === undefined) throw new RpcError(rpcCodes.invalidRequest, 'a token is needed');
    holders.set(connectionId, principal.id);
    const followed = follow?.();
    const denials = denialsFor(name, principal.name);
    const guard = new ClientGuard({
      principal,
      agent: name,
      owners,
      workspaces,
      mcp: { hosts: mcpHosts, scope: principal.scope },
      ...(onFault !== undefined && { onFault }),
      ...(denials !== undefined && { denials }),
      isEnding: () => isEnding,
      makeWay: (sessionId) => makeWay(sessionId, connectionId),
      onTurn: () => {
        const settle = turns.add();
        const stop = onTurn?.(name);
        return (stopReason) => {
          settle();
          stop?.(stopReason);
        };
      },
    });
    const relayed = relay(transport, {
      open: async (signal) =>
        redactedTransport(
          await openAgentTransport(spec, { cwd: workspaces[0], pool, connectionId, signal }),
          new Redaction(specSecrets(spec)),
        ),
      guard,
      toError,
      ...(followed !== undefined && { until: followed.signal }),
    }).finally(() => {
      followed?.[Symbol.dispose]();
      holders.delete(connectionId);
      relays.delete(relayed);
      clients.delete(connectionId);
    });
    relays.add(relayed);
    clients.set(connectionId, { guard, over: relayed });
  };
  const remote = createRemoteAcp({ accept });

  const refuse = (request: Request, { principal }: RouteContext): Response | undefined => {
    const name = agentNameOf(request, defaultAgent);
    if (!agents.has(name)) return refusal(404, 'unknown_agent', `there is no agent ${JSON.stringify(name)}`);
    const connectionId = request.headers.get('acp-connection-id');
    // The id of a connection is no secret: with another token, it is as good as one that does not exist.
    if (connectionId === null) return undefined;
    if (principal !== undefined && holders.get(connectionId) === principal.id) return undefined;
    return refusal(404, 'unknown_connection', 'there is no such connection');
  };

  const route: Route = {
    path: prefix,
    isPrefix: true,
    // Who may do what, the guard of the connection decides.
    scopes: () => scopes,
    answer: (request, context) => {
      contexts.set(request, context);
      return refuse(request, context) ?? remote.handle(request);
    },
    upgrade: (request, context): Promise<Response | TakeOver> => {
      // The end of its socket is the end of its connection.
      const { requestId, principal } = context;
      contexts.set(request, { requestId, ...(principal !== undefined && { principal }) });
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
  const isFull = error instanceof HostError && error.code === 'overloaded';
  const isOurs = isFull || error instanceof WorkspaceError;
  return {
    code: rpcCodes.internalError,
    message: isOurs ? error.message : 'the agent cannot be reached',
    ...(isFull && { data: { code: error.code } }),
  };
}
