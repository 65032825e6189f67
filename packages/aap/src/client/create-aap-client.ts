import { systemClock } from '@parley/wire';
import type { ReceivedTypes } from '../received.ts';
import type {
  AapClient,
  AapClientOptions,
  PostOptions,
  StreamedEventNames,
  StreamedMode,
} from './aap-client.ts';
import { AapClientError } from './aap-error.ts';
import { defaultClientLimits } from './limits.ts';
import { createSend, describe, readAnswer, type Outgoing } from './send.ts';
import { openTurnStream, type StreamedName, type TurnStream } from './turn-stream.ts';

/** Creates a client of one server. */
export function createAapClient(options: AapClientOptions): AapClient {
  const limits = { ...defaultClientLimits, ...options.limits };
  const clock = options.clock ?? systemClock;
  const send = createSend(options);

  const ask = async <Name extends keyof ReceivedTypes>(
    name: Name,
    request: Outgoing,
  ): Promise<ReceivedTypes[Name]> =>
    readAnswer(name, await send(request), { request, maxBytes: limits.maxAnswerBytes });

  const sendForStream = async (request: Outgoing): Promise<Response> => {
    const response = await send({ ...request, headers: { accept: eventStream, ...request.headers } });
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith(eventStream)) return response;
    await response.body?.cancel();
    throw new AapClientError('invalid-answer', `${describe(request)}: the response is not an event stream`);
  };

  const openStream = async <Name extends StreamedName>(
    eventName: Name,
    request: Outgoing,
    { sessionId, stream, ...known }: StreamPlace,
  ): Promise<TurnStream<ReceivedTypes[Name]>> => {
    const signal = request.signal !== undefined && { signal: request.signal };
    return openTurnStream(await sendForStream(request), {
      ...known,
      eventName,
      request: describe(request),
      limits,
      clock,
      ...signal,
      follow: (turnId, lastEventId) =>
        sendForStream({ ...toFollow({ sessionId, stream, turnId, lastEventId }), ...signal }),
    });
  };

  const client: AapClient = {
    getMeta: (call) => ask('GetMetaResponse', { method: 'GET', path: ['meta'], ...call }),

    getSessions: ({ limit, ...query } = {}, call) =>
      ask('GetSessionsResponse', {
        method: 'GET',
        path: ['sessions'],
        query: { ...query, limit: limit?.toString() },
        ...call,
      }),

    async *listSessions(query = {}, call) {
      const seen = new Set<string | undefined>([query.after]);
      let page = await client.getSessions(query, call);
      for (;;) {
        yield* page.sessions;
        // Pages that lead to each other would never end.
        if (page.next === undefined || seen.has(page.next)) return;
        seen.add(page.next);
        page = await client.getSessions({ ...query, after: page.next }, call);
      }
    },

    createSession: (request, call) =>
      ask('PostSessionsResponse', { method: 'POST', path: ['sessions'], body: request, ...toPost(call) }),

    getSession: (sessionId, call) =>
      ask('SessionInfo', { method: 'GET', path: ['sessions', sessionId], ...call }),

    async getHistory(sessionId, type, call) {
      const request: Outgoing = {
        method: 'GET',
        path: ['sessions', sessionId, 'history'],
        query: { type },
        ...call,
      };
      const { history } = await ask('GetSessionHistoryResponse', request);
      const messages = history[type];
      if (messages === undefined) {
        throw new AapClientError('invalid-answer', `${describe(request)}: history.${type}: expected a list`);
      }
      return messages;
    },

    async deleteSession(sessionId, call) {
      const response = await send({ method: 'DELETE', path: ['sessions', sessionId], ...call });
      await response.body?.cancel();
    },

    postTurn: (sessionId, request, call) =>
      ask('PostSessionTurnResponse', {
        method: 'POST',
        path: ['sessions', sessionId, 'turns'],
        body: { ...request, stream: 'none' },
        ...toPost(call),
      }),

    streamTurn: (sessionId, request, call) =>
      openStream(
        eventNames[request.stream],
        { method: 'POST', path: ['sessions', sessionId, 'turns'], body: request, ...toPost(call) },
        { sessionId },
      ),

    async getTurns(sessionId, call) {
      const path = ['sessions', sessionId, 'turns'];
      return (await ask('GetTurnsResponse', { method: 'GET', path, ...call })).turns;
    },

    getTurn: (sessionId, turnId, call) =>
      ask('Turn', { method: 'GET', path: ['sessions', sessionId, 'turns', turnId], ...call }),

    followTurn: (sessionId, turnId, { lastEventId, stream, signal } = {}) =>
      openStream(
        'TurnEvent',
        {
          ...toFollow({ sessionId, stream, turnId, lastEventId }),
          ...(signal !== undefined && { signal }),
        },
        { sessionId, turnId, stream, ...(lastEventId !== undefined && { lastEventId }) },
      ),

    async cancelTurn(sessionId, turnId, call) {
      const path = ['sessions', sessionId, 'turns', turnId, 'cancel'];
      const response = await send({ method: 'POST', path, ...call });
      await response.body?.cancel();
    },
  };
  return client;
}

const eventStream = 'text/event-stream';

const eventNames: StreamedEventNames = { delta: 'DeltaTurnEvent', message: 'MessageTurnEvent' };

function toPost({ signal, idempotencyKey }: PostOptions = {}): Pick<Outgoing, 'signal' | 'headers'> {
  return {
    ...(signal !== undefined && { signal }),
    ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
  };
}

function toFollow({ sessionId, turnId, stream, lastEventId }: FollowedTurn): Outgoing {
  return {
    method: 'GET',
    path: ['sessions', sessionId, 'turns', turnId, 'events'],
    query: { stream },
    ...(lastEventId !== undefined && { headers: { 'last-event-id': lastEventId } }),
  };
}

/** What is followed, and how. */
interface FollowedTurn {
  readonly sessionId: string;
  readonly turnId: string;
  readonly stream: StreamedMode | undefined;
  readonly lastEventId: string | undefined;
}

/** Where a stream comes from. */
interface StreamPlace {
  readonly sessionId: string;
  readonly turnId?: string;
  readonly lastEventId?: string;
  /** When it is not as the turn's request asked for it. */
  readonly stream?: StreamedMode | undefined;
}
