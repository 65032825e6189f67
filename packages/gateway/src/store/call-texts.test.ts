import type { LoggedEvent } from '@parley/host';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallTexts } from './call-texts.ts';

const long = (start: string): string => start.repeat(400);

function update(update_: object, seq = 1): LoggedEvent {
  return {
    seq,
    time: 0,
    type: 'update',
    update: { sessionUpdate: 'tool_call_update', toolCallId: 'a', ...update_ },
  };
}

function result(fields: object): object {
  return {
    type: 'events',
    turnId: 't',
    from: 2,
    events: [{ event: 'tool_result', toolCallId: 'a', ...fields }],
  };
}

/** What a record is stored as, and what it is when it is read again. */
function stored(events: readonly LoggedEvent[], record: object): readonly [json: string, back: unknown] {
  const [writer, reader] = [new CallTexts(), new CallTexts()];
  for (const event of events) {
    writer.note(event);
    reader.note(event);
  }
  const json = JSON.stringify(writer.shorten(record));
  return [json, reader.restore(JSON.parse(json))];
}

test.each([
  ['the output of the call', result({ content: long('out') })],
  ['the output with a word before it', result({ content: `Failed: ${long('out')}`, isError: true })],
  ['several texts in one', result({ content: `${long('out')}\n${long('old')}` })],
  [
    'what is beside the content',
    result({ content: '', _meta: { diffs: [{ path: '/x', oldText: long('old') }] } }),
  ],
])('a result that consists of %s refers to the update', (_what, record) => {
  const [json, back] = stored(
    [
      update({ rawOutput: { stdout: long('out') } }),
      update({ content: [{ type: 'diff', oldText: long('old') }] }),
    ],
    record,
  );

  expect(json.length).toBeLessThan(300);
  expect(back).toEqual(record);
});

test('short texts, and those that are in no update, are stored unchanged', () => {
  const record = result({ content: [{ type: 'text', text: long('new') }], _meta: { title: 'short' } });

  const [json, back] = stored([update({ rawOutput: long('out'), title: 'short' })], record);

  expect(JSON.parse(json)).toEqual(record);
  expect(back).toEqual(record);
});

test('a result that looks like a reference is read unchanged', () => {
  const text = long('out');
  const record = result({ content: text, _meta: { textParts: [[0, 'rawOutput']] } });

  expect(stored([update({ rawOutput: text })], record)[1]).toEqual(record);
});

test('a reader that knows more than the writer finds the same texts', () => {
  const [writer, reader] = [new CallTexts(), new CallTexts()];
  reader.note(update({ rawOutput: long('before') }));
  for (const each of [writer, reader]) each.note(update({ rawOutput: long('out') }));
  const record = result({ content: long('out') });

  expect(reader.restore(writer.shorten(record))).toEqual(record);
});

test('any result is read unchanged', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(long('a'), long('ab'), long('b'), `${long('a')}x`, `${long('b')}${long('a')}`),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      text,
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie('any'), { maxKeys: 3 }),
    ),
  })).any;
  fc.assert(
    fc.property(fc.array(value, { maxLength: 12 }), text, value, (outputs, content, meta) => {
      const record = result({ content, _meta: { meta } });
      const [, back] = stored(
        outputs.map((rawOutput) => update({ rawOutput })),
        record,
      );
      expect(back).toEqual(JSON.parse(JSON.stringify(record)));
    }),
  );
});
