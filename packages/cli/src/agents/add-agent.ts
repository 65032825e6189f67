import { findEntry } from '@parley/host';
import { readCatalogue } from '../catalogue/read-catalogue.ts';
import { CliError } from '../cli-error.ts';
import { ownAgentName } from '../configuration/configuration.ts';
import { editConfiguration, fieldsOf } from '../configuration/edit-configuration.ts';
import { userFile } from '../configuration/places.ts';
import { parseRemote } from '../conversation/agent/remote.ts';
import { exitStatus } from '../exit-status.ts';
import type { Surroundings } from '../surroundings.ts';

/** The arguments of `parley agents add`. */
export interface AddAgentFlags {
  /** What stood behind `--`. */
  readonly command?: readonly string[];
  readonly url?: string;
  readonly tokenEnv?: string;
}

/** `parley agents add NAME`: writes an agent into the user's configuration. */
export async function addAgent(
  name: string,
  flags: AddAgentFlags,
  { env, stdout }: Surroundings,
): Promise<number> {
  const agent = toAgent(name, flags);
  if (name === ownAgentName) {
    throw new CliError('usage', `"${ownAgentName}" is the name of Parley's own agent; choose another one`);
  }
  const file = userFile(env);
  await editConfiguration(file, (fields) => {
    const agents = fieldsOf(fields, 'agents');
    if (Object.hasOwn(agents, name)) {
      throw new CliError(
        'usage',
        `there is an agent "${name}" already; "parley agents remove ${name}" first`,
      );
    }
    return { ...fields, agents: { ...agents, [name]: agent } };
  });
  stdout.write(`Added "${name}" to ${file}.\n`);
  stdout.write(`Try it: parley agents probe ${name}\n`);
  const entry = findEntry(await readCatalogue(env, () => undefined), name);
  if (entry !== undefined) stdout.write(`It now replaces ${entry.name} of the catalogue.\n`);
  return exitStatus.done;
}

function toAgent(name: string, { command: words, url, tokenEnv }: AddAgentFlags): object {
  if (!/^[^\s\p{Cc}-][^\s\p{Cc}]*$/u.test(name)) {
    throw new CliError('usage', 'the name of an agent is one word that does not begin with "-"');
  }
  if (words !== undefined && url !== undefined) {
    throw new CliError('usage', '--url and a command behind -- were both given; give one of them');
  }
  if (url !== undefined) {
    parseRemote('--url', url);
    if (tokenEnv !== undefined && !/^[A-Za-z_]\w*$/u.test(tokenEnv)) {
      throw new CliError('usage', '--token-env: expected the name of a variable, and no key');
    }
    return { url, ...(tokenEnv !== undefined && { tokenEnv }) };
  }
  if (tokenEnv !== undefined) throw new CliError('usage', '--token-env goes with --url only');
  const [command, ...args] = words ?? [];
  if (command === undefined || command === '') {
    throw new CliError('usage', `expected a command line: parley agents add ${name} -- COMMAND ARG…`);
  }
  return { command, args };
}
