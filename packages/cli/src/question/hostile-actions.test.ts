import { hostileActions, type HostileAction } from '@parley/conformance/hostile-actions';
import { toPermissionChoices } from '@parley/host/state';
import { expect, test } from 'vitest';
import { createStyle } from '../output/style.ts';
import { showPermission } from './permission-question.ts';

const columns = 100;
const all = hostileActions();

const tricks = [...new Set(all.map(({ trick }) => trick))];

test('the corpus has more than 200 hostile requests', () => {
  expect(all.length).toBeGreaterThan(200);
});

test.each(tricks)('%s: each byte that would be executed or written can be read', (wanted) => {
  const played = all.filter(({ trick }) => trick === wanted);
  expect(played.length).toBeGreaterThan(0);
  for (const { name, action } of played) expectWhole(name, action);
});

function expectWhole(name: string, action: HostileAction['action']): void {
  const lines = readScreen(show(action, 'whole'));
  const { command, files, address, input, tool } = action;

  if (command !== undefined) {
    const line = textAt(lines, '$ ', '  ') ?? '';
    if (typeof command.command === 'string') expect(comparable(line), name).toBe(comparable(command.command));
    else expect(readWords(line).map(comparable), name).toEqual(command.command.map(comparable));
    expect([textAt(lines, 'by '), textAt(lines, 'by the shell ')].map(comparable)).toContain(
      comparable(command.program),
    );
    expect(comparable(textAt(lines, 'in ')), name).toBe(comparable(command.cwd));
    const variables = textsAt(lines, 'with ', '     ').map((text) => comparable(readWords(text).join(' ')));
    expect(variables, name).toEqual(
      command.env.map((variable) => comparable(`${variable.name}=${variable.value}`)),
    );
  }
  expect([...textsAt(lines, 'writes '), ...textsAt(lines, 'names ')].map(comparable)).toEqual(
    files.map(({ path }) => comparable(path)),
  );
  expect(textsAt(lines, '  leads to ').map(comparable)).toEqual(
    files.flatMap(({ realPath }) => (realPath === undefined ? [] : [comparable(realPath)])),
  );
  for (const { content } of files) {
    if (content === undefined) continue;
    // What stays and what comes, in its order, is the file as it would be.
    const after = lines.filter(({ mark }) => mark === '+ ' || mark === '  ').map(({ text }) => text);
    expect(comparable(after.join('\n')), name).toBe(comparable(content.newText.replace(/\n$/u, '')));
  }
  if (address !== undefined) expect(lines.map(({ text }) => text)).toContain(address);
  if (input !== undefined) {
    const shown = [
      ...leavesOf(JSON.parse(inputIn(lines))),
      ...leavesOf({ ...command, args: command?.command }),
    ];
    expect(shown, name).toEqual(expect.arrayContaining([...leavesOf(input)]));
  }
  if (tool?.startsWith('mcp__') === true) {
    const [, server, called] = /^mcp__(.+?)__(.+)$/su.exec(tool) ?? [];
    expect(comparable(textAt(lines, 'of the server ')), name).toBe(comparable(server));
    expect(comparable(textAt(lines, 'MCP tool ')), name).toBe(comparable(called));
  }
}

test.each(tricks)('%s: what does not fit on the screen is counted', (wanted) => {
  const played = all.filter(({ trick }) => trick === wanted);
  expect(played.length).toBeGreaterThan(0);
  for (const { name, action } of played) expectCounted(name, action);
});

function expectCounted(name: string, action: HostileAction['action']): void {
  const text = show(action, 'excerpt');
  const rows = text.split('\n');
  expect(rows.length).toBeLessThan(400);
  readScreen(text);
  const isWhole = text === show(action, 'whole');
  expect(/more lines: press w to show all of it|unchanged lines/u.test(text), name).toBe(!isWhole);
}

function show(action: HostileAction['action'], extent: 'excerpt' | 'whole'): string {
  const question = {
    action,
    choices: toPermissionChoices([{ optionId: 'y', name: 'Yes', kind: 'allow_once' }]),
    takesFeedback: false,
    agentName: 'agent',
    screen: { style: createStyle(true, {}), columns },
    waiting: 0,
  };
  return showPermission(question, extent).text;
}

/** A line of the question: what we wrote before it, and what it says. */
interface ReadLine {
  readonly mark: string;
  readonly text: string;
}

/**
 * A terminal that knows colours and line breaks, and nothing else: any other control sequence is an error. It puts rows that go
 * on together again, and reads the notation of what is written out.
 */
