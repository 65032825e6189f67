/** Variables that hold a secret of Parley's own server, or of its client. */
const ownSecrets = ['PARLEY_TOKEN'] as const;

/**
 * The environment that a process inherits from this one, on every platform and from any caller: all variables but those
 * that open our own server. git takes no folder for a repository that merely has the files of one: its settings would run programs as
 * soon as `git status` runs there, and no name says so. What a user gives an agent by name, in its configuration, is added to it.
 */
export function inheritedVariables(): NodeJS.ProcessEnv {
  const variables = { ...process.env };
  for (const name of ownSecrets) delete variables[name];
  return { ...variables, ...withGitSetting('safe.bareRepository', 'explicit', variables) };
}

/** A setting of git for all that is started, behind those that are given in the same way already. */
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

const mostGivenSettings = 1000;
