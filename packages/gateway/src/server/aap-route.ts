import type { Access, AapServer } from '@parley/aap/server';
import type { Principal } from '../access/token.ts';
import type { Route } from './route.ts';

/** `/aap`: the Agent Application Protocol. */
export function aapRoute(server: AapServer): Route {
  return {
    path: '/aap',
    isPrefix: true,
    answer: (request, { requestId, principal }) =>
      server.handle(request, { requestId, ...(principal !== undefined && { access: toAccess(principal) }) }),
  };
}

/** Whoever has a token for use sees the sessions that were made with it; the others see all. */
function toAccess({ name, scope }: Principal): Access {
  switch (scope) {
    case 'admin':
      return { seesAll: true };
    case 'observe':
      return { seesAll: true, isReadOnly: true };
    case 'use':
      return { tenant: name };
  }
}
