import { NdjsonReader, isDeeper, type IncomingBatch, type Transport } from '@parley/wire';
import { expect, test } from 'vitest';
import { leftOut, shallowTransport } from './shallow-transport.ts';

const levels = 10_000;
const lists = '['.repeat(levels) + ']'.repeat(levels);
const objects = '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

/** The messages of lines that are read in one go. */
function received(...lines: readonly string[]): IncomingBatch {
  const batches: IncomingBatch[] = [];
  const source: Transport = {
    start: (receiver) => {
      const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`);
      void receiver.receive(new NdjsonReader().push(bytes), bytes.length);
    },
    send: () => undefined,
    close: () => Promise.resolve(),
  };
  shallowTransport(source).start({
    receive: (batch) => {
      batches.push(batch);
    },
    close: () => {},
  });
  return batches.flat();
}

function update(fields: string): string {
  return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{${fields}}}}`;
}

test('values that are nested too deeply are left out of a message, and the rest of it is kept', () => {
  const [call, chunk] = received(
    update(`"toolCallId":"t","rawInput":{"command":"ls","x":${lists}},"rawOutput":${objects},"title":"T"`),
    update(`"content":{"type":"text","text":"words","_meta":{"own":1,"deep":${objects}}}`),
  );

  expect(call).toMatchObject({
    params: {
      sessionId: 's',
      update: { toolCallId: 't', rawInput: leftOut, rawOutput: leftOut, title: 'T' },
    },
  });
  expect(chunk).toMatchObject({
    params: { update: { content: { type: 'text', text: 'words', _meta: { own: 1, deep: leftOut } } } },
  });
});

test('fields that are not known are kept as far as they are not too deep', () => {
  const [request, answer] = received(
    `{"jsonrpc":"2.0","id":1,"method":"_vendor/ask","params":{"one":1,"deep":${lists}}}`,
    `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no","data":${objects}}}`,
  );

  expect(request).toMatchObject({ id: 1, method: '_vendor/ask', params: { one: 1 } });
  expect(answer).toMatchObject({ id: 1, error: { code: -32000, message: 'no' } });
  for (const message of [request, answer]) {
    expect(isDeeper(message, 100)).toBe(false);
    expect(JSON.stringify(message)).toContain(leftOut);
  }
});

test('other messages are handed on as they are', () => {
  const input = `"rawInput":${'['.repeat(90)}1${']'.repeat(90)}`;
  const lines = [update('"a":1'), update('"a":2'), update(`"toolCallId":"t",${input}`)];

  expect(JSON.stringify(received(...lines))).toBe(`[${lines.join(',')}]`);
});

test('messages that differ in one text are left alone, unless that text is nested too deeply', () => {
  const nested = (text: string, depth: number): string =>
    update(`"a":${'{"a":'.repeat(depth)}"${text}"${'}'.repeat(depth)}`);

  const texts = ['one', 'two', 'three', 'four'];
  const shallow = received(...texts.map((text) => nested(text, 50)));
  const deep = received(...texts.map((text) => nested(text, 150)));

  expect(shallow).toEqual(texts.map((text) => JSON.parse(nested(text, 50)) as unknown));
  for (const message of deep) {
    expect(isDeeper(message, 100)).toBe(false);
    expect(JSON.stringify(message)).toContain(leftOut);
  }
});
