import { expect, test } from 'vitest';
import { everything, stage } from './stage.ts';

test('an option may be secret where an agent declares it as such, or none declares it', () => {
  const { server } = stage(() => Promise.resolve());

  const names = [...(everything.options ?? []).map(({ name }) => name), 'unknown'];
  expect(names.filter((name) => server.isSecretOption(name))).toEqual(['apiKey', 'unknown']);
});
