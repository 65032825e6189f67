import { expect, test } from 'vitest';
import { toClientCapabilities } from './client-capabilities.ts';

test('what is not served is not declared', () => {
  const session = { configOptions: { boolean: {} }, notices: {}, compaction: {} };

  expect(toClientCapabilities({ files: false, terminals: false, questions: false })).toEqual({ session });
  expect(toClientCapabilities()).toEqual({
    session,
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    elicitation: { form: {}, url: {} },
  });
});
