import { chmod, mkdir, open, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../process/run-command.ts';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { openFiles } from './files.ts';
import { openFilesBy, reaches } from './reach.fixture.ts';
import { readWindow } from './text-window.ts';
import { unprivileged } from './unprivileged.fixture.ts';

test('a text comes whole, with its real path and its number of lines', async () => {
  await using directory = await temporaryDirectory();
  const files = await openFiles({ cwd: directory.path });
  await writeFile(directory.at('file'), 'one\r\ntwo\n\nthree €');
  expect(await files.readText('file')).toEqual({
    path: directory.at('file'),
    text: 'one\r\ntwo\n\nthree €',
    lines: 4,
  });
});

test.each([
  ['', 0],
  ['\n', 1],
  ['a', 1],
  ['a\n', 1],
  ['a\n\n', 2],
])('%j has %i lines', async (text, lines) => {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('file'), text);
  const files = await openFiles({ cwd: directory.path });
  expect(await files.readText('file')).toMatchObject({ text, lines });
});

test('a window is the lines asked for, and windows laid end to end give the whole file', async () => {
  await using directory = await temporaryDirectory();
  const files = await openFiles({ cwd: directory.path });
  const line = fc.string({ unit: fc.constantFrom('a', '€', '😀', '\r', ' ') });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n')),
      fc.nat({ max: 14 }),
      fc.nat({ max: 5 }),
      async (text, first, limit) => {
        await writeFile(directory.at('file'), text);
        const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
        const window = await files.readText('file', { line: first, limit });
        const start = Math.max(0, first - 1);
        expect(window.text).toBe(lines.slice(start, start + limit).join(''));
        expect(window.lines).toBe(lines.length);
        expect((await files.readText('file', { line: first })).text).toBe(lines.slice(start).join(''));
      },
    ),
    { numRuns: 60 },
  );
});

test('a file of many chunks is cut neither in its characters nor in its lines', async () => {
  await using directory = await temporaryDirectory();
  const lines = Array.from({ length: 40_000 }, (_, index) => `${index} ${'€😀'.repeat(index % 7)}\n`);
  await writeFile(directory.at('file'), lines.join(''));
  const files = await openFiles({ cwd: directory.path });
  expect((await files.readText('file')).text).toBe(lines.join(''));
  for (const line of [1, 9_999, 20_000, 39_990]) {
    expect(await files.readText('file', { line, limit: 100 })).toMatchObject({
      text: lines.slice(line - 1, line + 99).join(''),
      lines: 40_000,
    });
  }
});

test('a window of a large file is read, the whole of it is too large', async () => {
  await using directory = await temporaryDirectory();
  const files = await openFiles({ cwd: directory.path });
  await writeFile(directory.at('file'), 'x'.repeat(99).concat('\n').repeat(110_000));
  await expect(files.readText('file')).rejects.toMatchObject({ code: 'too-large', path: 'file' });
  await expect(files.readText('file', { line: 2, maxBytes: 1000 })).rejects.toMatchObject({
    code: 'too-large',
  });
  expect(await files.readText('file', { line: 100_000, limit: 1 })).toMatchObject({ lines: 110_000 });
  expect((await files.readText('file', { maxBytes: 11_000_000 })).text).toHaveLength(11_000_000);
});

test.each([
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0xe2, 0x82, 0xac], '€'],
  ['UTF-16, little end first', [0xff, 0xfe, 0xac, 0x20], '€'],
  ['UTF-16, big end first', [0xfe, 0xff, 0x20, 0xac], '€'],
])('%s is a text, without its mark', async (_, bytes, text) => {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('file'), Uint8Array.from(bytes));
  const files = await openFiles({ cwd: directory.path });
  expect((await files.readText('file')).text).toBe(text);
});

test.each([
  ['a NUL byte', [0x61, 0x00, 0x62]],
  ['Latin-1', [0x61, 0xe4, 0x62]],
  ['half a character at the end', [0x61, 0xe2, 0x82]],
  ['half a UTF-16 unit', [0xff, 0xfe, 0x61]],
  ['UTF-32', [0xff, 0xfe, 0x00, 0x00, 0x61, 0x00, 0x00, 0x00]],
])('%s is no text', async (_, bytes) => {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('file'), Uint8Array.from(bytes));
  const files = await openFiles({ cwd: directory.path });
  await expect(files.readText('file')).rejects.toMatchObject({ code: 'binary', path: 'file' });
});

