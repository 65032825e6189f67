import type { Access, AapServer } from '@parley/aap/server';
import { mayBeginSessions, seesAllSessions } from '../access/session-access.ts';
import type { Principal } from '../access/token.ts';
import { Hub } from '../hub/create-hub.ts';
import { answerAtOwner } from './aap-elsewhere.ts';
import type { Route } from './route.ts';

/**
 * The route `/aap`: the Agent Application Protocol.
 *
 * @param hub The hub, where its sessions may be on other replicas. @default all are here
 * @param ready Awaited for each request: afterwards the agents have been probed. @default resolves immediately
 */
export function aapRoute(
  server: AapServer,
  ready: (pathname: string) => Promise<unknown> = () => Promise.resolve(),
  hub?: Hub,
): Route {
  return {
    path: '/aap',
    isPrefix: true,
    answer: async (request, { requestId, principal }) => {
      await ready(new URL(request.url).pathname);
      const access = principal === undefined ? undefined : toAccess(principal);
      const answer = () => server.handle(request, { requestId, ...(access !== undefined && { access }) });
      if (hub === undefined) return answer();
      return answerAtOwner(Hub.sessionsOf(hub), { request, access: access ?? {}, requestId }, answer);
    },
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
