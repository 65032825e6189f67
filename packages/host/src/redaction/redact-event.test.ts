import { Invalid, parseSessionUpdate } from '@parley/acp';
import { expect, test } from 'vitest';
import type { HostEvent } from '../event/host-event.ts';
import { redactEvent } from './redact-event.ts';
import { Redaction } from './redaction.ts';

type UpdateEvent = Extract<HostEvent, { readonly type: 'update' }>;

/** The event of an update that an agent wrote as this JSON. */
function update(text: string): UpdateEvent {
  const raw: unknown = JSON.parse(text);
  const view = parseSessionUpdate(raw);
  if (view instanceof Invalid) throw new Error(view.message);
  return { type: 'update', sessionId: 's', update: raw, text, view, late: false, replay: false };
}

function says(json: string): UpdateEvent {
  return update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":${json}}}`);
}

test.each(['"a fish"', '"a \\"fish\\"\\n"'])(
  'an update that holds no secret is the same event: %s',
  (json) => {
    const event = says(json);
    expect(redactEvent(event, new Redaction(['swordfish']))).toBe(event);
  },
);

test.each([
  ['as it is', 'swordfish', '"a swordfish"'],
  ['with an escape that is not needed', 'swordfish', '"a sword\\u0066ish"'],
  ['with a slash that is escaped', 'sword/fish', '"a sword\\/fish"'],
  ['with a character that has no other form', 'sword\u001bfish', '"a sword\\u001bfish"'],
  ['with an escape that is needed', 'sword\nfish', '"a sword\\nfish"'],
  ['with a quote in it', 'sword"fish', '"a sword\\"fish"'],
])('a secret is redacted when the agent wrote it %s', (_how, secret, json) => {
  expect(redactEvent(says(json), new Redaction([secret]))).toMatchObject({
    update: { content: { text: 'a ***' } },
    view: { content: { text: 'a ***' } },
    text: '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a ***"}}',
  });
});

test('a secret next to the update is redacted', () => {
  const event = { ...says('"a fish"'), meta: { by: 'swordfish' } };
  expect(redactEvent(event, new Redaction(['swordfish']))).toMatchObject({ meta: { by: '***' } });
});

test('a secret is redacted in an update whose JSON is not known', () => {
  const event = { ...says('"a swordfish"'), text: undefined };
  expect(redactEvent(event, new Redaction(['swordfish']))).toMatchObject({
    update: { content: { text: 'a ***' } },
  });
});

test('the error of a failed prompt keeps its data, without secrets', () => {
  const error = { code: -32000, message: 'no swordfish', data: { key: 'swordfish', left: 3 } };
  const event: HostEvent = { type: 'turn-end', sessionId: 's', turnId: 't', error };
  expect(redactEvent(event, new Redaction(['swordfish']))).toEqual({
    ...event,
    error: { code: -32000, message: 'no ***', data: { key: '***', left: 3 } },
  });
});
