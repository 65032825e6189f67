import { expect, test } from 'vitest';
import { methodNotFound, resourceNotFound, unknownSession } from './refusal.ts';

test.each([methodNotFound, resourceNotFound, unknownSession])(
  'a refusal names what the peer named, and only the beginning of a long name: %o',
  (refuse) => {
    expect(JSON.stringify(refuse('named'))).toContain('named');

    const { message, data } = refuse('n'.repeat(1_000_000));
    const text = JSON.stringify({ message, data });

    expect(text).toContain('nnnn…');
    expect(text.length).toBeLessThan(2200);
  },
);
