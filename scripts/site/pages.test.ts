import { expect, test } from 'vitest';
import { guides } from '../../site/.vitepress/contents.mjs';
import { listFiles } from '../list-files.mjs';
import { pageOf, toPage } from './pages.mjs';

test.each([
  ['docs/web.md', 'web.md'],
  ['docs/start.md', 'index.md'],
  ['docs/zh/start.md', 'zh/index.md'],
  ['docs/decisions/0001-toolchain.md', 'decisions/0001-toolchain.md'],
  ['packages/wire/README.md', 'packages/wire.md'],
  ['LIMITS.md', 'limits.md'],
  ['docs/limits.md', 'all-limits.md'],
  ['packages/web/test/README.md', undefined],
])('the page of %s is %s', (path, page) => {
  expect(pageOf(path)).toBe(page);
});

test.each([
  ['[a](web.md#where)', '[a](/web#where)'],
  ['[a](../packages/wire)', '[a](/packages/wire)'],
  ['[a](start.md)', '[a](/)'],
  ['[a](zh/start.md)', '[a](/zh/)'],
  ['![a](images/permission.png)', '![a](/images/permission.png)'],
  ['[a](../packages/wire/src/index.ts)', 'a'],
  ['[a](https://example.com/b.md), [b](#here)', '[a](https://example.com/b.md), [b](#here)'],
  ['[`a`](decisions)', '[`a`](/architecture#decisions)'],
  ['```md\n[a](web.md)\n```', '```md\n[a](web.md)\n```'],
  ['<!-- given\nhidden\n-->\n\nShown', 'Shown'],
])('%j becomes %j', (text, page) => {
  expect(toPage({ path: 'docs/guide.md', text })).toBe(page);
});

test('each link of the sidebar leads to a page', async () => {
  const pages = new Set((await listFiles()).map(pageOf));
  const links = guides.flatMap(({ items }) => items.map(({ link }) => link));

  expect(links.filter((link) => !pages.has(`${link.slice(1) || 'index'}.md`))).toEqual(['/reference/']);
});

test('each guide in docs is in the sidebar', async () => {
  const links = new Set(guides.flatMap(({ items }) => items.map(({ link }) => link)));
  const documents = (await listFiles()).filter((path) => /^docs\/[\w-]+\.md$/.test(path));
  const missing = documents.filter(
    (path) => !links.has(`/${pageOf(path)?.replace(/(?:index)?\.md$/, '') ?? ''}`),
  );

  expect(documents.length).toBeGreaterThan(15);
  expect(missing).toEqual([]);
});
