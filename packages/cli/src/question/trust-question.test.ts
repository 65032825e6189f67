import { expect, test } from 'vitest';
import { createStyle } from '../output/style.ts';
import type { Terminal } from './terminal.ts';
import { askTrust, showTrustWishes } from './trust-question.ts';

const plain = createStyle(false, {});

/** A terminal on which everything is answered like this. */
function answering(answer: string | undefined): Terminal & { readonly asked: string[] } {
  const asked: string[] = [];
  const reply = (prompt: string): Promise<string | undefined> => {
    asked.push(prompt);
    return Promise.resolve(answer);
  };
  return {
    asked,
    columns: 80,
    present: (text) => {
      asked.push(text);
      return Promise.resolve();
    },
    show: (text) => void asked.push(text),
    ask: reply,
    askKey: reply,
    askSecret: reply,
    run: () => Promise.resolve(false),
  };
}

test('every right is shown, and every value in full', () => {
  const rights = Array.from(
    { length: 500 },
    (_, index) => `agent "a${String(index)}": runs "${'x'.repeat(3000)}"`,
  );
  const lines = showTrustWishes([{ file: '/p/.parley/config.json', rights }], plain).split('\n');
  expect(lines.slice(2, -1)).toEqual(rights.map((right) => `    ${right}`));
});

test.each([
  ['\u001b[2K\u001b[1A', '⟨U+001B⟩[2K⟨U+001B⟩[1A'],
  ['\u009b8m', '⟨U+009B⟩8m'],
  ['a\nTrust', 'a⟨U+000A⟩Trust'],
  ['a\rb\tc', 'a⟨U+000D⟩b⟨U+0009⟩c'],
  ['\u202egnp.sh', '⟨U+202E⟩gnp.sh'],
  ['a\u200bb\u2060\ufeff', 'a⟨U+200B⟩b⟨U+2060⟩⟨U+FEFF⟩'],
  ['a\u2028b', 'a⟨U+2028⟩b'],
  ['\u{e0041}', '⟨U+E0041⟩'],
  ['a\u00a0\u3164b', 'a⟨U+00A0⟩⟨U+3164⟩b'],
  ['\ud800', '⟨U+D800⟩'],
  ['plain words, ümläut, 漢字', 'plain words, ümläut, 漢字'],
])('%j is written out as %s', (hostile, shown) => {
  const text = showTrustWishes([{ file: `/p/${hostile}`, rights: [hostile] }], plain);
  expect(text.split('\n').slice(1)).toEqual([`  /p/${shown}`, `    ${shown}`, '']);
});

test.each([
  ['y', true],
  ['YES', true],
  ['', false],
  ['yy', false],
  ['n', false],
  [undefined, false],
])('the answer %j means %j', async (answer, means) => {
  const terminal = answering(answer);
  const { signal } = new AbortController();
  const wishes = [{ file: '/p/.env', rights: ['A=1', 'B=2'] }];
  expect(await askTrust(wishes, { terminal, style: plain, signal })).toBe(means);
  expect(terminal.asked.at(-1)).toBe('Trust this file, as now, with all 2 lines above? [y/N]: ');
});
