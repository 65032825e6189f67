/**
 * Whether setting a variable for a command changes at most how its output looks. All other variables, known or not, can
 * choose what runs, where it connects to or what it writes: a command with one of those is not what its words say.
 */
export function isHarmlessVariable(name: string): boolean {
  return harmless.has(name) || /^LC_[A-Z]+$/u.test(name);
}

const harmless: ReadonlySet<string> = new Set(
  'CI NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM LANG TZ COLUMNS LINES'.split(' '),
);
