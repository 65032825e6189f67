import { aapStoreContract } from '@parley/conformance';
import { expect, test } from 'vitest';
import { memoryStore } from './memory-store.ts';

test.each(aapStoreContract.map((each) => [each.id, each.title, each] as const))(
  '%s %s',
  async (_id, _title, requirement) => {
    await expect(requirement.check(memoryStore())).resolves.toBeUndefined();
  },
);
