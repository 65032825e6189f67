import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { paramKeys, resultKeys, unknownKeys, updateKeys } from './known-keys.ts';

interface Node {
  readonly 'x-method'?: string;
  readonly properties?: Readonly<Record<string, { readonly const?: string }>>;
  readonly allOf?: readonly { readonly $ref: string }[];
  readonly oneOf?: readonly Node[];
}

const url = import.meta.resolve('@agentclientprotocol/sdk/schema/v1/schema.unstable.json');
const { $defs: definitions }: { $defs: Record<string, Node> } = JSON.parse(
  await readFile(fileURLToPath(url), 'utf8'),
);

function keys(name: string): string[] {
  return Object.keys(definitions[name]?.properties ?? {}).filter((key) => key !== '_meta');
}

function definitionOf(method: string, ending: string): string {
  const found = Object.entries(definitions).find(
    ([name, node]) => node['x-method'] === method && name.endsWith(ending),
  );
  return found?.[0] ?? '';
}

test.each([...resultKeys])('the result of %s has the keys of the schema', (method, known) => {
  expect([...known].toSorted()).toEqual(keys(definitionOf(method, 'Response')).toSorted());
});

test.each([...paramKeys])('the params of %s have the keys of the schema', (method, known) => {
  const ending = method === 'session/update' ? 'Notification' : 'Request';
  expect([...known].toSorted()).toEqual(keys(definitionOf(method, ending)).toSorted());
});

test.each([...updateKeys])('the update %s has the keys of the schema', (kind, known) => {
  const variant = definitions['SessionUpdate']?.oneOf?.find(
    ({ properties }) => properties?.['sessionUpdate']?.const === kind,
  );
  const name = variant?.allOf?.[0]?.$ref.split('/').at(-1) ?? '';
  expect([...known].toSorted()).toEqual(keys(name).toSorted());
});

test('a key that the protocol does not know is named, with its place; _meta is free', () => {
  const update = { sessionUpdate: 'plan', entries: [], _meta: {}, mine: 1 };
  const params = { sessionId: 's', update };
  expect(unknownKeys({ jsonrpc: '2.0', method: 'session/update', params, more: 1 }, undefined)).toEqual([
    'the message: more',
    'plan: mine',
  ]);
  const result = { sessionId: 's', history: [], _meta: {} };
  expect(
    unknownKeys({ jsonrpc: '2.0', id: 1, result }, { id: 1, method: 'session/new', params: {} }),
  ).toEqual(['the result of session/new: history']);
});

test('a result may repeat a param of its request, with the same value', () => {
  const request = { id: 1, method: 'session/set_mode', params: { sessionId: 's', modeId: 'ask' } };
  const answer = (modeId: string): readonly string[] =>
    unknownKeys({ jsonrpc: '2.0', id: 1, result: { modeId } }, request);
  expect(answer('ask')).toEqual([]);
  expect(answer('code')).toEqual(['the result of session/set_mode: modeId']);
});
