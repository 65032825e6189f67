import { hostileActions, type HostileAction } from '@parley/conformance/hostile-actions';
import { toQuestionParts } from '@parley/host/state';
import { createElement } from 'react';
import { prerender } from 'react-dom/static.edge';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { DiffView } from '../conversation/diff/diff.tsx';
import { enFirst } from '../text/en-first.ts';
import { en } from '../text/en.ts';
import { SpeechContext } from '../text/language.tsx';
import { RequestParts } from './request-parts.tsx';

const all = hostileActions();
const tricks = [...new Set(all.map(({ trick }) => trick))];
const { inbox, conversation } = en;

beforeAll(() => DiffView.load());

beforeEach(() => {
  // What a comparison asks its browser for.
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('localStorage', { getItem: () => null });
});

test.each(tricks)('%s: each byte that would be executed or written can be read', async (wanted) => {
  const played = all.filter(({ trick }) => trick === wanted);
  expect(played.length).toBeGreaterThan(0);
  for (const { name, action } of played) expectWhole(name, action, await draw(action));
});

function expectWhole(name: string, action: HostileAction['action'], page: PageElement): void {
  const { command, files, address, input, tool } = action;
  const facts = find(page, 'call-fact').map((fact) => ({
    label: find(fact, 'soft').map(plainText)[0],
    values: find(fact, 'code').map(shownText),
  }));
  const values = (...labels: string[]): readonly string[] =>
    facts.flatMap((fact) => (labels.includes(fact.label ?? '') ? fact.values : []));

  if (command !== undefined) {
    const [line = ''] = find(page, 'call-command').map(shownText);
    if (typeof command.command === 'string') expect(comparable(line), name).toBe(comparable(command.command));
    else expect(readWords(line).map(comparable), name).toEqual(command.command.map(comparable));
    expect(values(inbox.shell, inbox.program).map(comparable), name).toEqual([comparable(command.program)]);
    expect(values(inbox.folder).map(comparable), name).toEqual([comparable(command.cwd)]);
    const variables = values(inbox.variables(1), inbox.variables(2));
    expect(
      variables.map((variable) => comparable(readWords(variable).join(' '))),
      name,
    ).toEqual(command.env.map((variable) => comparable(`${variable.name}=${variable.value}`)));
  }
  expect(values(...Object.values(inbox.effects)).map(comparable), name).toEqual(
    files.map(({ path }) => comparable(path)),
  );
  const links = find(page, 'question-warning').filter((warning) =>
    plainText(warning).includes(inbox.leadsTo),
  );
  expect(
    links.flatMap((link) => find(link, 'code').map((code) => comparable(shownText(code)))),
    name,
  ).toEqual(files.flatMap(({ realPath }) => (realPath === undefined ? [] : [comparable(realPath)])));
  for (const { content } of files) if (content !== undefined) expectContent(name, content.newText, page);
  if (address !== undefined) expect(find(page, 'call-address').map(shownText), name).toEqual([address]);
  if (input !== undefined) {
    const rest = find(page, 'call-input').map(shownText).join('');
    const shown = [...leavesOf(JSON.parse(rest)), ...leavesOf({ ...command, args: command?.command })];
    expect(shown, name).toEqual(expect.arrayContaining([...leavesOf(input)]));
  }
  if (tool?.startsWith('mcp__') === true) {
    expect(values(inbox.mcpTool).map(comparable), name).toEqual(
      tool
        .slice('mcp__'.length)
        .split(/__(.+)/su)
        .slice(0, 2)
        .toReversed()
        .map(comparable),
    );
  }
}

/** What stays and what comes, in its order, is the file as it would be; lines that are left out are counted. */
function expectContent(name: string, newText: string, page: PageElement): void {
  const rows = [...find(page, 'diff-same'), ...find(page, 'diff-added')];
  const lines = rows.flatMap((row) => find(row, 'diff-code')).map(({ children }) => shownNotation(children));
  const expected = comparable(newText.replace(/\n$/u, ''));
  const [more] = find(page, 'diff-more').map(plainText);
  if (more === undefined) {
    // The rows of a change are in the order of the page: those that stay are around those that come.
    const inOrder = find(page, 'tr').flatMap((row) =>
      row.classes.includes('diff-removed') ? [] : find(row, 'diff-code'),
    );
    expect(comparable(inOrder.map(({ children }) => shownNotation(children)).join('\n')), name).toBe(
      expected,
    );
    return;
  }
  const left = expected.split('\n').length - lines.length;
  expect(more, name).toBe(conversation.moreLines(left));
}

