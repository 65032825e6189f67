import { Invalid, invalidParams } from '@parley/acp';
import type { ClientName } from '@parley/host';
import { isSessionKey, parsePromptBlocks } from '@parley/host';
import type {
  AnswerParams,
  AttendParams,
  CancelParams,
  HubAnswer,
  NewSessionMeta,
  NewSessionWorktree,
  PromptMeta,
  QueueChange,
  QueueParams,
  RenameParams,
  ResumeMeta,
  RevokeParams,
  SessionParams,
  SignInParams,
  WatchParams,
} from '@parley/host/hub';
import type { AnswerScope } from '@parley/workspace/rule';

type Fields = Readonly<Record<string, unknown>>;

/** The longest title, reason or value that a user types. */
const mostCharacters = 10_000;

/** The longest name of a client, of which the rest is cut off, and the longest id of a prompt, which is refused. */
const mostNameCharacters = 100;

/** Reads what names a session. @throws {RpcError} -32602. */
export function parseSessionParams(params: unknown): SessionParams {
  return { sessionId: sessionIdIn(toFields(params, 'params')) };
}

/** Reads which events are wanted. @throws {RpcError} -32602. */
export function parseWatchParams(params: unknown): WatchParams {
  const fields = toFields(params, 'params');
  const after = optional(fields['after'], (value) => toCount(value, 'after'));
  return { sessionId: sessionIdIn(fields), ...(after !== undefined && { after }) };
}

/** Reads how a client attends. @throws {RpcError} -32602. */
export function parseAttendParams(params: unknown): AttendParams {
  const answers = optional(toFields(params ?? {}, 'params')['answers'], (value) =>
    value === 'watched' ? value : toFlag(value, 'answers'),
  );
  return { ...(answers !== undefined && { answers }) };
}

/** Reads the name by which a client introduces itself; undefined where it has none. */
export function parseClientName(params: unknown): ClientName | undefined {
  const info = optional(toFields(params ?? {}, 'params')['clientInfo'], (value) =>
    toFields(value, 'clientInfo'),
  );
  const name = optional(info?.['name'], (value) => toText(value, 'clientInfo.name'));
  return name === undefined ? undefined : { name: name.slice(0, mostNameCharacters) };
}

/** Reads the `_meta` of a prompt. @throws {RpcError} -32602. */
export function parsePromptMeta(meta: Fields): PromptMeta {
  const promptId = optional(meta['parley/promptId'], (value) => toText(value, '_meta.parley/promptId'));
  if (promptId !== undefined && (promptId === '' || promptId.length > mostNameCharacters)) {
    throw invalidParams('_meta.parley/promptId', `text of 1 to ${String(mostNameCharacters)} characters`);
  }
  const unattended = optional(meta['parley/unattended'], (value) => toFlag(value, '_meta.parley/unattended'));
  const passesHeld = optional(meta['parley/passesHeld'], (value) => toFlag(value, '_meta.parley/passesHeld'));
  return {
    ...(promptId !== undefined && { 'parley/promptId': promptId }),
    ...(unattended !== undefined && { 'parley/unattended': unattended }),
    ...(passesHeld !== undefined && { 'parley/passesHeld': passesHeld }),
  };
}

/** Reads the `_meta` of a session that is resumed. @throws {RpcError} -32602. */
export function parseResumeMeta(meta: Fields): ResumeMeta {
  const received = optional(meta['parley/received'], (value) => {
    const fields = toFields(value, '_meta.parley/received');
    return {
      event: toCount(fields['event'], '_meta.parley/received.event'),
      updates: toCount(fields['updates'], '_meta.parley/received.updates'),
    };
  });
  const ownPrompts = optional(meta['parley/ownPrompts'], (value) =>
    Object.values(toTexts(Array.isArray(value) ? { ...value } : value, '_meta.parley/ownPrompts')),
  );
  return {
    ...(received !== undefined && { 'parley/received': received }),
    ...(ownPrompts !== undefined && { 'parley/ownPrompts': ownPrompts }),
  };
}

/** Reads an answer to a question. @throws {RpcError} -32602. */
export function parseAnswerParams(params: unknown): AnswerParams {
  const fields = toFields(params, 'params');
  return {
    sessionId: sessionIdIn(fields),
    requestId: toText(fields['requestId'], 'requestId'),
    answer: toAnswer(toFields(fields['answer'], 'answer')),
  };
}

/** Reads a change of a queue. @throws {RpcError} -32602. */
export function parseQueueParams(params: unknown): QueueParams {
  const fields = toFields(params, 'params');
  const sessionId = sessionIdIn(fields);
  return { sessionId, change: toChange(toFields(fields['change'], 'change'), sessionId) };
}

/** Reads what a session is to be called. @throws {RpcError} -32602. */
export function parseRenameParams(params: unknown): RenameParams {
  const fields = toFields(params, 'params');
  const title = optional(fields['title'], (value) => toText(value, 'title'))?.trim() ?? '';
  return { sessionId: sessionIdIn(fields), ...(title !== '' && { title }) };
}

/** Reads how a user signs in to an agent. @throws {RpcError} -32602. */
export function parseSignInParams(params: unknown): SignInParams {
  const fields = toFields(params, 'params');
  const values = optional(fields['values'], (value) => toTexts(value, 'values'));
  return {
    agent: toText(fields['agent'], 'agent'),
    methodId: toText(fields['methodId'], 'methodId'),
    ...(values !== undefined && { values }),
  };
}

/** Reads which remembered answer is revoked. @throws {RpcError} -32602. */
export function parseRevokeParams(params: unknown): RevokeParams {
  return { id: toText(toFields(params, 'params')['id'], 'id') };
}

