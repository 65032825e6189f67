import { RpcError } from '@parley/wire';
import { expect, test } from 'vitest';
import { parseConnectModelParams, parseNewAgent } from './agent-params.ts';
import { parseContentParams, parseDiffParams, parseHunksParams } from './changes-params.ts';
import {
  parseAnswerParams,
  parseAttendParams,
  parseClientName,
  parseNewSessionMeta,
  parsePromptMeta,
  parseQueueParams,
  parseRenameParams,
  parseResumeMeta,
  parseSessionParams,
} from './hub-params.ts';
import type { ParamsParser } from './params.ts';
import { parseMergeParams, parseRaceParams } from './worktree-params.ts';

const sessionId = 'b7e0ce3a-93a6-4a36-9b3c-0a9a2a3f2a10';

function faultOf(parse: ParamsParser<unknown>, params: unknown): unknown {
  try {
    return parse(params);
  } catch (error) {
    return error instanceof RpcError ? `${String(error.code)} ${error.message}` : error;
  }
}

test.each<[parse: ParamsParser<unknown>, params: unknown, parsed: unknown]>([
  [parseSessionParams, { sessionId, other: 1, _meta: null }, { sessionId }],
  [parseAttendParams, undefined, {}],
  [parseAttendParams, { answers: 'watched' }, { answers: 'watched' }],
  [parseAttendParams, { answers: null }, {}],
  [parseClientName, { clientInfo: { name: 'x'.repeat(200), version: '1' } }, { name: 'x'.repeat(100) }],
  [parseClientName, { clientInfo: null }, undefined],
  [parsePromptMeta, { 'parley/unattended': true, 'x/y': 1 }, { 'parley/unattended': true }],
  [parseResumeMeta, { 'parley/ownPrompts': ['a'] }, { 'parley/ownPrompts': ['a'] }],
  [parseNewSessionMeta, { 'parley/options': { a: true, b: 'c' } }, { 'parley/options': { a: true, b: 'c' } }],
  [parseRenameParams, { sessionId, title: '  ' }, { sessionId }],
  [
    parseDiffParams,
    { sessionId, turn: 1, paths: ['a', { base64: 'YQ' }] },
    { sessionId, turn: 1, paths: ['a', { base64: 'YQ' }] },
  ],
  [parseNewAgent, { name: 'n', command: 'c' }, { name: 'n', command: 'c', args: [], env: {} }],
  [
    parseAnswerParams,
    { sessionId, requestId: 'r', answer: { kind: 'form', action: 'accept' } },
    { sessionId, requestId: 'r', answer: { kind: 'form', action: 'accept', content: {} } },
  ],
  [
    parseQueueParams,
    { sessionId, change: { kind: 'edit', id: 'p', blocks: [{ type: 'text', text: 'x' }] } },
    { sessionId, change: { kind: 'edit', id: 'p', blocks: [{ type: 'text', text: 'x' }] } },
  ],
])('%# params are read, without what means nothing in them', (parse, params, parsed) => {
  expect(faultOf(parse, params)).toEqual(parsed);
});

const text = 'expected text of at most 10000 characters';

test.each<[parse: ParamsParser<unknown>, params: unknown, fault: string]>([
  [parseSessionParams, [], 'params: expected an object'],
  [parseSessionParams, {}, `sessionId: ${text}`],
  [parseSessionParams, { sessionId: '../up' }, 'sessionId: expected the key of a session'],
  [parseAttendParams, { answers: 's3cret' }, 'answers: expected true, false or "watched"'],
  [parseClientName, { clientInfo: { name: 5 } }, `clientInfo.name: ${text}`],
  [parsePromptMeta, { 'parley/promptId': '' }, '_meta.parley/promptId: expected text of 1 to 100 characters'],
  [
    parseResumeMeta,
    { 'parley/received': { event: 1.5, updates: 0 } },
    '_meta.parley/received.event: expected a whole number that is not negative',
  ],
  [
    parseNewSessionMeta,
    { 'parley/options': { model: 5 } },
    '_meta.parley/options.model: expected text, true or false',
  ],
  [parseDiffParams, { sessionId, turn: 0 }, 'turn: expected the number of a turn, from 1'],
  [parseDiffParams, { sessionId, paths: [{ base64: 1 }] }, `paths[0].base64: ${text}`],
  [parseContentParams, { sessionId, path: 'a', side: 's3cret' }, 'side: expected "before" or "after"'],
  [parseHunksParams, { sessionId, hunks: [] }, 'hunks: expected a list of 1 to 10000 ids of hunks'],
  [parseMergeParams, { sessionId, message: ' ' }, 'message: expected text that is not empty'],
  [parseRaceParams, { cwd: 'src', agents: ['a'], prompt: 'x' }, 'cwd: expected an absolute path'],
  [parseRaceParams, { cwd: '/', agents: ['a'], prompt: ' ' }, 'prompt: expected a prompt'],
  [parseNewAgent, { name: 'n', command: 'c', args: [5] }, `args[0]: ${text}`],
  [parseConnectModelParams, { provider: 'p', key: ['s3cret'] }, `key: ${text}`],
  [
    parseAnswerParams,
    { sessionId, requestId: 'r', answer: { kind: 's3cret' } },
    'answer.kind: expected "option", "remember", "form", "sign-in", "cancel"',
  ],
  [parseAnswerParams, { sessionId, requestId: 'r', answer: { kind: 'option' } }, `answer.optionId: ${text}`],
  [
    parseAnswerParams,
    { sessionId, requestId: 'r', answer: { kind: 'form', action: 's3cret' } },
    'answer.action: expected "accept", "decline" or "cancel"',
  ],
  [
    parseQueueParams,
    { sessionId, change: { kind: 'edit', id: 'p' } },
    'change.blocks: expected content of a prompt',
  ],
])(
  '%# wrong params are rejected with the place and what was expected, and never quoted',
  (parse, params, fault) => {
    expect(faultOf(parse, params)).toBe(`-32602 Invalid params: ${fault}`);
  },
);