async function draw(action: HostileAction['action']): Promise<PageElement> {
  const speech = { language: 'en', texts: enFirst, all: en, choose: () => {} } as const;
  const question = createElement(RequestParts, { parts: toQuestionParts(action), cwd: '/w' });
  const { prelude } = await prerender(
    createElement(SpeechContext, { value: speech }, question),
    // All of it in its place, however large it is.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  const markup = await new Response(prelude).text();
  const shown = markup.replaceAll(/<[^>]*>/gu, '');
  expect(shown).not.toMatch(/[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]|(?! )\p{Zs}|[ \t]{40}|\n{6}/u);
  expect(shown).not.toMatch(/(?!(?<=\p{Extended_Pictographic})\ufe0f)\p{Default_Ignorable_Code_Point}/u);
  expect(shown).not.toMatch(/(?<!\p{L}\p{M}{0,3})(?!\ufe0f)\p{M}/u);
  return parse(markup);
}

/** An element of the page, as far as it matters here. */
interface PageElement {
  readonly tag: string;
  readonly classes: readonly string[];
  readonly children: readonly (PageElement | string)[];
}

interface OpenElement extends PageElement {
  readonly children: (PageElement | string)[];
}

/** Reads what React writes: it escapes each bracket of a text, so that each one here is of a tag. */
function parse(markup: string): PageElement {
  const root: OpenElement = { tag: 'body', classes: [], children: [] };
  const open = [root];
  for (const [, text, end, tag = '', attributes = ''] of markup.matchAll(
    /([^<]+)|<(?:(\/)|!--.*?--|)([a-z][a-z\d]*)?([^>]*)>/gsu,
  )) {
    const parent = open.at(-1) ?? root;
    if (text !== undefined) parent.children.push(unescape(text));
    else if (end !== undefined) open.pop();
    else if (tag !== '') {
      expect(allowedTags).toContain(tag);
      const [, classes = ''] = /\bclass="([^"]*)"/u.exec(attributes) ?? [];
      const element: OpenElement = { tag, classes: classes.split(' '), children: [] };
      parent.children.push(element);
      if (tag !== 'col') open.push(element);
    }
  }
  return root;
}

/** A text that became an element would be another one. */
const allowedTags =
  'div p span code pre figure figcaption section ul li mark bdi svg path strong details summary table colgroup col tbody tr td button template'.split(
    ' ',
  );

function unescape(text: string): string {
  const characters = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&amp;': '&' } as const;
  return text.replaceAll(
    /&(?:lt|gt|quot|#x27|amp);/gu,
    (escaped) => Object.entries(characters).find(([name]) => name === escaped)?.[1] ?? escaped,
  );
}

/** The elements with a class, or of a tag, in the order of the page. */
function find(element: PageElement, wanted: string): readonly PageElement[] {
  return element.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    const isWanted = child.tag === wanted || child.classes.includes(wanted);
    return [...(isWanted ? [child] : []), ...find(child, wanted)];
  });
}

function plainText({ children }: PageElement): string {
  return children.map((child) => (typeof child === 'string' ? child : plainText(child))).join('');
}

/** What an element says, where what is written out is marked. */
function shownText(element: PageElement): string {
  const { classes, children } = element;
  if (classes.includes('honest-hidden')) return meaningOf(plainText(element));
  return children.map((child) => (typeof child === 'string' ? child : shownText(child))).join('');
}

/** What a line of a comparison says, where what is written out stands in brackets. */
function shownNotation(children: PageElement['children']): string {
  const text = children.map((child) => (typeof child === 'string' ? child : plainText(child))).join('');
  return text.replaceAll(/⟨([^⟩]*)⟩/gu, (_note, note: string) => meaningOf(note));
}

function meaningOf(note: string): string {
  if (note.startsWith('≈')) return '';
  if (note.startsWith('U+')) return String.fromCodePoint(Number.parseInt(note.slice(2), 16));
  const [, lines, spaces, tabs] =
    /^(?:(\d+) empty lines?(?:, )?)?(?:(\d+) spaces?(?:, )?)?(?:(\d+) tabs?)?$/u.exec(note) ?? [];
  expect(lines ?? spaces ?? tabs, note).toBeDefined();
  // A note of lines stands in a line of its own: that one is counted too.
  const blanks = ' '.repeat(Number(spaces ?? 0)) + '\t'.repeat(Number(tabs ?? 0));
  return lines === undefined ? blanks : `${blanks}${'\n'.repeat(Number(lines) - 1)}`;
}

/** Blanks that are only counted are compared by their number. */
function comparable(text = ''): string {
  return text
    .replaceAll(
      /(^|\n)((?:[ \t]*\n){4,})/gu,
      (_gap, before: string, gap: string) => `${before}${counted(gap)}\n`,
    )
    .replaceAll(/[ \t]{33,}/gu, counted);
}

function counted(blanks: string): string {
  const count = (character: string): string => String(blanks.split(character).length - 1);
  return `<${count('\n')} lines ${count(' ')} spaces ${count('\t')} tabs>`;
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
