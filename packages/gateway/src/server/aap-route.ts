import type { Access, AapServer } from '@parley/aap/server';
import { mayBeginSessions, seesAllSessions } from '../access/session-access.ts';
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

/** The rule of {@link judgeSession}, in the terms of the AAP server. */
function toAccess(principal: Principal): Access {
  return {
    name: principal.name,
    tenant: principal.id,
    seesAll: seesAllSessions(principal),
    isReadOnly: !mayBeginSessions(principal),
  };
}
