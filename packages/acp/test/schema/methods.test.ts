import { Invalid } from '@parley/wire';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type {
  AgentRequests,
  ClientNotifications,
  NewSessionRequest,
  NewSessionResponse,
  SessionNotification,
} from '../../src/schema/v1/stable.ts';
import { readOfficialSchema } from './official-schema.ts';

const stable = await import('../../src/schema/v1/methods.ts');
const unstable = await import('../../src/schema/v1/unstable/methods.ts');

interface Table {
  readonly [name: string]: { readonly side: string; readonly kind: string };
}

describe.each([
  ['stable', { ...stable }],
  ['unstable', { ...unstable }],
] as const)('the %s methods', (status, module) => {
  const tables: Readonly<Record<string, Table>> = module;
  const rows = Object.values(tables).flatMap((table) =>
    Object.entries(table).map(([name, method]) => ({ name, side: method.side, kind: method.kind })),
  );

  test('are those of the official schema, for each side', () => {
    const official = Object.entries(readOfficialSchema(status).$defs)
      .filter(([type, node]) => node['x-method'] !== undefined && !type.endsWith('Response'))
      .map(([type, node]) => ({
        name: node['x-method'],
        side: node['x-side'],
        kind: type.endsWith('Request') ? 'request' : 'notification',
      }));
    const sorted = (all: readonly object[]): string[] => all.map((each) => JSON.stringify(each)).toSorted();

    expect(sorted(rows)).toEqual(sorted(official));
  });

  test('are in the table of their side and kind', () => {
    for (const [table, methods] of Object.entries(tables)) {
      for (const { side, kind } of Object.values(methods)) {
        expect(table).toBe(`${side}${kind === 'request' ? 'Requests' : 'Notifications'}`);
      }
    }
  });
});

test('an empty result may be null, and empty params may be absent', () => {
  expect(stable.agentRequests['session/load'].parseResult(null)).toEqual({});
  expect(stable.clientRequests['fs/write_text_file'].parseResult(null)).toEqual({});
  expect(stable.agentRequests['session/list'].parseParams(undefined)).toEqual({});
  expect(stable.agentRequests['session/new'].parseParams(undefined)).toBeInstanceOf(Invalid);
  expect(stable.agentRequests['session/prompt'].parseResult(null)).toBeInstanceOf(Invalid);
});

test('a message of MCP is a request to the client and a notification to the agent', () => {
  expect(unstable.clientRequests['mcp/message'].kind).toBe('request');
  expect(unstable.agentNotifications['mcp/message'].kind).toBe('notification');
});

test('the tables have the types of their values', () => {
  expectTypeOf(stable.agentRequests['session/new'].parseParams).returns.toEqualTypeOf<
    NewSessionRequest | Invalid
  >();
  expectTypeOf<AgentRequests['session/new']['result']>().toEqualTypeOf<NewSessionResponse>();
  expectTypeOf<ClientNotifications['session/update']['params']>().toEqualTypeOf<SessionNotification>();
});
