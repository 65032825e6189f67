import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RedactedText, Redaction } from './redaction.ts';

test('secrets are redacted in texts, longest first, and in values at any depth', () => {
  const redaction = new Redaction(['sesame', 'sesame-street', 'abc', '']);

  expect(redaction.text('sesame-street sesame abc')).toBe('*** *** abc');
  expect(redaction.value({ a: ['sesame', 1, null, { sesame: 'x sesame' }] })).toEqual({
    a: ['***', 1, null, { '***': 'x ***' }],
  });
});

test('without secrets a value is the same value', () => {
  const value = { a: 'sesame' };

  expect(new Redaction([]).value(value)).toBe(value);
});

test('a secret in any pieces is redacted, and nothing else is lost', () => {
  const secrets = ['sesame', 'mesa-mesa'];
  const words = fc.constantFrom('se', 'sesame', 'same', 'mesa-', 'mesa', ' ', 'x');
  fc.assert(
    fc.property(fc.array(words), fc.array(fc.nat(12)), (parts, sizes) => {
      const whole = parts.join('');
      const redacted = new RedactedText(new Redaction(secrets));
      let output = '';
      let rest = whole;
      for (const size of sizes) {
        output += redacted.push(rest.slice(0, size));
        rest = rest.slice(size);
      }
      output += redacted.push(rest);
      output += redacted.flush();

      for (const secret of secrets) expect(output).not.toContain(secret);
      if (!secrets.some((secret) => whole.includes(secret))) expect(output).toBe(whole);
    }),
  );
});
