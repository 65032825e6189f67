import { expect, test } from 'vitest';
import { judgePage } from './web-rules.mjs';

test('the first load of a page is its scripts, preloads and styles, not its icons', () => {
  const page = `<script type="module" crossorigin src="/assets/main-1.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/react-1.js">
    <link rel="stylesheet" crossorigin href="/assets/main-1.css">
    <link rel="icon" href="/favicon.svg" />`;

  expect(judgePage(page)).toEqual({
    files: ['assets/main-1.js', 'assets/react-1.js', 'assets/main-1.css'],
    problems: [],
  });
});

test.each([
  '<script>go()</script>',
  '<style>a {}</style>',
  '<script src="https://elsewhere.example/a.js"></script>',
  '<link rel="stylesheet" href="//elsewhere.example/a.css">',
  '<body onload="go()">',
  '<p style="color: red">',
])('a page may not have %s', (page) => {
  expect(judgePage(page).problems).toHaveLength(1);
});
