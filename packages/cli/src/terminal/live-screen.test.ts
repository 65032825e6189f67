import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { drawnOn } from './drawn-on.fixture.ts';
import { LiveScreen, type Footer } from './live-screen.ts';

const columns = 20;

function openScreen(): { screen: LiveScreen; show: (footer: Footer) => void; rows: () => readonly string[] } {
  let footer: Footer = { rows: [] };
  const stream = Object.assign(new PassThrough(), { columns, rows: 10 });
  const screen = new LiveScreen({ stream, footer: () => footer });
  let written = '';
  stream.on('data', (chunk: Buffer) => {
    written += chunk.toString();
  });
  return {
    screen,
    show: (wanted) => {
      footer = wanted;
    },
    rows: () => drawnOn(written, columns),
  };
}

test('output scrolls above the footer, which is drawn once', async () => {
  const { screen, show, rows } = openScreen();
  show({ rows: ['> hel'], cursor: { row: 0, column: 5 } });
  screen.write('one\n');
  await screen.flush();
  screen.write('two');
  await screen.flush();
  show({ rows: ['working', '> hello'], cursor: { row: 1, column: 7 } });
  screen.write(' and more\nthree\n');
  await screen.flush();
  expect(rows()).toEqual(['one', 'two and more', 'three', 'working', '> hello']);
});

test('a line is broken between words, and Chinese and emoji take two columns', async () => {
  const { screen, rows } = openScreen();
  screen.write('  twelve columns are not enough\n你好世界你好世界你好世界\n👨‍👩‍👧‍👦 family and more words\n');
  await screen.flush();
  expect(rows()).toEqual([
    '  twelve columns are',
    '  not enough',
    '你好世界你好世界你好',
    '世界',
    '👨‍👩‍👧‍👦 family and more',
    'words',
  ]);
});

test('rows that may still change are replaced by final ones, even if they are equal', async () => {
  const { screen, show, rows } = openScreen();
  show({ rows: ['footer'] });
  screen.showOpen(() => ['open one', 'open two']);
  await screen.flush();
  screen.print(['open one', 'open two']);
  screen.showOpen(() => []);
  await screen.flush();
  screen.print(['next']);
  await screen.flush();
  expect(rows()).toEqual(['open one', 'open two', 'next', 'footer']);
});

test('the terminal wraps a printed line that is too long, and nothing of the old footer remains', async () => {
  const { screen, show, rows } = openScreen();
  show({ rows: ['a footer', 'of two rows'] });
  await screen.flush();
  screen.print(['0123456789012345678901234']);
  await screen.flush();
  expect(rows()).toEqual(['01234567890123456789', '01234', 'a footer', 'of two rows']);
});

test('other output appears above the footer, and the footer is removed at the end', async () => {
  const { screen, show, rows } = openScreen();
  show({ rows: ['status', '> '], cursor: { row: 1, column: 2 } });
  screen.write('unfinished');
  await screen.flush();
  screen.write('\n');
  screen.aside(() => screen.print(['a warning']));
  await screen.flush();
  screen.close();
  expect(rows()).toEqual(['unfinished', 'a warning']);
});

test('a footer that shrinks leaves nothing behind', async () => {
  const { screen, show, rows } = openScreen();
  show({ rows: ['one', 'two', 'three'], cursor: { row: 0, column: 1 } });
  await screen.flush();
  show({ rows: ['one'], cursor: { row: 0, column: 3 } });
  screen.refresh();
  await screen.flush();
  show({ rows: [] });
  await screen.flush();
  screen.write('after\n');
  await screen.flush();
  expect(rows()).toEqual(['after']);
});

test('an agent that writes faster than the screen is drawn has to wait', async () => {
  const { screen } = openScreen();
  screen.write(`${'x'.repeat(columns)}\n`.repeat(60_000));
  const waiting = screen.ready();
  expect(waiting).toBeInstanceOf(Promise);
  await screen.flush();
  await waiting;
  expect(screen.ready()).toBeUndefined();
});
