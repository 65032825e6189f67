/**
 * Whether setting a variable for a command changes at most how its output looks. All other variables, known or not, can
 * choose what runs, where it connects to or what it writes: a command with one of those is not what its words say.
 */
export function isHarmlessVariable(name: string): boolean {
  return harmless.has(name) || /^LC_[A-Z]+$/u.test(name);
}

/** Whether all of these leave a command as it is. */
export function variablesAreHarmless(names: readonly string[]): boolean {
  return names.every(isHarmlessVariable);
}

/** Language, colour, size and where a program runs; none of them names a file, a program or an address. */
const harmless: ReadonlySet<string> = new Set(
  (
    'CI NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM COLUMNS LINES LANG LANGUAGE TERM TZ CLAUDECODE GEMINI_CLI ' +
    'QWEN_CODE GIT_TERMINAL_PROMPT PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE NPM_CONFIG_COLOR npm_config_color'
  ).split(' '),
);
