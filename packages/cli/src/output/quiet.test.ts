import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { SessionUpdate } from '@parley/acp';
import type { UpdateEvent } from '@parley/host';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createQuietOutput } from './quiet.ts';
import { createWriter } from './writer.ts';

async function final(updates: readonly SessionUpdate[], isTerminal = false): Promise<string> {
  const stream = new PassThrough();
  const output = createQuietOutput({ writer: createWriter(stream), isTerminal, warn: () => undefined });
  for (const view of updates) {
    void output.event(updateOf(view));
  }
  await output.stop({ exitStatus: 0 });
  return String(stream.read() ?? '');
}

function updateOf(view: SessionUpdate): UpdateEvent {
  return {
    type: 'update',
    sessionId: 's',
    update: view,
    text: undefined,
    view,
    late: false,
    replay: false,
  };
}

const say = (text: string, messageId?: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
  ...(messageId !== undefined && { messageId }),
});

test('only the message after the last tool call is printed', async () => {
  const call: SessionUpdate = { sessionUpdate: 'tool_call', toolCallId: '1', title: 'Read' };
  expect(await final([say('I read.'), call, say('The answer '), say('is 42.')])).toBe('The answer is 42.\n');
});

test('a new message id begins a new message', async () => {
  expect(await final([say('first', 'a'), say('sec', 'b'), say('ond\n', 'b')])).toBe('second\n');
});

test('the message is written when the turn has ended, without what comes later', async () => {
  const stream = new PassThrough();
  const output = createQuietOutput({
    writer: createWriter(stream),
    isTerminal: false,
    warn: () => undefined,
  });
  void output.event(updateOf(say('The answer is 42.')));
  output.turnEnded?.();
  expect(String((await once(stream, 'data'))[0])).toBe('The answer is 42.\n');

  void output.event(updateOf(say(' Late.')));
  await output.stop({ exitStatus: 0 });
  expect(stream.read()).toBeNull();
});

test('without a message nothing is printed', async () => {
  expect(await final([])).toBe('');
});

test('a message in any pieces is printed whole, with characters that were cut between pieces', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', 'ü', '😀', '\ud83d', '\udc00'), maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 300 }), async (pieces) => {
      const whole = Buffer.from(pieces.join('')).toString();
      const printed = whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`;
      expect(await final(pieces.map((piece) => say(piece)))).toBe(printed);
    }),
  );
});

test('a file receives the text unchanged, a terminal without escape sequences', async () => {
  expect(await final([say('\u001b[1mbold')])).toBe('\u001b[1mbold\n');
  expect(await final([say('\u001b[1mbold')], true)).toBe('bold\n');
});
