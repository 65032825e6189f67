import { protocolVersion, type GetMetaResponse } from '../../endpoint.ts';
import { agentsOf, toJson, type Exchange } from './exchange.ts';

/** `GET /meta`. */
export function getMeta(exchange: Exchange): Response {
  const agents = agentsOf(exchange).map(({ info }) => info);
  const meta: GetMetaResponse = { version: protocolVersion, agents, extensions };
  return toJson(meta);
}

/** What there is beyond the protocol. */
const extensions = {
  /** `turnId`, `AAP-Turn-Id`, `GET …/turns`, `GET …/turns/:turnId`. */
  turns: {},
  /** `id:` of events, `GET …/turns/:turnId/events`, `Last-Event-ID`. */
  resume: {},
  /** `POST …/turns/:turnId/cancel`. */
  cancel: {},
  /** `Idempotency-Key` of both POSTs. */
  idempotency: {},
  /** Title, times and status of sessions; `limit`, `agent` and `status` of lists; `pendingToolCalls`. */
  sessions: {},
  /** `usage` of turns. */
  usage: {},
  /** Events of agents, such as `plan` and `tool_progress`. */
  events: {},
  /** `_meta` of calls, `isError` of results, `optionId` of permissions. */
  calls: {},
} as const;
