import { Invalid } from '@parley/wire';
import { expect, test } from 'vitest';
import {
  parseNewSessionRequest,
  parsePromptRequest,
  parseSessionNotification,
} from '../../src/schema/v1/stable.ts';

const notification = {
  sessionId: 's',
  update: {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'c',
    content: [
      { type: 'content', content: { type: 'text', text: 't', _meta: { d: 4 }, own: 'd' }, _meta: { c: 3 } },
    ],
    _meta: { b: 2 },
    own: 'b',
  },
  _meta: { traceparent: '00-…', a: { deep: [1, null] } },
  own: 'a',
};

test('a valid value is returned as the same object', () => {
  const before = structuredClone(notification);

  expect(parseSessionNotification(notification)).toBe(notification);
  expect(notification).toStrictEqual(before);
});

test('_meta and unknown fields survive a change in their object and around it', () => {
  const update = { ...notification.update, title: 5 };

  const parsed = parseSessionNotification({ ...notification, update });

  expect(parsed).toStrictEqual(notification);
});

test('a fault names the place and never the value', () => {
  const secret = 'hunter2';
  const prompt = parsePromptRequest({ sessionId: 's', prompt: [{ type: 'text', text: { secret } }] });
  const server = { type: 'http', name: 'n', url: secret, headers: [{ name: secret, value: 5 }] };
  const session = parseNewSessionRequest({ cwd: '/', mcpServers: [server] });

  expect(prompt).toEqual(new Invalid('prompt[0].text', 'a string'));
  expect(session).toEqual(new Invalid('mcpServers[0].headers[0].value', 'a string'));
  expect(JSON.stringify([prompt, session])).not.toContain(secret);
});
