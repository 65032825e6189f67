import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UnreadOutput } from './unread-output.ts';

test('it returns output since the last read', () => {
  const output = new UnreadOutput(100);
  expect(output.take()).toBe('');
  output.append('one ');
  output.append('two');
  expect(output.take()).toBe('one two');
  output.append('three');
  expect(output.take()).toBe('three');
  expect(output.take()).toBe('');
});

test('long output is cut in the middle, with the number of omitted characters', () => {
  const output = new UnreadOutput(8);
  for (const line of ['ab\n', 'cd\n', 'ef\n', 'gh\n', 'ij\n', 'kl\n']) output.append(line);
  expect(output.take()).toBe('ab\nc\n[10 characters are left out here]\nkl\n'.replace('\nkl', '\n\nkl'));
  output.append('next');
  expect(output.take()).toBe('next');
});

test('truncation does not depend on how the output is split, and splits no character', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '😀') })),
      fc.nat(20),
      (pieces, limit) => {
        const output = new UnreadOutput(limit);
        for (const piece of pieces) output.append(piece);
        const whole = pieces.join('');
        const text = output.take();
        expect(text).toBe(Buffer.from(text).toString());
        if (whole.length <= Math.floor(limit / 2)) expect(text).toBe(whole);
        const [, head = whole, count = '0', tail = ''] =
          /^([^]*?)\n?\[(\d+) characters are left out here\]\n([^]*)$/u.exec(text) ?? [];
        if (text.includes('left out')) {
          expect(whole.startsWith(head)).toBe(true);
          expect(whole.endsWith(tail)).toBe(true);
          expect(Number(count) + tail.length).toBeGreaterThanOrEqual(whole.length - head.length - 1);
        } else expect(text).toBe(whole);
      },
    ),
  );
});
