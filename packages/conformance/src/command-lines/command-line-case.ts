/** A command line, what is expected of a judgement about it, and why. */
export interface CommandLineCase<Expected extends string> {
  readonly line: string;
  readonly expected: Expected;
  readonly why: string;
}

/** A line under a rule for the first words of commands. */
export interface RuledLineCase<Expected extends string> extends CommandLineCase<Expected> {
  /** The first words that the rule names. */
  readonly rule: string;
}

/** What a rule that allows a command by its first words comes to: it allows the line, or the user is asked. */
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
