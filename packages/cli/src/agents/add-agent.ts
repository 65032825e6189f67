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
  const file = userFile(env);
  await writeAgent(file, name, agent);
  stdout.write(`Added "${name}" to ${file}.\n`);
  stdout.write(`Try it: parley agents probe ${name}\n`);
  const entry = findEntry(await readCatalogue(env, () => undefined), name);
  if (entry !== undefined) stdout.write(`It now replaces ${entry.name} of the catalogue.\n`);
  return exitStatus.done;
}

/** An agent that is started by a command, as the configuration has it. */
export interface AddedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Writes an agent into a configuration file. @throws {CliError} Its name or its command is none, or the name is in use. */
export async function writeAgent(
  file: string,
  name: string,
  agent: AddedCommand | RemoteFields,
): Promise<void> {
  if (!/^[^\s\p{Cc}-][^\s\p{Cc}]*$/u.test(name)) {
    throw new CliError('usage', 'the name of an agent is one word that does not begin with "-"');
  }
  if (name === ownAgentName) {
    throw new CliError(
      'usage',
      `"${ownAgentName}" is the name of Parley's built-in agent; choose another one`,
    );
  }
  if ('command' in agent && agent.command.trim() === '') {
    throw new CliError('usage', 'the command of an agent is empty');
  }
  await editConfiguration(file, (fields) => {
    const agents = fieldsOf(fields, 'agents');
    if (Object.hasOwn(agents, name)) {
      throw new CliError(
        'usage',
        `an agent "${name}" already exists; remove it first with "parley agents remove ${name}"`,
      );
    }
    return { ...fields, agents: { ...agents, [name]: agent } };
  });
}

/** An agent on a server, as the configuration has it. */
interface RemoteFields {
  readonly url: string;
  readonly tokenEnv?: string;
}

function toAgent(
  name: string,
  { command: words, url, tokenEnv }: AddAgentFlags,
): AddedCommand | RemoteFields {
  if (words !== undefined && url !== undefined) {
    throw new CliError('usage', '--url and a command after -- cannot be combined');
  }
  if (url !== undefined) {
    parseRemote('--url', url);
    if (tokenEnv !== undefined && !/^[A-Za-z_]\w*$/u.test(tokenEnv)) {
      throw new CliError('usage', '--token-env: expected the name of a variable, not a key');
    }
    return { url, ...(tokenEnv !== undefined && { tokenEnv }) };
  }
  if (tokenEnv !== undefined) throw new CliError('usage', '--token-env requires --url');
  const [command, ...args] = words ?? [];
  if (command === undefined || command === '') {
    throw new CliError('usage', `expected a command line: parley agents add ${name} -- COMMAND ARG…`);
  }
  return { command, args };
}
