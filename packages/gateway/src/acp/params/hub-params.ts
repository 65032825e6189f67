import type { ClientName } from '@parley/host';
import { isSessionKey, parsePromptBlocks, sandboxChoices } from '@parley/host';
import type {
  AnswerParams,
  AttendParams,
  CancelParams,
  CancelSubagentParams,
  HandOverParams,
  HubAnswer,
  LookParams,
  NewSessionMeta,
  PromptMeta,
  QueueChange,
  QueueParams,
  RenameParams,
  ResumeMeta,
  RevokeParams,
  SessionParams,
  WatchParams,
} from '@parley/host/hub';
import {
  anyObject,
  checked,
  either,
  fields,
  flag,
  isObject,
  listOf,
  oneOf,
  optional,
  type Schema,
} from '@parley/workspace/schema';
import * as v from 'valibot';
import {
  boundedText,
  byKind,
  countFrom,
  params,
  paramsParser,
  recordOf,
  textOf,
  type ParamsParser,
} from './params.ts';

/** Characters of a client's name, which is truncated, and of a prompt's id, which is rejected if longer. */
const mostNameCharacters = 100;

const count = countFrom(0, 'a whole number that is not negative');

/** Identifies a session by its key, a plain name that cannot be a path. */
export const sessionField: { readonly sessionId: Schema<string> } = {
  sessionId: checked(boundedText, (key) => (isSessionKey(key) ? undefined : 'the key of a session')),
};

/** Reads what names a session. */
export const parseSessionParams: ParamsParser<SessionParams> = paramsParser(params(sessionField));

/** Parses the requested events. */
export const parseWatchParams: ParamsParser<WatchParams> = paramsParser(
  params({ ...sessionField, after: optional(count) }),
);

/** Reads how a client attends. */
export const parseAttendParams: ParamsParser<AttendParams> = paramsParser(
  params({ answers: optional(v.union([v.literal('watched'), v.boolean()], 'true, false or "watched"')) }),
);

/** Reads whether the user of a client looks at it. */
export const parseLookParams: ParamsParser<LookParams> = paramsParser(params({ isLooking: flag }));

const clientInfo = paramsParser(params({ clientInfo: optional(params({ name: optional(boundedText) })) }));

/** Reads the name by which a client introduces itself; undefined where it has none. @throws {RpcError} -32602. */
export function parseClientName(initialize: unknown): ClientName | undefined {
  const name = clientInfo(initialize).clientInfo?.name;
  return name === undefined ? undefined : { name: name.slice(0, mostNameCharacters) };
}

/** Reads the `_meta` of a prompt. */
export const parsePromptMeta: ParamsParser<PromptMeta> = paramsParser(
  params({
    'parley/promptId': optional(textOf(1, mostNameCharacters)),
    'parley/unattended': optional(flag),
    'parley/onAsk': optional(oneOf(['fail'])),
    'parley/passesHeld': optional(flag),
  }),
  '_meta',
);

/** Reads the `_meta` of a session that is resumed. */
export const parseResumeMeta: ParamsParser<ResumeMeta> = paramsParser(
  params({
    'parley/received': optional(params({ event: count, updates: count })),
    'parley/ownPrompts': optional(listOf(boundedText)),
  }),
  '_meta',
);

/** Reads the `_meta` of a new session. */
export const parseNewSessionMeta: ParamsParser<NewSessionMeta> = paramsParser(
  params({
    'parley/agent': optional(boundedText),
    'parley/mode': optional(boundedText),
    'parley/options': optional(recordOf(v.union([v.string(), v.boolean()], 'text, true or false'))),
    'parley/unattended': optional(flag),
    'parley/sandbox': optional(oneOf(sandboxChoices)),
    'parley/team': optional(listOf(boundedText)),
    'parley/worktree': optional(
      params({ name: optional(boundedText), base: optional(boundedText), withChanges: optional(flag) }),
    ),
  }),
  '_meta',
);

const reason = { reason: optional(boundedText) };

const answer: Schema<HubAnswer> = byKind<HubAnswer>({
  option: params({ kind: v.literal('option'), optionId: boundedText, ...reason }),
  remember: params({
    kind: v.literal('remember'),
    decision: oneOf(['allow', 'deny']),
    scope: oneOf(['turn', 'session', 'project', 'user']),
    ...reason,
  }),
  form: either(
    [
      params({
        kind: v.literal('form'),
        action: v.literal('accept'),
        content: v.exactOptional(anyObject, () => ({})),
      }),
      fields({
        kind: v.literal('form'),
        action: v.picklist(['decline', 'cancel'], '"accept", "decline" or "cancel"'),
      }),
    ],
    (value) => isObject(value) && value['action'] === 'accept',
  ),
  'sign-in': params({
    kind: v.literal('sign-in'),
    methodId: boundedText,
    values: optional(recordOf(boundedText)),
  }),
  cancel: fields({ kind: v.literal('cancel') }),
});

/** Reads an answer to a question. */
export const parseAnswerParams: ParamsParser<AnswerParams> = paramsParser(
  params({ ...sessionField, requestId: boundedText, answer }),
);

type Edit = Extract<QueueChange, { readonly kind: 'edit' }>;

const queueParams = paramsParser(
  params({
    ...sessionField,
    change: byKind<Exclude<QueueChange, Edit> | (Omit<Edit, 'blocks'> & { readonly blocks: unknown })>({
      edit: params({ kind: v.literal('edit'), id: boundedText, blocks: v.unknown() }),
      move: params({ kind: v.literal('move'), id: boundedText, to: count }),
      remove: params({ kind: v.literal('remove'), id: boundedText }),
      'send-now': params({ kind: v.literal('send-now'), id: boundedText }),
      'go-on': fields({ kind: v.literal('go-on') }),
    }),
  }),
);

/** Reads a change of a queue. @throws {RpcError} -32602. */
export function parseQueueParams(value: unknown): QueueParams {
  const { sessionId, change } = queueParams(value);
  if (change.kind !== 'edit') return { sessionId, change };
  return { sessionId, change: { ...change, blocks: parsePromptBlocks(change.blocks, sessionId) } };
}

const renameParams = paramsParser(params({ ...sessionField, title: optional(boundedText) }));

/** Reads the new title of a session. @throws {RpcError} -32602. */
export function parseRenameParams(value: unknown): RenameParams {
  const { sessionId, title = '' } = renameParams(value);
  const trimmed = title.trim();
  return { sessionId, ...(trimmed !== '' && { title: trimmed }) };
}

/** Reads which sub-agent is cancelled. */
export const parseCancelSubagentParams: ParamsParser<CancelSubagentParams> = paramsParser(
  params({ ...sessionField, subagent: boundedText }),
);

/** Reads which session is handed over, and to which machine. */
export const parseHandOverParams: ParamsParser<HandOverParams> = paramsParser(
  params({ ...sessionField, machine: optional(boundedText), stopsTurn: optional(flag) }),
);

/** Reads which remembered answer is revoked. */
export const parseRevokeParams: ParamsParser<RevokeParams> = paramsParser(params({ id: boundedText }));

/** Reads how a turn is cancelled. */
export const parseCancelParams: ParamsParser<CancelParams> = paramsParser(
  params({ ...sessionField, graceMs: optional(count), isForLimit: optional(flag) }),
);
