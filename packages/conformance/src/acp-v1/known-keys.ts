import { isJsonObject, type JsonObject, valueAt } from '@parley/wire';
import type { SentRequest } from './checked-agent.ts';

/**
 * Root keys in the agent's messages that are not part of the protocol, as `message: key`. Extensions belong in
 * `_meta`.
 */
export function unknownKeys(message: JsonObject, answered: SentRequest | undefined): readonly string[] {
  const envelope = keysOf(message, ['jsonrpc', 'id', 'method', 'params', 'result', 'error'], 'the message');
  const { method, params, result } = message;
  if (typeof method !== 'string') {
    const known = answered === undefined ? undefined : resultKeys.get(answered.method);
    if (answered === undefined || known === undefined) return envelope;
    // A result may repeat a param: the field is the protocol's, and has its meaning.
    const repeated = Object.entries(answered.params).flatMap(([key, value]) =>
      valueAt(result, key) === value ? [key] : [],
    );
    return [...envelope, ...keysOf(result, [...known, ...repeated], `the result of ${answered.method}`)];
  }
  const known = paramKeys.get(method);
  const own = known ? keysOf(params, known, method) : [];
  if (method !== 'session/update') return [...envelope, ...own];
  const update = valueAt(params, 'update');
  const name = String(valueAt(update, 'sessionUpdate'));
  const fields = updateKeys.get(name);
  const updates = fields ? keysOf(update, ['sessionUpdate', ...fields], name) : [];
  return [...envelope, ...own, ...updates];
}

function keysOf(value: unknown, known: readonly string[], what: string): readonly string[] {
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .filter((key) => key !== '_meta' && !known.includes(key))
    .map((key) => `${what}: ${key}`);
}

/** Results by their method; besides the stable ones those of the unstable schema. */
export const resultKeys: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['initialize', ['protocolVersion', 'agentCapabilities', 'authMethods', 'agentInfo']],
  ['authenticate', []],
  ['logout', []],
  ['session/new', ['sessionId', 'modes', 'configOptions']],
  ['session/load', ['modes', 'configOptions']],
  ['session/resume', ['modes', 'configOptions']],
  ['session/fork', ['sessionId', 'modes', 'configOptions']],
  ['session/list', ['sessions', 'nextCursor']],
  ['session/delete', []],
  ['session/close', []],
  ['session/set_mode', []],
  ['session/set_config_option', ['configOptions']],
  ['session/prompt', ['stopReason', 'usage']],
]);

/** Params by the method of the client. */
export const paramKeys: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['session/update', ['sessionId', 'update']],
  ['session/request_permission', ['sessionId', 'toolCall', 'options']],
]);

const toolCallKeys: readonly string[] = [
  'toolCallId',
  'title',
  'name',
  'kind',
  'status',
  'content',
  'locations',
  'rawInput',
  'rawOutput',
];

/** Updates by their `sessionUpdate`. */
export const updateKeys: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['user_message_chunk', ['content', 'messageId']],
  ['agent_message_chunk', ['content', 'messageId']],
  ['agent_thought_chunk', ['content', 'messageId']],
  ['tool_call', toolCallKeys],
  ['tool_call_update', toolCallKeys],
  ['plan', ['entries']],
  ['available_commands_update', ['availableCommands']],
  ['current_mode_update', ['currentModeId']],
  ['config_option_update', ['configOptions']],
  ['session_info_update', ['title', 'updatedAt']],
  ['usage_update', ['used', 'size', 'cost']],
]);
