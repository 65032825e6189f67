/** A command line, the expected result, and the reason. */
export interface CommandLineCase<Expected extends string> {
  readonly line: string;
  readonly expected: Expected;
  readonly why: string;
}

/** A command line with a rule about the first words of commands. */
export interface RuledLineCase<Expected extends string> extends CommandLineCase<Expected> {
  /** The first words in the rule. */
  readonly rule: string;
}

/** The expected result of a rule that allows first words: the line is allowed, or the user is asked. */
export type PrefixExpectation = 'allow' | 'ask';

/** Lines with the same rule and the same expectation: each with its reason. */
export function ruled<Expected extends string>(
  rule: string,
  expected: Expected,
  lines: readonly (readonly [line: string, why: string])[],
): readonly RuledLineCase<Expected>[] {
  return lines.map(([line, why]) => ({ rule, line, expected, why }));
}

/** Lines with the same expectation: each with its reason. */
export function expecting<Expected extends string>(
  expected: Expected,
  lines: readonly (readonly [line: string, why: string])[],
): readonly CommandLineCase<Expected>[] {
  return lines.map(([line, why]) => ({ line, expected, why }));
}
