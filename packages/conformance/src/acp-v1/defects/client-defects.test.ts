import { expect, test } from 'vitest';
import { checkClient, clientRequirements } from '../client/check-client.ts';
import type { CheckResult } from '../requirement.ts';
import { clientDefects } from './client-defects.fixture.ts';
import { seededClientProgram } from './seeded-client.fixture.ts';

const idsOf = (checks: readonly CheckResult[], outcome: CheckResult['outcome']): readonly string[] =>
  checks.filter((check) => check.outcome === outcome).map(({ id }) => id);

test('no check fails for a client that does everything right, and each one applies', async () => {
  const { target, checks } = await checkClient(seededClientProgram(() => undefined));
  expect(target).toEqual({ name: 'seeded', version: '1.0.0' });
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
});

test('a client that does not start the agent fails, and all else is skipped', async () => {
  const { checks } = await checkClient({ run: async () => true });
  expect(idsOf(checks, 'failed')).toEqual(['CLIENT-INIT-101']);
  expect(idsOf(checks, 'skipped')).toHaveLength(clientRequirements.length - 1);
});

test('there are at least 30 defects, and each requirement is failed by one of them', () => {
  expect(clientDefects.length).toBeGreaterThanOrEqual(30);
  const noticed = new Set(clientDefects.flatMap(({ fails }) => fails));
  expect(clientRequirements.filter(({ id }) => !noticed.has(id))).toEqual([]);
});

test.concurrent.each(clientDefects)(
  'a client that $what fails $fails',
  { timeout: 60_000 },
  async ({ change, fails, isSilent }) => {
    const limit = isSilent === true ? { timeoutMs: 3000 } : {};
    const { checks } = await checkClient(seededClientProgram(change), limit);
    expect(idsOf(checks, 'failed').toSorted()).toEqual(fails.toSorted());
  },
);
