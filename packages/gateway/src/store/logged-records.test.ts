import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordsIn, LoggedRecordWriter } from './logged-records.ts';

const delta = (event: 'text_delta' | 'thinking_delta', text: string) => ({ event, delta: text });

const call = { event: 'tool_call', toolCallId: 'a', name: 'execute', input: {} };

function record(from: number, ...events: readonly object[]): object {
  return { type: 'events', turnId: 't', from, events };
}

function written(...records: readonly object[]): ReturnType<LoggedRecordWriter['entriesOf']> {
  const writer = new LoggedRecordWriter();
  return records.flatMap((each) => writer.entriesOf({ records: [each] }));
}

test('text is stored as one update, and read as the original deltas', () => {
  const [entry] = written(record(2, delta('text_delta', 'Hel'), delta('text_delta', 'lo')));

  expect(entry).toMatchObject({
    type: 'update',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hello' } },
    aap: { turnId: 't', from: 2, lengths: [3, 2] },
  });
});

test('text after the end of a block is another message', () => {
  const entries = written(
    record(2, delta('text_delta', 'one'), { event: 'block_end' }, delta('text_delta', 'two')),
  );

  const ids = entries.flatMap((entry) => (entry.type === 'update' ? [entry.update] : []));
  expect(ids).toMatchObject([{ messageId: 't.0' }, { messageId: 't.1' }]);
});

test('heads and non-text are separate events', () => {
  const writer = new LoggedRecordWriter();

  expect(writer.entriesOf({ head: { title: 'a' }, records: [1, 2] })).toEqual([
    { type: 'aap', head: { title: 'a' }, records: [1, 2] },
  ]);
  expect(writer.entriesOf({ records: [record(2, call)] })).toEqual([
    { type: 'aap', records: [record(2, call)] },
  ]);
});

test('any batch of events is read in order', () => {
  const events = fc.array(
    fc.oneof(
      fc.string().map((text) => delta('text_delta', text)),
      fc.string().map((text) => delta('thinking_delta', text)),
      fc.constantFrom<object>(call, { event: 'block_end' }),
    ),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(events, (all) => {
      const read = written(record(2, ...all)).flatMap((entry, index) =>
        recordsIn({ seq: index + 1, time: 0, ...entry }),
      );

      let next = 2;
      const back = read.flatMap((each) => {
        const { from, events: some } = each as { readonly from: number; readonly events: readonly object[] };
        expect(from).toBe(next);
        next += some.length;
        return some;
      });
      expect(back).toEqual(all);
    }),
  );
});
