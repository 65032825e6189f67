import { deniedLines, irreversibleLines, prefixLines, shellLines } from '@parley/conformance';
import { describe, expect, test } from 'vitest';
import { decideCommand } from '../src/command/decide-command.ts';
import { irreversibleReason } from '../src/command/irreversible/irreversible.ts';
import { splitCommand } from '../src/command/split-command.ts';
import { prefixOf } from '../src/rule/command-prefix.ts';

describe.skipIf(process.platform === 'win32')('lines of the corpus', () => {
  describe('under a rule that allows the first words', () => {
    test.each(prefixLines)('"$rule" and $line: $expected, because: $why', ({ rule, line, expected }) => {
      const decision = decideCommand([{ commandPrefix: rule, decision: 'allow' }], line);
      expect(decision ?? 'ask').toBe(expected);
    });

    test.each(prefixLines.filter(({ expected }) => expected === 'ask'))(
      'an "always" about $line makes no rule for more than it shows',
      ({ line }) => {
        const prefix = prefixOf(line);
        if (prefix === undefined) return;
        expect(decideCommand([{ commandPrefix: prefix, decision: 'allow' }], line)).toBe('allow');
      },
    );
  });

  describe('under a rule that denies the first words', () => {
    test.each(deniedLines)('"$rule" and $line: $expected, because: $why', ({ rule, line, expected }) => {
      const allowed = { decision: 'allow' } as const;
      const decision = decideCommand([{ commandPrefix: rule, decision: 'deny' }, allowed], line);
      expect(decision === 'allow' ? 'nothing' : decision).toBe(expected);
    });

    test.each(deniedLines)(
      'a rule that asks sees $line where one that denies does',
      ({ rule, line, expected }) => {
        const decision = decideCommand([{ commandPrefix: rule, decision: 'ask' }], line);
        expect(decision).toBe(expected === 'nothing' ? undefined : 'ask');
      },
    );
  });

  test.each(irreversibleLines)('$line is $expected, because: $why', ({ line, expected }) => {
    expect(irreversibleReason(line) === undefined ? 'may run' : 'refused').toBe(expected);
  });

  test.each(shellLines)('$line is $expected, because: $why', ({ line, expected, programs }) => {
    const parts = splitCommand(line);
    expect(parts === undefined ? 'not understood' : 'split').toBe(expected);
    const found = parts?.flatMap(({ words }) => (words[0] === undefined ? [] : [words[0].text]));
    expect(found ?? []).toEqual(programs);
  });
});

test('the corpus has no line twice, and a reason for each', () => {
  for (const lines of [prefixLines, deniedLines]) {
    const keys = lines.map(({ rule, line }) => JSON.stringify([rule, line]));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  }
  const all = [...prefixLines, ...deniedLines, ...irreversibleLines, ...shellLines];
  expect(all.length).toBeGreaterThanOrEqual(400);
  expect(all.filter(({ why }) => why === '')).toEqual([]);
});
