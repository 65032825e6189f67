import { expect, test } from 'vitest';
import { parseSessionNotification } from '../schema/v1/stable.ts';
import { findDeparture } from './departure.ts';

const content = { type: 'text', text: '' };
const call = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'T' };

function find(update: unknown): unknown {
  return findDeparture({ sessionId: 's', update }, parseSessionNotification);
}

test.each([
  { sessionUpdate: 'agent_message_chunk', content },
  { sessionUpdate: 'agent_message_chunk', content, messageId: null, _meta: null, extra: { any: 1 } },
  { sessionUpdate: 'agent_message_chunk', content, messageId: undefined },
  { ...call, content: [{ type: 'diff', path: '/a', oldText: null, newText: '' }] },
])('%j departs nowhere', (update) => {
  expect(find(update)).toBeUndefined();
});

test.each([
  [null, 'update'],
  [{ sessionUpdate: 'agent_message_chunk', content: { type: 'text' } }, 'update.content.text'],
  [{ sessionUpdate: 'agent_message_chunk', content, messageId: 5 }, 'update.messageId'],
  [{ sessionUpdate: 'agent_message_chunk', content: { type: 'hologram' } }, 'update.content.type'],
  [{ sessionUpdate: 'agent_message_chunk', content: { type: 'unknown', raw: {} } }, 'update.content.type'],
  [{ ...call, kind: 'guess' }, 'update.kind'],
  [{ ...call, content: [{ type: 'content', content }, { type: 'content' }] }, 'update.content[1]'],
  [{ ...call, locations: [{ path: '/a' }, { path: '/b', line: -1 }] }, 'update.locations[1].line'],
  [{ ...call, locations: [{}, { path: '/b' }] }, 'update.locations[0]'],
])('%j departs at %s', (update, path) => {
  expect(find(update)).toMatchObject({ path });
});
