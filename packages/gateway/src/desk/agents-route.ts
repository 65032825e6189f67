import { refusal } from '../access/refusal.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Route } from '../server/route.ts';
import type { DeskTable } from './desk-table.ts';

/** `POST /api/agents/NAME/probe`: starts an agent to see what it offers, and answers its card. */
export function agentsRoute(table: DeskTable): Route {
  return {
    path: '/api/agents',
    isPrefix: true,
    scopes: () => ['admin'],
    answer: async (request, { requestId }) => {
      const name = nameIn(new URL(request.url).pathname);
      const source = table.options.agents.find((agent) => agent.name === name);
      if (source === undefined) {
        return refusal(404, 'not_found', 'there is no such agent', { requestId });
      }
      if (request.method !== 'POST') {
        return refusal(405, 'method_not_allowed', 'an agent is looked at by POST', {
          requestId,
          headers: { allow: 'POST' },
        });
      }
      try {
        const { card } = await table.looks.look(source);
        return Response.json(card, { headers: { 'cache-control': 'no-store' } });
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        return error.code === 'not-installed'
          ? refusal(409, 'not_installed', error.message, { requestId })
          : refusal(503, 'too_many_looks', error.message, { requestId, headers: { 'retry-after': '5' } });
      }
    },
  };
}

function nameIn(pathname: string): string | undefined {
  const name = /^\/api\/agents\/([^/]+)\/probe\/?$/u.exec(pathname)?.[1];
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    // Percent signs that are no encoding.
    return undefined;
  }
}
