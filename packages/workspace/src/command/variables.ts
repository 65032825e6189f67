/**
 * Checks whether setting a variable for a command changes at most the appearance of its output. Any other variable,
 * known or not, might change what runs, where it connects to or what it writes.
 */
export function isHarmlessVariable(name: string): boolean {
  return harmless.has(name) || /^LC_[A-Z]+$/u.test(name);
}

/** Checks whether none of these variables changes a command. */
export function variablesAreHarmless(names: readonly string[]): boolean {
  return names.every(isHarmlessVariable);
}

/** Language, colour, size and run environment; none of them names a file, a program or an address. */
const harmless: ReadonlySet<string> = new Set(
  (
    'CI NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM COLUMNS LINES LANG LANGUAGE TERM TZ CLAUDECODE GEMINI_CLI ' +
    'QWEN_CODE GIT_TERMINAL_PROMPT PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE NPM_CONFIG_COLOR npm_config_color'
  ).split(' '),
);
