// Answers that are not what was asked for, and what an agent refuses.
import { introduction } from './agent.mjs';

/** @typedef {Readonly<Record<string, import('./agent.mjs').Handler>>} Handlers */

/**
 * Answers a method with a result of its own.
 *
 * @type {(method: string, result: unknown) => Handlers}
 */
const answering = (method, result) => ({ [method]: (agent, { id }) => agent.send({ id, result }) });

/**
 * Refuses a method because the user is not signed in.
 *
 * @type {(method: string) => Handlers}
 */
const refusing = (method) => ({
  [method]: (agent, { id }) =>
    agent.send({ id, error: { code: -32000, message: 'Authentication required' } }),
});

/**
 * Answers a prompt with members of its own.
 *
 * @type {(members: object) => Handlers}
 */
const promptWith = (members) => ({ 'session/prompt': (agent, { id }) => agent.send({ id, ...members }) });

/** @type {import('./agent.mjs').Faults} */
export const answers = {
  'initialize-null': { what: 'initialize is answered with null.', on: answering('initialize', null) },
  'initialize-empty': { what: 'initialize is answered with {}.', on: answering('initialize', {}) },
  'version-0': {
    what: 'It speaks version 0.',
    on: answering('initialize', { ...introduction, protocolVersion: 0 }),
  },
  'version-7': {
    what: 'It speaks version 7.',
    on: answering('initialize', { ...introduction, protocolVersion: 7 }),
  },
  'version-as-text': {
    what: 'Its version is the text "1".',
    on: answering('initialize', { ...introduction, protocolVersion: '1' }),
  },
  'initialize-refused': {
    what: 'It refuses initialize.',
    on: {
      initialize: (agent, { id }) => agent.send({ id, error: { code: -32603, message: 'not today' } }),
    },
  },
  'nulls-for-what-is-absent': {
    what: 'What it does not have is null.',
    on: {
      ...answering('initialize', {
        protocolVersion: 1,
        agentInfo: null,
        agentCapabilities: null,
        authMethods: null,
      }),
      ...answering('session/new', { sessionId: 'session-1', modes: null, configOptions: null }),
    },
  },
  'session-null': { what: 'session/new is answered with null.', on: answering('session/new', null) },
  'session-without-id': { what: 'A new session has no id.', on: answering('session/new', {}) },
  'session-id-a-number': {
    what: 'The id of a session is a number.',
    on: answering('session/new', { sessionId: 7 }),
  },
  'one-id-for-all-sessions': {
    what: 'All its sessions have the same id.',
    on: answering('session/new', { sessionId: 'session-1' }),
  },
  'prompt-null': { what: 'A prompt is answered with null.', on: promptWith({ result: null }) },
  'prompt-empty': { what: 'A prompt is answered without a stop reason.', on: promptWith({ result: {} }) },
  'unknown-stop-reason': {
    what: 'A turn ends for an unknown reason.',
    on: promptWith({ result: { stopReason: 'bored' } }),
  },
  'neither-result-nor-error': { what: 'An answer has neither a result nor an error.', on: promptWith({}) },
  'result-and-error': {
    what: 'An answer has a result and an error.',
    on: promptWith({ result: { stopReason: 'end_turn' }, error: { code: 1, message: 'no' } }),
  },
  'error-as-text': { what: 'An error is a text.', on: promptWith({ error: 'no' }) },
  'error-without-code': { what: 'An error has no code.', on: promptWith({ error: { message: 'no' } }) },
  'error-code-as-text': {
    what: 'The code of an error is a text.',
    on: promptWith({ error: { code: 'E_NO', message: 'no' } }),
  },
  'error-with-much-data': {
    what: 'A prompt is refused with data of any shape.',
    on: promptWith({ error: { code: -32603, message: 'Internal error', data: [{ reason: 'full' }, null] } }),
  },
  'id-null': {
    what: 'A prompt is refused under the id null.',
    on: promptWith({ id: null, error: { code: -32700, message: 'Parse error' } }),
  },
  'another-id': {
    what: 'A prompt is answered under an id that was never used.',
    on: {
      'session/prompt': (agent, { id }) => agent.send({ id: id + 1000, result: { stopReason: 'end_turn' } }),
    },
  },
  'ids-as-texts': {
    what: 'A prompt is answered under its id as a text.',
    on: {
      'session/prompt': (agent, { id }) => agent.send({ id: `${id}`, result: { stopReason: 'end_turn' } }),
    },
  },
  'answers-twice': {
    what: 'A prompt is answered twice.',
    on: {
      'session/prompt': (agent, { id }) => {
        for (const stopReason of ['end_turn', 'refusal']) agent.send({ id, result: { stopReason } });
      },
    },
  },
  'answers-to-nothing': {
    what: 'It answers a request that was never sent.',
    turn: (agent) => {
      agent.send({ id: 9999, result: {} });
      agent.send({ id: 'x', error: { code: 1, message: 'no' } });
    },
  },
  'late-answer': {
    what: 'It answers session/new only after that was cancelled.',
    on: {
      'session/new': () => {},
      '$/cancel_request': (agent, { params }) =>
        agent.send({ id: params.requestId, result: { sessionId: 'too-late' } }),
    },
  },
  'auth-at-initialize': { what: 'It wants a sign-in at initialize.', on: refusing('initialize') },
  'auth-at-new': { what: 'It wants a sign-in at session/new.', on: refusing('session/new') },
  'auth-at-load': { what: 'It wants a sign-in at session/load.', on: refusing('session/load') },
  'auth-at-prompt': { what: 'It wants a sign-in at a prompt.', on: refusing('session/prompt') },
};