test('an aborted read fails with "aborted"', async () => {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('file'), 'text');
  const files = await openFiles({ cwd: directory.path });
  const reading = files.readText('file', { signal: AbortSignal.abort() });
  await expect(reading).rejects.toMatchObject({ code: 'aborted' });
});

describe.each(reaches)('what is not a regular file is refused, by %s', (reach) => {
  test('a directory, a root, and what is below a file', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('directory'));
    await writeFile(directory.at('file'), '');
    const files = await openFilesBy(reach, directory.path);
    for (const given of ['directory', '.', directory.path]) {
      await expect(files.readText(given)).rejects.toMatchObject({ code: 'is-a-directory' });
      await expect(files.writeText(given, '')).rejects.toMatchObject({ code: 'is-a-directory' });
    }
    await expect(files.readText('missing')).rejects.toMatchObject({ code: 'not-found' });
    await expect(files.readText('file/below')).rejects.toMatchObject({ code: 'not-a-directory' });
    await expect(files.writeText('file/below', '')).rejects.toMatchObject({ code: 'not-a-directory' });
  });

  test.runIf(process.platform !== 'win32')('a FIFO and a socket, without waiting for a writer', async () => {
    await using directory = await temporaryDirectory();
    await runCommand({ command: 'mkfifo', args: ['fifo'], cwd: directory.path });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(directory.at('socket'), resolve));
    const files = await openFilesBy(reach, directory.path);
    for (const given of ['fifo', 'socket']) {
      await expect(files.readText(given)).rejects.toMatchObject({ code: 'not-a-file' });
      await expect(files.writeText(given, '')).rejects.toMatchObject({ code: 'not-a-file' });
      await expect(files.search('x', { path: given })).rejects.toMatchObject({ code: 'not-a-file' });
    }
    expect((await files.list('.')).entries).toEqual([
      { name: 'fifo', kind: 'other' },
      { name: 'socket', kind: 'other' },
    ]);
    expect(await files.remove('fifo')).toMatchObject({ kind: 'other', oldText: null });
    await new Promise((resolve) => server.close(resolve));
  });

  test.runIf(process.platform !== 'win32')('a device', async () => {
    const files = await openFilesBy(reach, '/dev');
    for (const given of ['null', 'zero']) {
      await expect(files.readText(given)).rejects.toMatchObject({ code: 'not-a-file' });
      await expect(files.writeText(given, '')).rejects.toMatchObject({ code: 'not-a-file' });
    }
  });
});

test.runIf(process.platform !== 'win32')('what may not be read is denied', async () => {
  await using directory = await temporaryDirectory();
  await mkdir(directory.at('closed'));
  await writeFile(directory.at('closed', 'file'), '');
  await writeFile(directory.at('file'), '');
  await chmod(directory.at('closed'), 0o000);
  await chmod(directory.at('file'), 0o000);
  await chmod(directory.path, 0o777);
  const files = await openFiles({ cwd: directory.path });
  await unprivileged(async () => {
    await expect(files.readText('file')).rejects.toMatchObject({ code: 'denied', path: 'file' });
    await expect(files.readText('closed/file')).rejects.toMatchObject({ code: 'denied' });
    await expect(files.list('closed')).rejects.toMatchObject({ code: 'denied' });
    await expect(files.writeText('closed/file', '')).rejects.toMatchObject({ code: 'denied' });
    await expect(files.remove('closed/file')).rejects.toMatchObject({ code: 'denied' });
  });
  await chmod(directory.at('closed'), 0o700);
});

test.each([0, 4, 8, 100])(
  'a file is read to its end, though it had %i bytes when it was opened',
  async (size) => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('file'), 'one\ntwo\n');
    await using handle = await open(directory.at('file'));
    const window = await readWindow(handle, { line: 1, limit: 9, maxBytes: 99, signal: undefined, size });
    expect(window).toMatchObject({ kind: 'text', text: 'one\ntwo\n', lines: 2 });
  },
);
