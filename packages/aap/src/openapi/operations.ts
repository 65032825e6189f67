import type { DefinitionName } from '../schema/definitions.ts';
import type { Schema } from '../schema/schema.ts';
import type { ErrorStatus } from './error-answers.ts';

/** One thing that can be asked of a server. */
export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Besides those of the path. */
  readonly parameters?: readonly Parameter[];
  readonly body?: DefinitionName;
  readonly answers: readonly Answer[];
  readonly errors: readonly ErrorStatus[];
}

/** A field of the query or the header. */
export interface Parameter {
  readonly name: string;
  readonly place: 'query' | 'header';
  readonly description: string;
  readonly schema: Schema;
  readonly isRequired?: boolean;
}

/** An answer that is a success. */
export interface Answer {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  readonly schema?: DefinitionName;
  readonly stream?: { readonly description: string; readonly example: string };
  readonly headers?: Readonly<Record<string, string>>;
}

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  place: 'header',
  description: 'The same key with the same request is the same call. An extension.',
  schema: { type: 'string' },
};

const turnIdHeader = { 'AAP-Turn-Id': 'The id of the turn. An extension.' };

const eventStream = {
  description:
    'Server-sent events. Each has the name of a `TurnEvent` as `event:`, its other fields as `data:`, and a number as `id:`. ' +
    '`turn_start` is always the first, `turn_stop` the last; events with other names are extensions. Lines that begin with a ' +
    'colon are comments.',
  example: [
    'event: turn_start\nid: 1\ndata: {"turnId":"t1"}\n',
    'event: text_delta\nid: 2\ndata: {"delta":"Hello."}\n',
    'event: turn_stop\nid: 3\ndata: {"stopReason":"end_turn"}\n',
    '',
  ].join('\n'),
};

const always: readonly ErrorStatus[] = [401, 406, 429, 500];
const withBody: readonly ErrorStatus[] = [400, 403, 413, 415, 422, 503, ...always];

/** All that a server of ours answers. */
export const operations: readonly Operation[] = [
  {
    id: 'getMeta',
    method: 'get',
    path: '/meta',
    summary: 'The agents there are.',
    answers: [{ status: 200, description: 'The agents.', schema: 'GetMetaResponse' }],
    errors: always,
  },
  {
    id: 'listSessions',
    method: 'get',
    path: '/sessions',
    summary: 'A page of sessions, newest first.',
    parameters: [
      {
        name: 'after',
        place: 'query',
        description: 'The `next` of the page before.',
        schema: { type: 'string' },
      },
      {
        name: 'limit',
        place: 'query',
        description: 'How many there are on a page, at most. An extension.',
        schema: { type: 'integer' },
      },
      {
        name: 'agent',
        place: 'query',
        description: 'Of one agent only. An extension.',
        schema: { type: 'string' },
      },
      {
        name: 'status',
        place: 'query',
        description: 'In one status only. An extension.',
        schema: { $ref: '#/$defs/SessionStatus' },
      },
    ],
    answers: [{ status: 200, description: 'The sessions.', schema: 'GetSessionsResponse' }],
    errors: [400, ...always],
  },
  {
    id: 'createSession',
    method: 'post',
    path: '/sessions',
    summary: 'Makes a session. No agent runs yet.',
    parameters: [idempotencyKey],
    body: 'PostSessionsRequest',
    answers: [
      {
        status: 201,
        description: 'The session was made.',
        schema: 'PostSessionsResponse',
        headers: { Location: 'The path of the session. An extension.' },
      },
    ],
    errors: withBody,
  },
  {
    id: 'getSession',
    method: 'get',
    path: '/sessions/{sessionId}',
    summary: 'How a session is set.',
    answers: [{ status: 200, description: 'The session.', schema: 'SessionInfo' }],
    errors: [404, ...always],
  },
  {
    id: 'deleteSession',
    method: 'delete',
    path: '/sessions/{sessionId}',
    summary: 'Deletes a session with its history. A running turn is cancelled.',
    answers: [{ status: 204, description: 'The session was deleted.' }],
    errors: [403, 404, ...always],
  },
  {
    id: 'getHistory',
    method: 'get',
    path: '/sessions/{sessionId}/history',
    summary: 'What was said in a session.',
    parameters: [
      {
        name: 'type',
        place: 'query',
        description: 'One that the agent declares in `capabilities.history`.',
        schema: { $ref: '#/$defs/HistoryType' },
        isRequired: true,
      },
    ],
    answers: [{ status: 200, description: 'The history.', schema: 'GetSessionHistoryResponse' }],
    errors: [400, 404, ...always],
  },
  {
    id: 'runTurn',
    method: 'post',
    path: '/sessions/{sessionId}/turns',
    summary: 'Runs a turn.',
    description:
      'Sends a message to the agent, or answers the calls that wait for the application. `stream` is the stream mode of the turn.',
    parameters: [idempotencyKey],
    body: 'PostSessionTurnRequest',
    answers: [
      {
        status: 200,
        description: 'The turn: as a whole in the mode `none`, else as a stream.',
        schema: 'PostSessionTurnResponse',
        stream: eventStream,
        headers: turnIdHeader,
      },
    ],
    errors: [404, 409, ...withBody],
  },
  {
    id: 'listTurns',
    method: 'get',
    path: '/sessions/{sessionId}/turns',
    summary: 'The turns of a session, oldest first. An extension.',
    answers: [{ status: 200, description: 'The turns.', schema: 'GetTurnsResponse' }],
    errors: [404, ...always],
  },
  {
    id: 'getTurn',
    method: 'get',
    path: '/sessions/{sessionId}/turns/{turnId}',
    summary: 'The state of a turn. An extension.',
    answers: [{ status: 200, description: 'The turn.', schema: 'Turn' }],
    errors: [404, ...always],
  },
  {
    id: 'followTurn',
    method: 'get',
    path: '/sessions/{sessionId}/turns/{turnId}/events',
    summary: 'Replays a turn, and follows it. An extension.',
    parameters: [
      {
        name: 'Last-Event-ID',
        place: 'header',
        description: 'The event that was read last. Without it, all events are sent.',
        schema: { type: 'string' },
      },
      {
        name: 'stream',
        place: 'query',
        description: 'The stream mode: `delta` or `message`. Without it, that of the turn.',
        schema: { type: 'string', enum: ['delta', 'message'] },
      },
    ],
    answers: [{ status: 200, description: 'The events.', stream: eventStream, headers: turnIdHeader }],
    errors: [400, 404, ...always],
  },
  {
    id: 'cancelTurn',
    method: 'post',
    path: '/sessions/{sessionId}/turns/{turnId}/cancel',
    summary: 'Ends a turn, and answers when it has ended. An extension.',
    answers: [{ status: 200, description: 'The turn, stopped.', schema: 'Turn' }],
    errors: [403, 404, ...always],
  },
];
