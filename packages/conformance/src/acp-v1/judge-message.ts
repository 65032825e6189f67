import { Invalid, agentRequests, clientNotifications, clientRequests } from '@parley/acp';
import { isJsonObject, type JsonObject, valueAt } from '@parley/wire';
import type { SentRequest } from './checked-agent.ts';
import { shown } from './json-value.ts';

/**
 * Describes how a message of an agent violates the stable schema; `undefined` if it does not. The parsers return a
 * valid message unchanged: any part that they had to change violates the schema.
 */
export function faultOf(
  message: JsonObject,
  answered: Pick<SentRequest, 'method'> | undefined,
): string | undefined {
  const { method } = message;
  if (typeof method === 'string') return callFault(method, message);
  if (message['error'] !== undefined || answered === undefined) return undefined;
  const row = lookUp(agentRequests, answered.method);
  return row && difference(`the result of ${answered.method}`, message['result'] ?? {}, row.parseResult);
}

type Parse = (value: unknown) => unknown;

function callFault(method: string, message: JsonObject): string | undefined {
  const request = lookUp(clientRequests, method);
  const row = request ?? lookUp(clientNotifications, method);
  if (row === undefined) {
    const isExtension = method.startsWith('_') || method.startsWith('$/');
    return isExtension ? undefined : `${method} is no method of a client`;
  }
  const wantsId = request !== undefined;
  if (wantsId !== (message['id'] !== undefined)) {
    return `${method} came as a ${wantsId ? 'notification' : 'request'}`;
  }
  return difference(`the params of ${method}`, message['params'], row.parseParams);
}

function lookUp<Row>(table: Readonly<Record<string, Row>>, method: string): Row | undefined {
  return table[method];
}

function difference(what: string, value: unknown, parse: Parse): string | undefined {
  const parsed = parse(value);
  if (parsed instanceof Invalid) return `${what}: ${parsed.message}`;
  const path = firstDifference(value, parsed, '');
  return path === undefined
    ? undefined
    : `${what}: ${path} is not what the schema says: ${shown(valueAt(value, ...path.split('.')))}`;
}

/** Where a parser changed something; `null` for an optional field is the schema's own way to leave it out. */
function firstDifference(value: unknown, parsed: unknown, path: string): string | undefined {
  if (value === parsed || (value === null && parsed === undefined)) return undefined;
  if (Array.isArray(value) && Array.isArray(parsed) && value.length === parsed.length) {
    return firstOf(value.keys(), (index) => firstDifference(value[index], parsed[index], join(path, index)));
  }
  if (!isJsonObject(value) || !isJsonObject(parsed)) return path === '' ? 'it' : path;
  const keys = new Set([...Object.keys(value), ...Object.keys(parsed)]);
  return firstOf(keys, (key) => firstDifference(value[key], parsed[key], join(path, key)));
}

function firstOf<Item>(items: Iterable<Item>, find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function join(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`;
}
