import type { GetSessionHistoryResponse } from '../../endpoint.ts';
import { RequestError } from '../request-error.ts';
import { findAgent, invalidRequest, toJson, type Exchange } from './exchange.ts';

/** `GET /sessions/:id/history`. */
export function getHistory(exchange: Exchange, sessionId: string): Promise<Response> {
  const { access, sessions, url } = exchange;
  return sessions.use(sessionId, access, async ({ state }) => {
    const type = url.searchParams.get('type');
    if (type !== 'full' && type !== 'compacted') throw invalidRequest('type: expected full or compacted');
    const capabilities = findAgent(exchange, state.agent.name)?.info.capabilities;
    if (capabilities?.history?.[type] === undefined) {
      throw new RequestError(404, 'unsupported_history_type', `${state.agent.name} has no ${type} history`);
    }
    const answer: GetSessionHistoryResponse = { history: { [type]: state.history } };
    return toJson(answer);
  });
}
