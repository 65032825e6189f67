import { invalidParams } from '@parley/acp';
import { isSessionKey } from '@parley/host';
import type { MarkParams } from '@parley/host/hub';
import { judgeSession } from '../access/session-access.ts';
import { VisibleHub } from '../hub/visible-hub.ts';
import type { HubCall, HubRequest } from './hub-call.ts';

/** Sessions that one request marks; more are refused. */
const mostNamed = 10_000;

/** Pins or archives sessions for the token of the client. Sessions that it does not see are ignored. */
export const markSessions: HubRequest = {
  use: 'connection',
  run: async (params, { table, principal }) => {
    const { sessionIds, mark } = parseMarkParams(params);
    const visible = new VisibleHub(table, principal);
    const seen = sessionIds.filter((key) => visible.sees(key));
    await table.marks.set(principal.id, new Set(seen), mark);
    if (mark === 'archived') {
      // An agent may take its time, and the list of the client does not wait for it.
      for (const key of seen) void archiveAtAgent(key, { table, principal }).catch(table.options.onFault);
    }
    return {};
  },
};

/** The mark is the client's own; what the agent stores is for all who see the session. */
async function archiveAtAgent(
  key: string,
  { table, principal }: Pick<HubCall, 'table' | 'principal'>,
): Promise<void> {
  const session = table.found(key);
  if (session === undefined) return;
  if (judgeSession(principal, await table.ownerOf(key), 'change') === 'allowed') await session.archive();
}

function parseMarkParams(params: unknown): MarkParams {
  const { sessionIds, mark } = typeof params === 'object' && params !== null ? toFields(params) : {};
  const isList = Array.isArray(sessionIds) && sessionIds.length <= mostNamed;
  if (!isList || !sessionIds.every((key) => typeof key === 'string' && isSessionKey(key))) {
    throw invalidParams('sessionIds', `a list of at most ${String(mostNamed)} keys of sessions`);
  }
  if (mark === undefined || mark === null) return { sessionIds };
  if (mark === 'pinned' || mark === 'archived') return { sessionIds, mark };
  throw invalidParams('mark', '"pinned" or "archived"');
}

function toFields(params: object): Readonly<Record<string, unknown>> {
  return { ...params };
}
