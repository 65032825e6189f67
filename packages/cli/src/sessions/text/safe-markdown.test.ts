import { expect, test } from 'vitest';
import { toSafeMarkdown } from './safe-markdown.ts';

test('an unclosed code block is closed', () => {
  expect(toSafeMarkdown('see\n````ts\n```\nlet a;')).toBe('see\n````ts\n```\nlet a;\n````');
  expect(toSafeMarkdown('```\na\n```')).toBe('```\na\n```');
  expect(toSafeMarkdown('~~~\n```')).toBe('~~~\n```\n~~~');
});

test('headings are nested below those of the page, and HTML is text', () => {
  expect(toSafeMarkdown('# One\n##### Five\n#no')).toBe('### One\n###### Five\n#no');
  expect(toSafeMarkdown('<script>a</script> <!-- b')).toBe('\\<script>a\\</script> \\<!-- b');
});

test('code stays as it is', () => {
  expect(toSafeMarkdown('a `<b>` c <d>\n```\n# <e>\n```')).toBe('a `<b>` c \\<d>\n```\n# <e>\n```');
  expect(toSafeMarkdown('1 < 2')).toBe('1 < 2');
});
