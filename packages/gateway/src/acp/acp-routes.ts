import { createRemoteAcp, defaultRemoteLimits, type RemoteClient } from '@parley/acp/http';
import { RpcError, rpcCodes, type Transport } from '@parley/wire';
import { refusal } from '../access/refusal.ts';
import { scopes } from '../access/token.ts';
import { Hub } from '../hub/create-hub.ts';
import type { TakeOver } from '../node-http/handler.ts';
import { acceptWebSocket } from '../server/accept-web-socket.ts';
import type { Route, RouteContext } from '../server/route.ts';

/** The routes `/acp` and `/acp/NAME`. */
export interface AcpRoutes {
  readonly routes: readonly Route[];
  /** Number of connected clients. */
  readonly connections: number;
  /** Disconnects all clients. */
  close(): Promise<void>;
}

const prefix = '/acp';

/** Serves the sessions of a hub over WebSocket and streamable HTTP; the path names the agent of new sessions. */
export function createAcpRoutes(hub: Hub): AcpRoutes {
  const { agents } = Hub.sessionsOf(hub);
  /** The ids of the tokens that opened the connections. */
  const holders = new Map<string, string>();
  // What the gateway knows of a request reaches `accept` through the request.
  const contexts = new WeakMap<Request, RouteContext>();

  const accept = (transport: Transport, { connectionId, request }: RemoteClient): void => {
    const { principal, follow } = contexts.get(request) ?? {};
    if (principal === undefined) throw new RpcError(rpcCodes.invalidRequest, 'a token is required');
    if (hub.isFull) throw new RpcError(rpcCodes.internalError, 'too many clients are connected');
    holders.set(connectionId, principal.id);
    const followed = follow?.();
    const agent = agentNameOf(request);
    const until = followed === undefined ? {} : { until: followed.signal };
    void hub
      .connect(transport, { principal, ...until, ...(agent !== undefined && { agent }) })
      .finally(() => {
        followed?.[Symbol.dispose]();
        holders.delete(connectionId);
      });
  };
  const remote = createRemoteAcp({ accept });

  const refuse = async (request: Request, { principal }: RouteContext): Promise<Response | undefined> => {
    const name = agentNameOf(request);
    if (name !== undefined && (await agents.findNow(name))?.spec === undefined) {
      return refusal(404, 'unknown_agent', `no agent ${JSON.stringify(name)}`);
    }
    const connectionId = request.headers.get('acp-connection-id');
    // The id of a connection is no secret: with another token, it is as good as one that does not exist.
    if (connectionId === null) return undefined;
    if (principal !== undefined && holders.get(connectionId) === principal.id) return undefined;
    return refusal(404, 'unknown_connection', 'the connection does not exist');
  };

  const upgrade = async (
    request: Request,
    context: RouteContext & { readonly signal: AbortSignal },
  ): Promise<Response | TakeOver> => {
    // The end of its socket is the end of its connection.
    const { requestId, principal } = context;
    contexts.set(request, { requestId, ...(principal !== undefined && { principal }) });
    const refused = await refuse(request, context);
    if (refused !== undefined) return refused;
    const upgraded = hub.isFull ? undefined : remote.upgrade(request);
    if (upgraded === undefined) {
      return refusal(503, 'too_many_connections', 'too many connections', {
        headers: { 'retry-after': '5' },
      });
    }
    const { headers } = upgraded;
    const { maxMessageBytes } = defaultRemoteLimits;
    return acceptWebSocket(
      (socket) => {
        upgraded.accept(socket);
      },
      { headers, maxMessageBytes, signal: context.signal },
    );
  };

  const route: Route = {
    path: prefix,
    isPrefix: true,
    // What each may do is decided for each message.
    scopes: () => scopes,
    answer: async (request, context) => {
      contexts.set(request, context);
      return (await refuse(request, context)) ?? remote.handle(request);
    },
    upgrade,
  };

  return {
    routes: [route],
    get connections() {
      return remote.connections;
    },
    close: () => remote.close(),
  };
}

/** The agent that the address of a request names. */
function agentNameOf(request: Request): string | undefined {
  const name = new URL(request.url).pathname.slice(prefix.length).replaceAll(/^\/|\/$/gu, '');
  if (name === '') return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    // No agent is called what cannot be read.
    return name;
  }
}
