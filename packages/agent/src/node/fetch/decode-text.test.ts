import { expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';

const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');

test.each([
  ['UTF-8 where nothing is said', Buffer.from('é'), []],
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFFé'), []],
  ['the character set of the content type', latin('é'), [' charset=iso-8859-1']],
  ['one in quotes', latin('é'), ['charset="windows-1252"']],
  ['UTF-16 by its byte order mark', Buffer.from('\uFEFFé', 'utf16le'), ['charset=utf-8']],
  ['UTF-8 where the name is unknown', Buffer.from('é'), ['charset=klingon']],
])('%s', (_name, body, parameters) => {
  expect(decodeText(body, parameters)).toBe('é');
});

test.each([
  '<html><meta charset="windows-1252">é',
  "<meta http-equiv='Content-Type' content='text/html; charset=iso-8859-1'>é",
  '<?xml version="1.0" encoding="ISO-8859-1"?>é',
])('the page names its character set: %s', (page) => {
  expect(decodeText(latin(page), [])).toBe(page);
});

test("the content type overrides the page's charset, which is read only from its beginning", () => {
  const page = '<meta charset="iso-8859-1">é';
  expect(decodeText(Buffer.from(page), ['charset=utf-8'])).toBe(page);
  const deep = `${' '.repeat(1024)}${page}`;
  expect(decodeText(Buffer.from(deep), [])).toBe(deep);
});

test('bytes with a NUL are not text', () => {
  expect(decodeText(Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0), [])).toBeUndefined();
});
