import { parseSessionUpdate, Invalid } from '@parley/acp';
import { expect, test } from 'vitest';
import type { HostEvent } from '../event/host-event.ts';
import { RedactedSpeech } from './redacted-speech.ts';
import { Redaction } from './redaction.ts';

function update(raw: object): HostEvent {
  const view = parseSessionUpdate(raw);
  if (view instanceof Invalid) throw new Error(view.message);
  return {
    type: 'update',
    sessionId: 's',
    update: raw,
    text: JSON.stringify(raw),
    view,
    late: false,
    replay: false,
  };
}

function says(text: string, fields: object = {}): HostEvent {
  return update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...fields });
}

const ended: HostEvent = { type: 'turn-end', sessionId: 's', turnId: 't', stopReason: 'end_turn' };

/** The output for these events: what was said, and the kinds of the others. */
function output(...events: readonly HostEvent[]): readonly unknown[] {
  const speech = new RedactedSpeech(() => new Redaction(['swordfish']));
  return events
    .flatMap((event) => speech.take(event))
    .map((event) => {
      if (event.type !== 'update' || event.view.sessionUpdate !== 'agent_message_chunk') return event.type;
      expect(event.text).toBe(JSON.stringify(event.update));
      expect(event.update).toEqual(event.view);
      return event.view.content.type === 'text' ? event.view.content.text : event.view.content.type;
    });
}

test('a secret that is sent in pieces is redacted', () => {
  expect(output(says('it is sw'), says('ord'), says('fish, I think'), ended)).toEqual([
    'it is ',
    '***, I think',
    'turn-end',
  ]);
});

test('text that turned out not to be a secret is sent before later text', () => {
  const call = update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'cut' });
  expect(output(says('a sword'), call, says('a s'), says('b', { messageId: 'm' }), says('s'), ended)).toEqual(
    ['a ', 'sword', 'update', 'a ', 's', 'b', 's', 'turn-end'],
  );
});

test('other events in between do not separate the pieces', () => {
  const usage = update({ sessionUpdate: 'usage_update', used: 1, size: 2 });
  expect(output(says('sword'), { type: 'stderr', text: 'hm' }, usage, says('fish'), ended)).toEqual([
    'stderr',
    'update',
    '***',
    'turn-end',
  ]);
});

test('a plan or a changed option in between does not separate them either', () => {
  const plan = update({ sessionUpdate: 'plan', entries: [] });
  const mode = update({ sessionUpdate: 'current_mode_update', currentModeId: 'ask' });
  expect(output(says('sword'), plan, mode, says('fish'), ended)).toEqual([
    'update',
    'update',
    '***',
    'turn-end',
  ]);
});

test('without secrets nothing is delayed, and events are unchanged', () => {
  const speech = new RedactedSpeech(() => new Redaction([]));
  const event = says('sword');
  expect(speech.take(event)).toEqual([event]);
  expect(speech.take(event)[0]).toBe(event);
});
