import { webSocketTransport } from '@parley/wire';
import { refusal } from '../access/refusal.ts';
import type { TakeOver } from '../node-http/handler.ts';
import { acceptWebSocket } from '../server/accept-web-socket.ts';
import type { Route, UpgradeContext } from '../server/route.ts';
import { apiRoute } from './api/api-route.ts';
import type { Hub } from './create-hub.ts';

/** The hub over a WebSocket at `/desk`, and what of it is JSON below `/api`. */
export function hubRoutes(hub: Hub): readonly Route[] {
  return [socketRoute(hub), apiRoute(hub.table)];
}

function socketRoute(hub: Hub): Route {
  return {
    path: '/desk',
    scopes: () => ['admin', 'observe'],
    answer: () =>
      refusal(426, 'upgrade_required', 'the hub is a WebSocket', { headers: { upgrade: 'websocket' } }),
    upgrade: (_request, context) => Promise.resolve(accept(hub, context)),
  };
}

function accept(hub: Hub, { principal, signal }: UpgradeContext): Response | TakeOver {
  if (principal === undefined) return refusal(401, 'unauthorized', 'nobody is known here');
  if (hub.isFull) {
    return refusal(503, 'too_many_connections', 'too many clients', { headers: { 'retry-after': '5' } });
  }
  const { messageBytes } = hub.table.limits;
  return acceptWebSocket(
    (socket) => {
      void hub.connect(webSocketTransport(socket, { maxMessageBytes: messageBytes }), principal);
    },
    { headers: [], maxMessageBytes: messageBytes, signal },
  );
}
