import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approve, script, type Step } from './harness.ts';

function read(path: string): Step {
  return { request: 'fs/read_text_file', params: { sessionId: '$SESSION', path } };
}

const create: Step = {
  request: 'terminal/create',
  params: { sessionId: '$SESSION', command: process.execPath, args: ['--version'] },
};

const served = { result: expect.anything() };
const unknownMethod = { error: expect.objectContaining({ code: -32601 }) };

test.each([
  [{}, [served, served]],
  [{ files: false }, [unknownMethod, served]],
  [{ files: 'write' as const }, [unknownMethod, served]],
  [{ terminals: false }, [served, unknownMethod]],
  [{ files: false, terminals: false }, [unknownMethod, unknownMethod]],
])('what is not served is refused: %j', async (serves, expected) => {
  const { play, answers, cwd } = await script({ serves, policy: approve('all') });
  await writeFile(join(cwd, 'a'), 'one');

  await play(read(join(cwd, 'a')), create);

  expect(answers()).toEqual(expected);
});

test.each([
  [undefined, { fs: { readTextFile: true, writeTextFile: true }, terminal: true }],
  [{ files: false }, { terminal: true }],
  [{ files: 'write' as const }, { fs: { readTextFile: false, writeTextFile: true }, terminal: true }],
  [{ terminals: false }, { fs: { readTextFile: true, writeTextFile: true } }],
  [{ files: false, terminals: false }, {}],
])('what is not served is not declared: %j', async (serves, expected) => {
  const frames: string[] = [];
  await script({
    ...(serves !== undefined && { serves }),
    observe: ({ direction, ...frame }) => {
      if (direction === 'out') frames.push(JSON.stringify(frame));
    },
  });

  const { fs, terminal } = capabilitiesIn(frames);

  expect({ ...(fs !== undefined && { fs }), ...(terminal !== undefined && { terminal }) }).toEqual(expected);
});

interface Capabilities {
  readonly fs?: unknown;
  readonly terminal?: unknown;
}

function capabilitiesIn(frames: readonly string[]): Capabilities {
  let found: Capabilities = {};
  for (const frame of frames) {
    JSON.parse(frame, (key, value: Capabilities) => {
      if (key === 'clientCapabilities') found = value;
      return value;
    });
  }
  return found;
}
