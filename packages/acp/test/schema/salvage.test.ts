import { Invalid } from '@parley/wire';
import { describe, expect, test } from 'vitest';
import {
  parseAgentCapabilities,
  parseAuthMethod,
  parseCreateTerminalRequest,
  parseElicitationSchema,
  parseInitializeRequest,
  parseInitializeResponse,
  parseListSessionsResponse,
  parseLoadSessionRequest,
  parseMcpServer,
  parseNewSessionRequest,
  parsePlan,
  parseReadTextFileRequest,
  parseSessionModeState,
  parseSessionNotification,
  parseToolCallUpdate,
} from '../../src/schema/v1/stable.ts';

describe('default-on-error', () => {
  test('an invalid optional field counts as absent', () => {
    const update = {
      toolCallId: 'c',
      kind: 'dance',
      status: 3,
      title: {},
      content: 'x',
      _meta: 'x',
      rawInput: 5,
    };

    expect(parseToolCallUpdate(update)).toStrictEqual({ toolCallId: 'c', rawInput: 5 });
  });

  test('an invalid required list is empty', () => {
    expect(parsePlan({ entries: 'x' })).toStrictEqual({ entries: [] });
    expect(parsePlan({ entries: null })).toStrictEqual({ entries: [] });
    expect(parseListSessionsResponse({ sessions: {}, nextCursor: 7 })).toStrictEqual({ sessions: [] });
  });

  test('a required list which is absent is a fault', () => {
    expect(parsePlan({})).toEqual(new Invalid('entries', 'a list'));
    expect(parseSessionModeState({ currentModeId: 'ask' })).toEqual(new Invalid('availableModes', 'a list'));
  });

  test('a required field that is not a list is a fault', () => {
    expect(parseToolCallUpdate({ toolCallId: 1 })).toEqual(new Invalid('toolCallId', 'a string'));
  });

  test('a field with a default in the schema is absent too: absent means the default', () => {
    expect(parseAgentCapabilities({ loadSession: 'yes', promptCapabilities: 3 })).toStrictEqual({});
    expect(parseInitializeResponse({ protocolVersion: 1, authMethods: 'none' })).toStrictEqual({
      protocolVersion: 1,
    });
    expect(parseInitializeRequest({ protocolVersion: 1, clientCapabilities: [] })).toStrictEqual({
      protocolVersion: 1,
    });
    expect(parseElicitationSchema({ type: 'array' })).toStrictEqual({});
  });

  test('salvaging a nested value leaves the rest unchanged', () => {
    const notification = {
      sessionId: 's',
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: {
          type: 'text',
          text: 'hi',
          annotations: { priority: 'high', audience: ['user', 'dog'], own: 1 },
        },
        own: { kept: true },
      },
    };

    expect(parseSessionNotification(notification)).toStrictEqual({
      sessionId: 's',
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: 'hi', annotations: { audience: ['user'], own: 1 } },
        own: { kept: true },
      },
    });
  });
});

describe('skip-invalid-items', () => {
  test('invalid items are removed and the others stay', () => {
    const good = { content: 'one', priority: 'high', status: 'pending' };

    expect(parsePlan({ entries: [good, { content: 'two' }, 5, good] })).toStrictEqual({
      entries: [good, good],
    });
  });

  test('an unknown item is not invalid', () => {
    const parsed = parseToolCallUpdate({
      toolCallId: 'c',
      content: [
        { type: 'hologram', depth: 3 },
        { type: 'diff', path: '/a' },
        'junk',
        { type: 'terminal', terminalId: 't' },
      ],
    });

    expect(parsed).toStrictEqual({
      toolCallId: 'c',
      content: [
        { type: 'unknown', raw: { type: 'hologram', depth: 3 } },
        { type: 'terminal', terminalId: 't' },
      ],
    });
  });

  test('a list without the keyword is invalid with its item', () => {
    const parsed = parseNewSessionRequest({
      cwd: '/',
      mcpServers: [{ name: 'x', command: '/x', args: [1], env: [] }],
    });

    expect(parsed).toEqual(new Invalid('mcpServers[0].args[0]', 'a string'));
  });
});

describe('default-on-null', () => {
  test('null for a required list is the empty list', () => {
    expect(parseNewSessionRequest({ cwd: '/', mcpServers: null })).toStrictEqual({
      cwd: '/',
      mcpServers: [],
    });
    expect(parseMcpServer({ name: 'x', command: '/x', args: null, env: null })).toStrictEqual({
      name: 'x',
      command: '/x',
      args: [],
      env: [],
    });
  });

  test('null for an optional list or map is absent', () => {
    expect(
      parseCreateTerminalRequest({ sessionId: 's', command: 'ls', args: null, env: null }),
    ).toStrictEqual({
      sessionId: 's',
      command: 'ls',
    });
    expect(parseAuthMethod({ type: 'terminal', id: 'i', name: 'n', env: null })).toStrictEqual({
      type: 'terminal',
      id: 'i',
      name: 'n',
    });
  });

  test('a missing required list is a fault, and so is any other value that is not a list', () => {
    expect(parseLoadSessionRequest({ cwd: '/', sessionId: 's' })).toEqual(
      new Invalid('mcpServers', 'a list'),
    );
    expect(parseLoadSessionRequest({ cwd: '/', sessionId: 's', mcpServers: {} })).toEqual(
      new Invalid('mcpServers', 'a list'),
    );
  });
});

describe('null', () => {
  test('is absent for an optional field', () => {
    const parsed = parseReadTextFileRequest({
      sessionId: 's',
      path: '/a',
      line: null,
      limit: 3,
      _meta: null,
    });

    expect(parsed).toStrictEqual({ sessionId: 's', path: '/a', limit: 3 });
  });

  test('clears a field where the protocol says so', () => {
    const update = { sessionUpdate: 'session_info_update', title: null, updatedAt: null, _meta: null };

    expect(parseSessionNotification({ sessionId: 's', update })).toStrictEqual({
      sessionId: 's',
      update: { sessionUpdate: 'session_info_update', title: null, updatedAt: null },
    });
  });

  test('is a value where any value is allowed', () => {
    const update = { toolCallId: 'c', rawInput: null, own: null };

    expect(parseToolCallUpdate(update)).toBe(update);
  });

  test('is a fault for a required field', () => {
    expect(parseReadTextFileRequest({ sessionId: 's', path: null })).toEqual(new Invalid('path', 'a string'));
  });
});
