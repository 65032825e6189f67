import { agentRequests, clientNotifications, clientRequests } from '@parley/acp';
import { EntryReader } from '@parley/recording';
import { expect, test } from 'vitest';

test.each(Object.keys({ ...clientRequests, ...clientNotifications }))(
  'a bare %s of another tool is read as coming from the agent',
  (method) => {
    expect(directionsOf({ method })).toEqual(['in']);
  },
);

test.each(Object.keys(agentRequests))('a bare %s of another tool is read as going to the agent', (method) => {
  expect(directionsOf({ id: 1, method })).toEqual(['out']);
});

test('a bare response goes the other way than its request', () => {
  const directions = directionsOf(
    { id: 1, method: 'session/prompt' },
    { id: 1, method: 'fs/read_text_file' },
    { id: 1, result: {} },
    { id: 1, result: {} },
  );

  expect(directions).toEqual(['out', 'in', 'out', 'in']);
});

function directionsOf(...messages: readonly object[]): readonly unknown[] {
  const reader = new EntryReader();
  return messages.map((message, index) => {
    const entry = reader.readText(JSON.stringify({ jsonrpc: '2.0', ...message }), index + 1);
    return entry?.kind === 'frame' ? entry.direction : entry;
  });
}
