import { execFileSync } from 'node:child_process';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approve, folder, isPosix, script, type Step } from './harness.ts';

function read(path: string, window: object = {}): Step {
  return { request: 'fs/read_text_file', params: { sessionId: '$SESSION', path, ...window } };
}

test('a file is read whole, or by lines counted from 1', async () => {
  const { play, answers, cwd } = await script();
  const file = join(cwd, 'a');
  await writeFile(file, 'one\ntwo\nthree\n');

  await play(
    read(file),
    read(file, { line: 2 }),
    read(file, { line: 2, limit: 1 }),
    read(file, { limit: 1 }),
    read(file, { line: 0, limit: 1 }),
    read(file, { line: 9 }),
    read(file, { limit: 0 }),
  );

  expect(answers()).toEqual(
    ['one\ntwo\nthree\n', 'two\nthree\n', 'two\n', 'one\n', 'one\n', '', ''].map((content) => ({
      result: { content },
    })),
  );
});

test.runIf(isPosix)(
  'a missing file, what is no file, and what is no text are refused, each by its code',
  async () => {
    const { play, answers, cwd } = await script();
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    await writeFile(join(cwd, 'binary'), Buffer.from([0, 1, 2, 255]));
    await writeFile(join(cwd, 'large'), '');
    await truncate(join(cwd, 'large'), 40 * 1024 * 1024);

    await play(
      read(join(cwd, 'missing')),
      read(cwd),
      read(join(cwd, 'pipe')),
      read('/dev/zero'),
      read(join(cwd, 'binary')),
      read(join(cwd, 'large')),
      read('relative'),
    );

    expect(answers()).toMatchObject([
      {
        error: {
          code: -32002,
          // Gemini CLI creates a file only after it was refused in these words.
          message: expect.stringMatching(/^Resource not found: /u),
          data: { reason: 'not-found' },
        },
      },
      { error: { code: -32602 } },
      { error: { code: -32602, data: { reason: 'not-a-file' } } },
      { error: { code: -32602, data: { reason: 'outside' } } },
      { error: { code: -32602, data: { reason: 'binary' } } },
      { error: { code: -32602 } },
      { error: { code: -32602 } },
    ]);
  },
);

test('files in additional directories are served too', async () => {
  const other = await folder();
  await writeFile(join(other, 'a'), 'text');
  const { play, answers } = await script({
    policy: approve('edits'),
    start: { capabilities: { sessionCapabilities: { additionalDirectories: {} } } },
    session: { additionalDirectories: [other] },
  });

  await play(read(join(other, 'a')), {
    request: 'fs/write_text_file',
    params: { sessionId: '$SESSION', path: join(other, 'deep', 'b'), content: 'made' },
  });

  expect(answers()).toEqual([{ result: { content: 'text' } }, { result: {} }]);
  expect(await readFile(join(other, 'deep', 'b'), 'utf8')).toBe('made');
});

test('a session that is not open has no files', async () => {
  const { play, answers, cwd } = await script();

  await play({ request: 'fs/read_text_file', params: { sessionId: 'nobody', path: join(cwd, 'a') } });

  expect(answers()).toMatchObject([{ error: { code: -32002, data: { sessionId: 'nobody' } } }]);
});
