import { expect, test } from 'vitest';
import { chaosOptions, toChaosVariable } from './chaos-options.ts';

const usual = { replicas: 2, sessions: 12, faults: 4 };

test('without a value a run of PARLEY_CHAOS is as its test says, with a seed of its own', () => {
  expect(chaosOptions(usual, '')).toEqual({ ...usual, isStrict: false, seed: expect.any(Number) as number });
});

test('a long run has 100 sessions and 60 faults, and a strict one asserts the limits of the contract', () => {
  expect(chaosOptions(usual, 'strict,long,seed=7,faults=5')).toEqual({
    seed: 7,
    replicas: 2,
    sessions: 100,
    faults: 5,
    isStrict: true,
  });
});

test('the printed value repeats a run', () => {
  const options = chaosOptions(usual, 'strict,long');
  expect(chaosOptions(usual, toChaosVariable(options))).toEqual(options);
});

test.each(['strictly', 'seed=x', 'toString', '1'])('PARLEY_CHAOS=%s is rejected', (value) => {
  expect(() => chaosOptions(usual, value)).toThrow(value);
});
