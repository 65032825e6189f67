/** Variables that hold a secret of Parley's own server, or of its client. */
const ownSecrets = ['PARLEY_TOKEN'] as const;

/**
 * The environment that a process inherits from this one, on every platform and whatever starts it: all variables but those
 * that open our own server. What a user gives an agent by name, in its configuration, is added to it.
 */
export function inheritedVariables(): NodeJS.ProcessEnv {
  const variables = { ...process.env };
  for (const name of ownSecrets) delete variables[name];
  return variables;
}