function readScreen(output: string): readonly ReadLine[] {
  const text = output.replaceAll(/\u001b\[(?:1|2|22|31|32|39)m/gu, '');
  expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]|(?! )\p{Zs}/u);
  expect(text).not.toMatch(/(?!(?<=\p{Extended_Pictographic})\ufe0f)\p{Default_Ignorable_Code_Point}/u);
  expect(text).not.toMatch(/(?<!\p{L}\p{M}{0,3})(?!\ufe0f)\p{M}| {60}/u);
  const rows: string[] = [];
  for (const row of text.split('\n')) {
    expect(widthOf(row)).toBeLessThanOrEqual(columns);
    const [, rest] = /^ {4} *↳ (.*)$/su.exec(row) ?? [];
    if (rest === undefined) rows.push(row);
    else rows.push(`${rows.pop() ?? ''}${rest}`);
  }
  const lines: ReadLine[] = [];
  let others = '';
  for (const row of rows) {
    if (!row.startsWith('    ')) continue;
    const line = row.slice(4);
    const [mark = ''] = marks.exec(line) ?? [];
    if (mark !== '') others = mark === 'with ' ? '     ' : '  ';
    const before = mark === '' && line.startsWith(others) ? others : mark;
    const said = line.slice(before.length);
    lines.push({
      mark: before,
      text: said.replaceAll(/⟨([^⟩]*)⟩/gu, (_note, note: string) => meaningOf(note)),
    });
  }
  return lines;
}

const marks =
  /^(?:\$ |by the shell |by |in |with |writes |names |MCP tool |of the server | {2}leads to |its input|[+|!-] )/u;

/** Characters beyond ASCII may take two columns, a mark takes none. */
function widthOf(row: string): number {
  return [...row.replaceAll(/\p{M}/gu, '')].reduce((sum, each) => sum + (each <= '~' ? 1 : 2), 0);
}

function meaningOf(note: string): string {
  if (note.startsWith('≈')) return '';
  if (note === 'tab') return '\t';
  if (note.startsWith('U+')) return String.fromCodePoint(Number.parseInt(note.slice(2), 16));
  const [, lines, spaces, tabs] =
    /^(?:(\d+) empty lines?(?:, )?)?(?:(\d+) spaces?(?:, )?)?(?:(\d+) tabs?)?$/u.exec(note) ?? [];
  expect(lines ?? spaces ?? tabs).toBeDefined();
  // A note of lines stands in a line of its own: that one is counted too.
  const blanks = ' '.repeat(Number(spaces ?? 0)) + '\t'.repeat(Number(tabs ?? 0));
  return lines === undefined ? blanks : `${blanks}${'\n'.repeat(Number(lines) - 1)}`;
}

/** Blanks that are only counted are compared by their number, and tabs before a line as spaces. */
function comparable(text = ''): string {
  return text
    .replaceAll(
      /(^|\n)((?:[ \t]*\n){4,})/gu,
      (_gap, before: string, gap: string) => `${before}${counted(gap)}\n`,
    )
    .replaceAll(/[ \t]{33,}/gu, counted)
    .replaceAll(/^[ \t]+/gmu, (blanks) => blanks.replaceAll('\t', '    '));
}

function counted(blanks: string): string {
  const count = (character: string): string => String(blanks.split(character).length - 1);
  return `<${count('\n')} lines ${count(' ')} spaces ${count('\t')} tabs>`;
}

/** The input, where it is shown. */
function inputIn(lines: readonly ReadLine[]): string {
  const start = lines.findIndex(({ mark }) => mark === 'its input');
  return lines
    .slice(start + 1)
    .map(({ text }) => text)
    .join('\n');
}

/** Each text, number and name in a value. */
function leavesOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.entries(value).flatMap(([name, each]) => [
    ...(Array.isArray(value) ? [] : [name]),
    ...leavesOf(each),
  ]);
}

/** What a POSIX shell makes of words, single quotes, and a backslash before a quote. */
function readWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === ' ') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "'") {
      const end = line.indexOf("'", at + 1);
      word = (word ?? '') + line.slice(at + 1, end);
      at = end;
    } else {
      if (character === '\\') at += 1;
      word = (word ?? '') + line.charAt(at);
    }
  }
  return word === undefined ? words : [...words, word];
}

/** The text behind a mark, with the lines that follow behind another one. */
function textsAt(lines: readonly ReadLine[], first: string, others?: string): readonly string[] {
  const texts: string[] = [];
  let isOpen = false;
  for (const { mark, text } of lines) {
    if (mark === first) texts.push(text);
    else if (isOpen && mark === others) texts.push(`${texts.pop() ?? ''}\n${text}`);
    isOpen = mark === first || (isOpen && mark === others);
  }
  return texts;
}

function textAt(lines: readonly ReadLine[], first: string, others?: string): string | undefined {
  return textsAt(lines, first, others)[0];
}
