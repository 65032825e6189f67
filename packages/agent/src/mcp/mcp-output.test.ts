import { expect, test } from 'vitest';
import { toToolOutput } from './mcp-output.ts';

const limits = { mcpResultChars: 20, mcpBlobChars: 8 };

test('texts, pictures, links and resources are content, and text for the model', () => {
  const content = [
    { type: 'text', text: 'hello' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'resource_link', name: 'notes', uri: 'file:///notes' },
    { type: 'resource', resource: { uri: 'x:1', text: 'inner' } },
  ] as const;
  const output = toToolOutput({ content, isError: false }, limits);
  expect(output.content).toEqual(content.map((block) => ({ type: 'content', content: block })));
  expect(output.text).toBe('hello\n[image image/png]\n[notes](file:///notes)\ninner');
  expect(output.images).toEqual([{ mimeType: 'image/png', data: 'AAAA' }]);
});

test('a result names what was cut or omitted', () => {
  const content = [
    { type: 'text', text: 'x'.repeat(30) },
    { type: 'image', data: 'A'.repeat(12), mimeType: 'image/png' },
  ] as const;
  const { text } = toToolOutput({ content, isError: false }, limits);
  expect(text).toBe(
    `${'x'.repeat(10)}\n[10 characters are left out here]\n${'x'.repeat(10)}\n[Left out: image image/png, about 9 bytes]`,
  );
});

test('a structured result without content is shown as JSON', () => {
  const output = toToolOutput({ content: [], structured: { a: 1 }, isError: false }, limits);
  expect(output.text).toBe('{\n  "a": 1\n}');
  expect(output.rawOutput).toEqual({ isError: false, structuredContent: { a: 1 } });
});

test('an error of the tool is an error of the call', () => {
  expect(toToolOutput({ content: [], isError: true }, limits)).toMatchObject({ isError: true });
});
