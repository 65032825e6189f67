import { Invalid } from '@parley/wire';
import { describe, expect, test } from 'vitest';
import {
  parseAuthMethod,
  parseContentBlock,
  parseCreateElicitationRequest,
  parseCreateElicitationResponse,
  parseElicitationPropertySchema,
  parseMcpServer,
  parseMultiSelectItems,
  parsePermissionOption,
  parsePlanEntry,
  parsePromptResponse,
  parseRequestPermissionOutcome,
  parseRequestPermissionRequest,
  parseSessionConfigOption,
  parseSessionUpdate,
  parseSetSessionConfigOptionRequest,
  parseToolCallContent,
} from '../../src/schema/v1/stable.ts';
import { parsePlanUpdateContent, parseStateUpdate } from '../../src/schema/v1/unstable.ts';
import { findDeparture } from '../../src/v1/departure.ts';

describe('an unknown tag', () => {
  test.each([
    ['SessionUpdate', parseSessionUpdate, 'sessionUpdate'],
    ['ContentBlock', parseContentBlock, 'type'],
    ['ToolCallContent', parseToolCallContent, 'type'],
    ['RequestPermissionOutcome', parseRequestPermissionOutcome, 'outcome'],
    ['ElicitationPropertySchema', parseElicitationPropertySchema, 'type'],
    ['MultiSelectItems', parseMultiSelectItems, 'type'],
    ['PlanUpdateContent', parsePlanUpdateContent, 'type'],
  ])('%s: the member is unknown and has the raw value', (_name, parse, tag) => {
    const raw = { [tag]: 'hologram', own: [null, { deep: 1 }], _meta: 'not even an object' };

    const parsed = parse(raw);

    expect(parsed).toStrictEqual({ [tag]: 'unknown', raw });
    expect(parsed).toHaveProperty('raw', raw);
  });

  test('the literal value "unknown" from a peer is unknown', () => {
    const raw = { type: 'unknown', raw: 'mine' };

    expect(parseContentBlock(raw)).toStrictEqual({ type: 'unknown', raw });
  });

  test('a state may be unknown by the protocol, so ours is called other', () => {
    const known = { state: 'unknown' };

    expect(parseStateUpdate(known)).toBe(known);
    expect(parseStateUpdate({ state: 'sleeping' })).toStrictEqual({
      state: 'other',
      raw: { state: 'sleeping' },
    });
  });

  test('common fields of all members are read anyway', () => {
    const raw = { type: 'slider', id: 'i', name: 'n', description: 5, max: 9 };

    expect(parseSessionConfigOption(raw)).toStrictEqual({ type: 'unknown', id: 'i', name: 'n', max: 9, raw });
    expect(parseSessionConfigOption({ type: 'slider', name: 'n' })).toEqual(new Invalid('id', 'a string'));
  });

  test('an elicitation of an unknown mode still has its session or request', () => {
    const raw = { mode: 'telepathy', message: 'm', sessionId: 's' };

    expect(parseCreateElicitationRequest(raw)).toStrictEqual({
      mode: 'unknown',
      message: 'm',
      sessionId: 's',
      raw,
    });
    expect(parseCreateElicitationRequest({ mode: 'telepathy', message: 'm' })).toBeInstanceOf(Invalid);
    expect(parseCreateElicitationResponse({ action: 'ponder' })).toStrictEqual({
      action: 'unknown',
      raw: { action: 'ponder' },
    });
  });
});

describe('a known tag decides', () => {
  test.each([
    ['SessionUpdate', parseSessionUpdate, { sessionUpdate: 'tool_call', toolCallId: 'c' }, 'title'],
    ['ContentBlock', parseContentBlock, { type: 'text' }, 'text'],
    ['RequestPermissionOutcome', parseRequestPermissionOutcome, { outcome: 'selected' }, 'optionId'],
  ])('%s: a malformed member is a fault', (_name, parse, value, path) => {
    expect(parse(value)).toEqual(new Invalid(path, 'a string'));
  });

  test.each([
    ['AuthMethod', parseAuthMethod, { type: 'terminal', id: 'i', name: 'n', args: 5 }],
    ['McpServer', parseMcpServer, { type: 'http', name: 'n', command: '/x', args: [], env: [] }],
    [
      'SetSessionConfigOptionRequest',
      parseSetSessionConfigOptionRequest,
      { type: 'boolean', sessionId: 's', configId: 'c', value: 'x' },
    ],
    ['MultiSelectItems', parseMultiSelectItems, { type: 'string', anyOf: [] }],
  ])('%s: nor is it taken for the member without a tag', (_name, parse, value) => {
    expect(parse(value)).toBeInstanceOf(Invalid);
  });
});

describe('the member without a tag', () => {
  test('accepts a value without a tag', () => {
    const method = { id: 'i', name: 'n' };
    const server = { name: 'n', command: '/x', args: [], env: [] };
    const items = { anyOf: [{ const: 'a', title: 'A' }] };

    expect(parseAuthMethod(method)).toBe(method);
    expect(parseMcpServer(server)).toBe(server);
    expect(parseMultiSelectItems(items)).toBe(items);
  });

  test('accepts an unknown tag if the schema has no other member for it', () => {
    const method = { type: 'env_var', id: 'i', name: 'n' };

    expect(parseAuthMethod(method)).toBe(method);
    expect(parseMcpServer({ type: 'carrier-pigeon', name: 'n' })).toEqual(new Invalid('command', 'a string'));
  });
});

describe('an unknown value, where an enumeration is required', () => {
  test.each([
    ['PermissionOption', parsePermissionOption, 'kind', { optionId: 'o', name: 'n', kind: 'delegate' }],
    [
      'PromptResponse',
      parsePromptResponse,
      'stopReason',
      { stopReason: 'paused', usage: { totalTokens: 3 } },
    ],
    ['PlanEntry', parsePlanEntry, 'status', { content: 'c', priority: 'high', status: 'blocked' }],
    ['PlanEntry', parsePlanEntry, 'priority', { content: 'c', priority: 'urgent', status: 'pending' }],
  ])('%s: it is unknown, and the raw value is there', (_name, parse, field, raw) => {
    expect(parse(raw)).toStrictEqual({ ...raw, [field]: 'unknown', raw });
  });

  test('the literal value "unknown" from a peer is unknown', () => {
    expect(parsePromptResponse({ stopReason: 'unknown' })).toStrictEqual({
      stopReason: 'unknown',
      raw: { stopReason: 'unknown' },
    });
  });

  test('a value that is not text is a fault', () => {
    expect(parsePromptResponse({ stopReason: 7 })).toBeInstanceOf(Invalid);
    expect(parsePermissionOption({ optionId: 'o', name: 'n' })).toBeInstanceOf(Invalid);
  });

  test('it is never sent', () => {
    const option = { optionId: 'o', name: 'n', kind: 'delegate' };
    const request = { sessionId: 's', toolCall: { toolCallId: 'c' }, options: [option] };

    expect(findDeparture(request, parseRequestPermissionRequest)).toMatchObject({ path: 'options[0].kind' });
    expect(findDeparture({ stopReason: 'unknown' }, parsePromptResponse)).toBeInstanceOf(Invalid);
  });
});
