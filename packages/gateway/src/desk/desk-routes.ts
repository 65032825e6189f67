import { webSocketTransport } from '@parley/wire';
import { refusal } from '../access/refusal.ts';
import type { TakeOver } from '../node-http/handler.ts';
import { acceptWebSocket } from '../server/accept-web-socket.ts';
import type { Route, UpgradeContext } from '../server/route.ts';
import { apiRoute } from './api/api-route.ts';
import type { Desk } from './create-desk.ts';

/** The desk over a WebSocket at `/desk`, and what of it is JSON below `/api`. */
export function deskRoutes(desk: Desk): readonly Route[] {
  return [socketRoute(desk), apiRoute(desk.table)];
}

function socketRoute(desk: Desk): Route {
  return {
    path: '/desk',
    scopes: () => ['admin', 'observe'],
    answer: () =>
      refusal(426, 'upgrade_required', 'the desk is a WebSocket', { headers: { upgrade: 'websocket' } }),
    upgrade: (_request, context) => Promise.resolve(accept(desk, context)),
  };
}

function accept(desk: Desk, { principal, signal }: UpgradeContext): Response | TakeOver {
  if (principal === undefined) return refusal(401, 'unauthorized', 'nobody is known here');
  if (desk.isFull) {
    return refusal(503, 'too_many_connections', 'too many clients', { headers: { 'retry-after': '5' } });
  }
  const { messageBytes } = desk.table.limits;
  return acceptWebSocket(
    (socket) => {
      void desk.connect(webSocketTransport(socket, { maxMessageBytes: messageBytes }), principal);
    },
    { headers: [], maxMessageBytes: messageBytes, signal },
  );
}
