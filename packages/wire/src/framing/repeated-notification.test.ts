import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { connect } from '../connection/connect.ts';
import type { Receiver, Transport } from '../transport.ts';
import { NdjsonReader } from './ndjson.ts';
import { RepeatedNotification } from './repeated-notification.ts';

const encoder = new TextEncoder();

function read(lines: readonly string[]): unknown[] {
  return new NdjsonReader().push(encoder.encode(lines.map((text) => `${text}\n`).join('')));
}

function line(update: unknown, sessionId = 's'): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } });
}

/** The text of a param, where a value knows it. */
function textOf(value: unknown, param: string): string | undefined {
  return value instanceof RepeatedNotification ? value.textOf(param) : undefined;
}

const first = line({ n: 0 });
const head = first.slice(0, first.indexOf('{"n"'));

test('from the second line on, the last param is known as it came, and no other', () => {
  const values = read([first, line({ n: 1 }), `${head}{ "n":1e2, "n":2.0 }}}`]);
  expect(values.map((value) => textOf(value, 'update'))).toEqual([
    undefined,
    '{"n":1}',
    '{ "n":1e2, "n":2.0 }',
  ]);
  expect(values.map((value) => textOf(value, 'sessionId'))).toEqual([undefined, undefined, undefined]);
});

test('any text after the same beginning is read as JSON reads it', () => {
  const rest = fc.oneof(
    fc.json().map((json) => `${json}}}`),
    fc.json().map((json) => `${json},"_meta":{"a":1}}}`),
    fc.json().map((json) => `${json}},"method":"other"}`),
    fc.constantFrom(
      '1},"params":{"update":2}}',
      '1,"update":2}}',
      '1},"id":7,"params":{}}',
      '1}}}',
      '}}',
      '1}',
      '{"a":[1}]}}',
      '1 } }',
      '1}}\r',
    ),
    fc.string().filter((text) => !text.includes('\n')),
  );
  fc.assert(
    fc.property(fc.array(rest, { minLength: 1, maxLength: 6 }), (rests) => {
      const lines = rests.map((text) => `${head}${text}`);
      const together = read([first, ...lines]).slice(1);
      expect(together).toHaveLength(lines.length);
      const alone = lines.flatMap((text) => read([text]));
      expect(JSON.stringify(together)).toBe(JSON.stringify(alone));
    }),
    { numRuns: 500 },
  );
});

function chunk(text: string, beside: object = {}): string {
  return line({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...beside });
}

test('any text is read as JSON reads it where lines differ in one text only', () => {
  const messages = ['a', 'b', 'c'].map((text) => chunk(text, { messageId: 'm' }));
  const known = messages[0] ?? '';
  const textHead = known.slice(0, known.indexOf('"a"') + 1);
  const textTail = known.slice(known.indexOf('"a"') + 2);
  const text = fc.oneof(
    fc.string({ unit: 'binary' }).map((each) => JSON.stringify(each).slice(1, -1)),
    fc.string({ unit: 'grapheme' }).filter((each) => !/[\n\r]/u.test(each)),
    fc.constantFrom(
      '',
      '"',
      '\\',
      '\\"',
      '\\\\"',
      'a","text":"b',
      'a"},"content":{"text":"b',
      'a"}}}}',
      '\\ud800',
      '\\u0041',
      '\t',
      '\u2028',
    ),
  );
  const tail = fc.oneof(
    { weight: 3, arbitrary: fc.constant(textTail) },
    fc.constantFrom('"}}}}', '"},"messageId":"n"}}}', `${textTail}\r`, `${textTail} `, '}}', ''),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(text, tail), { minLength: 1, maxLength: 6 }), (rests) => {
      const lines = rests.map(([body, end]) => `${textHead}${body}${end}`);
      const together = read([...messages, ...lines]).slice(messages.length);
      const alone = lines.flatMap((each) => read([each]));
      expect(together).toHaveLength(alone.length);
      expect(JSON.stringify(together)).toBe(JSON.stringify(alone));
    }),
    { numRuns: 500 },
  );
});

test('no object is in two messages, and the text of each param is as it came', () => {
  const texts = ['one', 'two', 'three', 'f\\"our\\u0041'];
  const lines = texts.map((text) => chunk('x').replace('"x"', `"${text}"`));
  const values = read(lines);
  expect(values).toEqual(lines.map((each): unknown => JSON.parse(each)));
  expect(values.map((value) => textOf(value, 'update'))).toEqual([
    undefined,
    ...lines.slice(1).map((each) => each.slice(each.indexOf('{"sessionUpdate"'), -2)),
  ]);
  const objects = values.flatMap((value) => objectsIn(value));
  expect(new Set(objects).size).toBe(objects.length);
});

