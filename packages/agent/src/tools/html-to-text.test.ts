import { expect, test } from 'vitest';
import { htmlToText } from './html-to-text.ts';

const address = 'https://example.com/docs/page';

test('headings, paragraphs, lists and links are text, and hidden elements are left out', () => {
  const html = `<!doctype html><html><head><title>A &amp; B</title><style>p { color: red }</style></head>
    <body><script>let x = '<p>no</p>';</script><!-- <p>no</p> -->
    <h1>Head&shy;ing</h1><p>One <b>two</b>
    three.<br>Four</p><ul><li>a</li><li><a href="https://example.com/?a=1&amp;b=2">link</a></li></ul></body></html>`;
  expect(htmlToText(html, address)).toBe(
    'A & B\n\n# Heading\n\nOne two three.\nFour\n\n- a\n- [link](https://example.com/?a=1&b=2)',
  );
});

test('links become absolute addresses, and links within the page plain text', () => {
  const link = (reference: string): string => htmlToText(`<a href=${reference}>x</a>`, address);
  expect(['guide', '"../top"', "'/root'", '//other.org/', 'http://a.b/?c#d'].map(link)).toEqual([
    '[x](https://example.com/docs/guide)',
    '[x](https://example.com/top)',
    '[x](https://example.com/root)',
    '[x](https://other.org/)',
    '[x](http://a.b/?c#d)',
  ]);
  expect(['#part', 'javascript:run()', 'mailto:a@b.c', '""', 'http://['].map(link)).toEqual(
    Array(5).fill('x'),
  );
  expect(htmlToText('<base href="/other/"><a href="a">x</a>', address)).toBe(
    '[x](https://example.com/other/a)',
  );
});

test('a hidden element ends with its own end tag, and one without an end hides the rest', () => {
  expect(htmlToText('a<svg>b<svg>c</svg>d</svg>e<template><p>f</template>g', address)).toBe('aeg');
  expect(htmlToText('a<noscript>b', address)).toBe('a');
});

test('an incomplete tag is not text', () => {
  expect(htmlToText('a <a href="x" b', address)).toBe('a');
});

test('preformatted text keeps its lines', () => {
  expect(htmlToText('<p>x</p><pre><code>a\n  b &lt;c&gt;</code></pre>y', address)).toBe(
    'x\n\n```\na\n  b <c>\n```\n\ny',
  );
});

test('entities are characters, unknown ones stay, and invalid code points are U+FFFD', () => {
  expect(htmlToText('&#65;&#x42;&lt;p&gt;&nope;&#0; &Eacute;&eacute;&LT;', address)).toBe(
    'AB<p>&nope;\uFFFD Éé<',
  );
});

test.each([
  '<a href='.repeat(20_000),
  '<script>'.repeat(20_000),
  '<!--'.repeat(20_000),
  '<pre>'.repeat(20_000),
  '<title>'.repeat(20_000),
  '<'.repeat(50_000),
  '&#'.repeat(50_000),
  'x&amp; '.repeat(100_000),
  '<p>x <b>y</b> '.repeat(100_000),
  `<a href=/>${'<b>x'.repeat(50_000)}`,
])('a page that is made to hurt is read too', (html) => {
  expect(htmlToText(html, address)).toBeTypeOf('string');
});