/** Reads how a turn is cancelled. @throws {RpcError} -32602. */
export function parseCancelParams(params: unknown): CancelParams {
  const fields = toFields(params, 'params');
  const graceMs = optional(fields['graceMs'], (value) => toCount(value, 'graceMs'));
  return { sessionId: sessionIdIn(fields), ...(graceMs !== undefined && { graceMs }) };
}

/** Reads the `_meta` of a new session. @throws {RpcError} -32602. */
export function parseNewSessionMeta(meta: Fields): NewSessionMeta {
  const agent = optional(meta['parley/agent'], (value) => toText(value, '_meta.parley/agent'));
  const mode = optional(meta['parley/mode'], (value) => toText(value, '_meta.parley/mode'));
  const options = optional(meta['parley/options'], (value) =>
    Object.fromEntries(
      Object.entries(toFields(value, '_meta.parley/options')).map(([id, choice]) => {
        if (typeof choice !== 'string' && typeof choice !== 'boolean') {
          throw invalidParams(`_meta.parley/options.${id}`, 'text, true or false');
        }
        return [id, choice];
      }),
    ),
  );
  const unattended = optional(meta['parley/unattended'], (value) => toFlag(value, '_meta.parley/unattended'));
  const worktree = optional(meta['parley/worktree'], (value) => toFields(value, '_meta.parley/worktree'));
  return {
    ...(unattended !== undefined && { 'parley/unattended': unattended }),
    ...(agent !== undefined && { 'parley/agent': agent }),
    ...(mode !== undefined && { 'parley/mode': mode }),
    ...(options !== undefined && { 'parley/options': options }),
    ...(worktree !== undefined && { 'parley/worktree': toWorktree(worktree) }),
  };
}

function toWorktree(fields: Fields): NewSessionWorktree {
  const name = optional(fields['name'], (value) => toText(value, '_meta.parley/worktree.name'));
  const base = optional(fields['base'], (value) => toText(value, '_meta.parley/worktree.base'));
  const withChanges = optional(fields['withChanges'], (value) =>
    toFlag(value, '_meta.parley/worktree.withChanges'),
  );
  return {
    ...(name !== undefined && { name }),
    ...(base !== undefined && { base }),
    ...(withChanges !== undefined && { withChanges }),
  };
}

function toAnswer(fields: Fields): HubAnswer {
  const reason = optional(fields['reason'], (value) => toText(value, 'answer.reason'));
  const why = reason === undefined ? {} : { reason };
  switch (fields['kind']) {
    case 'option':
      return { kind: 'option', optionId: toText(fields['optionId'], 'answer.optionId'), ...why };
    case 'remember': {
      const { decision } = fields;
      if (decision !== 'allow' && decision !== 'deny') {
        throw invalidParams('answer.decision', '"allow" or "deny"');
      }
      return { kind: 'remember', decision, scope: toScope(fields['scope']), ...why };
    }
    case 'form': {
      const { action } = fields;
      if (action === 'accept') {
        return { kind: 'form', action, content: toFields(fields['content'] ?? {}, 'answer.content') };
      }
      if (action === 'decline' || action === 'cancel') return { kind: 'form', action };
      throw invalidParams('answer.action', '"accept", "decline" or "cancel"');
    }
    case 'sign-in': {
      const values = optional(fields['values'], (value) => toTexts(value, 'answer.values'));
      return {
        kind: 'sign-in',
        methodId: toText(fields['methodId'], 'answer.methodId'),
        ...(values !== undefined && { values }),
      };
    }
    case 'cancel':
      return { kind: 'cancel' };
    default:
      throw invalidParams('answer.kind', 'a kind of answer');
  }
}

function toScope(value: unknown): AnswerScope {
  if (value === 'turn' || value === 'session' || value === 'project' || value === 'user') return value;
  throw invalidParams('answer.scope', '"turn", "session", "project" or "user"');
}

function toChange(fields: Fields, sessionId: string): QueueChange {
  const { kind } = fields;
  if (kind === 'go-on') return { kind };
  const id = (): string => toText(fields['id'], 'change.id');
  switch (kind) {
    case 'edit':
      return { kind, id: id(), blocks: parsePromptBlocks(fields['blocks'], sessionId) };
    case 'move':
      return { kind, id: id(), to: toCount(fields['to'], 'change.to') };
    case 'remove':
    case 'send-now':
      return { kind, id: id() };
    default:
      throw invalidParams('change.kind', '"edit", "move", "remove", "send-now" or "go-on"');
  }
}

/** A key is a plain name; what leads elsewhere is none. */
function sessionIdIn(fields: Fields): string {
  const sessionId = toText(fields['sessionId'], 'sessionId');
  if (!isSessionKey(sessionId)) throw invalidParams('sessionId', 'the key of a session');
  return sessionId;
}

function toFields(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidParams(path, 'an object');
  }
  return { ...value };
}

function toTexts(value: unknown, path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(toFields(value, path)).map(([name, text]) => [name, toText(text, `${path}.${name}`)]),
  );
}

function toText(value: unknown, path: string): string {
  if (typeof value === 'string' && value.length <= mostCharacters) return value;
  throw invalidParams(path, `text of at most ${String(mostCharacters)} characters`);
}

function toFlag(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  throw invalidParams(path, 'true or false');
}

function toCount(value: unknown, path: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidParams(path, 'a whole number that is not negative');
}

function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value);
}

/** @throws {RpcError} -32602: the params are not what the protocol says. */
export function readParams<Params>(parsed: Params | Invalid): Params {
  if (parsed instanceof Invalid) throw invalidParams(parsed.path, parsed.expected);
  return parsed;
}