test('objects before the last param, such as `_meta`, are compared as text, and each message has its own', () => {
  const meta = { traceparent: 'p', list: [{ a: 1 }], none: null };
  const lines = ['one', 'two', 'three'].map((text) =>
    chunk(text).replace('{"sessionId"', `{"_meta":${JSON.stringify(meta)},"sessionId"`),
  );
  const other = (lines[0] ?? '').replace('"p"', '"other"');
  const values = read([...lines, other]);
  expect(values).toEqual([...lines, other].map((each): unknown => JSON.parse(each)));
  expect(values.map((value) => textOf(value, 'update') !== undefined)).toEqual([false, true, true, false]);
  const objects = values.flatMap((value) => objectsIn(value));
  expect(new Set(objects).size).toBe(objects.length);
});

test.each([
  ['another field differs as well', ['a', 'b', 'c'].map((text) => chunk(text, { messageId: text }))],
  ['an object stands beside the text', ['a', 'b', 'c'].map((text) => chunk(text, { _meta: { a: 1 } }))],
  ['a field comes twice', ['a', 'b', 'c'].map((text) => chunk(text).replace('"text":', '"text":"","text":'))],
  [
    'a field would be a prototype',
    ['a', 'b', 'c'].map((text) => line({ n: 1 }).replace('"n":1', `"__proto__":"${text}"`)),
  ],
])('%s: each line is read by itself', (_name, lines) => {
  const values = read(lines);
  expect(JSON.stringify(values)).toBe(JSON.stringify(lines.map((each): unknown => JSON.parse(each))));
  const objects = values.flatMap((value) => objectsIn(value));
  expect(new Set(objects).size).toBe(objects.length);
});

function objectsIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap((each) => objectsIn(each))];
}

test('a line that comes in several reads is known as it came, like those before it', () => {
  const lines = Array.from({ length: 40 }, (_, index) => chunk(`text ${String(index)}`));
  const bytes = encoder.encode(lines.map((each) => `${each}\n`).join(''));
  const reader = new NdjsonReader();
  // No read is as long as five lines, and nearly each ends within one.
  const values = Array.from({ length: Math.ceil(bytes.length / 499) }, (_, index) =>
    reader.push(bytes.subarray(index * 499, (index + 1) * 499)),
  ).flat();
  expect(values).toEqual(lines.map((each): unknown => JSON.parse(each)));
  expect(values.filter((value) => textOf(value, 'update') === undefined)).toHaveLength(1);
});

test('alternating lines of two sessions are read, each with its own params', () => {
  const lines = Array.from({ length: 8 }, (_, index) => line({ index }, index % 2 === 0 ? 'a' : 'b'));
  expect(read(lines)).toEqual(lines.map((text): unknown => JSON.parse(text)));
});

test.each([
  ['no params', '{"jsonrpc":"2.0","method":"m"}'],
  ['a list', '{"jsonrpc":"2.0","method":"m","params":[1]}'],
  ['a request', '{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}'],
  ['a param that would be a prototype', '{"jsonrpc":"2.0","method":"m","params":{"__proto__":{"a":1}}}'],
  ['another order', '{"method":"m","jsonrpc":"2.0","params":{"a":1}}'],
])('%s is read as any other message, however often it comes', (_name, text) => {
  const values = read([text, text]);
  expect(values.filter((value) => value instanceof RepeatedNotification)).toEqual([]);
  expect(JSON.stringify(values)).toBe(JSON.stringify([JSON.parse(text), JSON.parse(text)]));
});

test('a handler gets the text beside the params, also when it had to wait', async () => {
  let receiver: Receiver | undefined;
  const transport: Transport = {
    start: (started) => {
      receiver = started;
    },
    send: () => undefined,
    close: () => Promise.resolve(),
  };
  const heard: unknown[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await new Promise<void>((resolve) => {
    connect(transport, {
      onNotification: (_method, params, _connection, texts) => {
        heard.push([params, texts?.textOf('update')]);
        if (heard.length === 3) resolve();
        return heard.length === 2 ? held : undefined;
      },
    });
    void receiver?.receive(read([line(0), line(1), line(2)]), 100);
    release();
  });
  expect(heard).toEqual([
    [{ sessionId: 's', update: 0 }, undefined],
    [{ sessionId: 's', update: 1 }, '1'],
    [{ sessionId: 's', update: 2 }, '2'],
  ]);
});
