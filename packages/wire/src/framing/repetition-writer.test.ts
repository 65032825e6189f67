import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { RepetitionWriter } from './repetition-writer.ts';

function chunk(text: unknown, others: object = {}): object {
  return { sessionId: 's', update: { kind: 'chunk', content: { type: 'text', text } }, ...others };
}

/** What each value is written as, by one writer. */
function written(values: readonly unknown[]): readonly unknown[] {
  const writer = new RepetitionWriter();
  return values.map((value) => writer.write(value));
}

test('of values like the one before, only the text is written', () => {
  const stringify = vi.spyOn(JSON, 'stringify');
  try {
    const writer = new RepetitionWriter();
    for (const text of ['a', 'b', 'c']) writer.write(chunk(text));
    stringify.mockClear();

    expect(writer.write(chunk('d "e"'))).toBe(
      '{"sessionId":"s","update":{"kind":"chunk","content":{"type":"text","text":"d \\"e\\""}}}',
    );
    expect(stringify.mock.calls).toEqual([['d "e"']]);
  } finally {
    stringify.mockRestore();
  }
});

/** Values that look like chunks, and are not what they seem. */
const odd = fc.oneof(
  fc.constant(chunk('x', { extra: undefined })),
  fc.constant(chunk('x', { extra: () => 1 })),
  fc.constant(chunk('x', { extra: Symbol('s') })),
  fc.constant(chunk('x', { [Symbol('s')]: 1 })),
  fc.constant(chunk('x', { toJSON: () => 'own' })),
  fc.constant(chunk('x', { ['__proto__']: 'field' })),
  fc.constant(chunk({ toJSON: () => 'inner' })),
  fc.constant(chunk(['x'])),
  fc.constant(chunk(undefined)),
  fc.constant(chunk(7)),
  fc.constant({ update: { kind: 'chunk', content: { type: 'text', text: 'x' } }, sessionId: 's' }),
  fc.constant({
    sessionId: 's',
    update: new (class Update {
      kind = 'chunk';
      content = { type: 'text', text: 'x' };
      toJSON() {
        return 'class';
      }
    })(),
  }),
  fc.constant(Object.assign(Object.create({ inherited: 1 }) as object, chunk('x'))),
  fc.constant(Object.assign(Object.create(null) as object, chunk('x'))),
  fc.constant(new Proxy(chunk('x'), {})),
  fc.constant(Object.defineProperty(chunk('x'), 'hidden', { value: 1, enumerable: false })),
  fc.constant([chunk('x')]),
  fc.constant('x'),
  fc.constant(null),
  fc.constant(chunk('x', { number: Number.NaN })),
  fc.constant(chunk('x', { number: -0 })),
);
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\n', '\ud800', 'grüße 😀'),
);
const value = fc.oneof(
  { weight: 6, arbitrary: text.map((each) => chunk(each)) },
  { weight: 2, arbitrary: text.map((each) => chunk(each, { _meta: 'm' })) },
  { weight: 1, arbitrary: text.map((each) => chunk(each, { _meta: { a: each } })) },
  { weight: 2, arbitrary: fc.tuple(fc.string(), text).map(([sessionId, path]) => ({ sessionId, path })) },
  { weight: 2, arbitrary: odd },
  { weight: 1, arbitrary: fc.jsonValue() },
);

test('values are written as JSON.stringify writes them, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(value, fc.integer({ min: 1, max: 3 })), { maxLength: 40 }), (runs) => {
      const values = runs.flatMap(([each, times]) => Array.from({ length: times }, () => each));
      expect(written(values)).toEqual(values.map((each) => JSON.stringify(each)));
    }),
    { numRuns: 1000 },
  );
});

test('an object that is changed and written again is written as it is then', () => {
  const content = { type: 'text', text: 'a' };
  const params: Record<string, unknown> = { sessionId: 's', update: { content } };
  const writer = new RepetitionWriter();
  for (const each of ['a', 'b', 'c']) {
    content.text = each;
    expect(writer.write(params)).toBe(JSON.stringify(params));
  }
  content.type = 'other';
  expect(writer.write(params)).toBe(JSON.stringify(params));
  params['more'] = [1];
  expect(writer.write(params)).toBe(JSON.stringify(params));
  delete params['update'];
  expect(writer.write(params)).toBe(JSON.stringify(params));
});

test('what a getter gives is written as it was given', () => {
  let count = 0;
  const given = new Set<string>();
  const changing = {
    get text() {
      count += 1;
      const json = `{"text":"text ${String(count)}"}`;
      given.add(json);
      return `text ${String(count)}`;
    },
  };
  const writer = new RepetitionWriter();

  for (let index = 0; index < 5; index += 1) expect(given).toContain(writer.write(changing));
});
