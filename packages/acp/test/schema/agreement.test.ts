import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '@parley/wire';
import { describe, expect, test } from 'vitest';
import { findClearingFields } from './clearing-field.ts';
import { readOfficialSchema } from './official-schema.ts';
import { createOracle } from './oracle.ts';
import { createRandom, createSample, oddities } from './samples.ts';

type Parse = (value: unknown) => unknown;

const entries = {
  stable: await import('../../src/schema/v1/stable.ts'),
  unstable: await import('../../src/schema/v1/unstable.ts'),
};
/** `PARLEY_ROUNDS` multiplies them, where there is time for more. */
const samplesPerType = 40 * Number(process.env['PARLEY_ROUNDS'] ?? 1);

describe.each(['stable', 'unstable'] as const)('the %s schema', (status) => {
  const schema = readOfficialSchema(status);
  const oracle = createOracle(schema, findClearingFields(schema));
  const parsers = new Map<string, unknown>(Object.entries(entries[status]));

  test.each(Object.keys(schema.$defs))('%s: our parser agrees with the official schema', (type) => {
    const parse = parsers.get(`parse${type}`) as Parse;
    const random = createRandom(type.length * 7919);
    const samples = Array.from({ length: samplesPerType }, () => createSample(schema, type, random));

    const disagreements = [...oddities, ...samples].flatMap((sample) => {
      const before = JSON.stringify(sample);
      const { accepted, literal, value } = oracle.judge(type, sample);
      const parsed = parse(sample);
      const checks = {
        'the same decision': !(parsed instanceof Invalid) === accepted,
        'the same value': !accepted || isDeepStrictEqual(parsed, value),
        'the same object, when nothing changed':
          (parsed === sample) === (accepted && JSON.stringify(value) === before),
        'the sample as it was': JSON.stringify(sample) === before,
        // Regardless of the oracle's own interpreter.
        'all of what the schema takes to the letter':
          !literal || isDeepStrictEqual(plain(parsed), plain(sample)),
      };
      const broken = Object.entries(checks).filter(([, holds]) => !holds);
      return broken.map(([check]) => ({ check, sample: before, parsed, expected: value }));
    });

    expect(disagreements).toEqual([]);
  });
});

/** A value without its nulls, and with the raw values of unknown members. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  if ('raw' in value) return plain(value.raw);
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, plain(field)]));
}
