import { expect, test } from 'vitest';
import { toClientCapabilities } from './client-capabilities.ts';

test('capabilities that are not served are not declared', () => {
  const session = { configOptions: { boolean: {} }, notices: {}, compaction: {} };

  expect(toClientCapabilities({ files: false, terminals: false, questions: false })).toEqual({
    subagents: {},
    session,
  });
  expect(toClientCapabilities()).toEqual({
    subagents: {},
    session,
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    elicitation: { form: {}, url: {} },
  });
});
