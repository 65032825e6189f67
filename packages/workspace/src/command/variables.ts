/**
 * Whether a variable that is set for a command leaves what it does as it is. Any other one may choose programs, libraries or
 * settings, so that the command's words no longer say what runs.
 */
export function isHarmlessVariable(name: string): boolean {
  return harmless.has(name) || /^LC_[A-Z]+$/u.test(name);
}

/** Whether all of these leave a command as it is. */
export function variablesAreHarmless(names: readonly string[]): boolean {
  return names.every(isHarmlessVariable);
}

/** Words about language, colour and where a program runs; none of them names a file or a program. */
const harmless: ReadonlySet<string> = new Set(
  (
    'CI NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM COLUMNS LINES LANG LANGUAGE TERM TZ CLAUDECODE GEMINI_CLI ' +
    'QWEN_CODE GIT_TERMINAL_PROMPT PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE NPM_CONFIG_COLOR npm_config_color'
  ).split(' '),
);
