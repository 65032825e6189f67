/** Variables that hold a secret of Parley's own server, or of its client. */
const ownSecrets = ['PARLEY_TOKEN', 'PARLEY_STORE'] as const;

/**
 * The environment that a process inherits from this one: all variables except those with access to Parley's own
 * server. Settings for git are added, so that it does not treat a folder that merely contains the files of a
 * repository as one: its configuration could otherwise run programs on `git status`. Variables that a user configures
 * for an agent are added later.
 */
export function inheritedVariables(): NodeJS.ProcessEnv {
  const variables = { ...process.env };
  for (const name of ownSecrets) delete variables[name];
  return { ...variables, ...withGitSetting('safe.bareRepository', 'explicit', variables) };
}

/** Adds a git setting for all started processes, after those already set in the same way. */
function withGitSetting(name: string, value: string, variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const given = variables['GIT_CONFIG_COUNT'] ?? '';
  const count = given === '' ? 0 : Number(given);
  // git itself refuses such a number.
  if (!Number.isInteger(count) || count < 0 || count > mostGivenSettings) return {};
  const isGiven = Array.from(
    { length: count },
    (_, index) => variables[`GIT_CONFIG_KEY_${String(index)}`],
  ).some((key) => key?.toLowerCase() === name.toLowerCase());
  if (isGiven) return {};
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${String(count)}`]: name,
    [`GIT_CONFIG_VALUE_${String(count)}`]: value,
  };
}

/** Git settings in environment variables that are checked. */
const mostGivenSettings = 1000;
