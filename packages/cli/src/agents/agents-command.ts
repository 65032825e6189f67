import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { sandboxOption } from '../flag-values.ts';
import type { Surroundings } from '../surroundings.ts';
import type { ProbeFlags } from './probe.ts';

/** Options of {@link addAgentsCommand}. */
export interface AgentsCommandOptions {
  readonly surroundings: Surroundings;
  /** The words after `--`; absent without one. */
  readonly command?: readonly string[];
  readonly finish: (status: number) => void;
}

/** Adds `parley agents` and its subcommands. */
export function addAgentsCommand(root: Command, options: AgentsCommandOptions): void {
  const { surroundings, command, finish } = options;
  const words = command === undefined ? {} : { command };
  const agents = root
    .command('agents')
    .summary('the catalogue of agents: list, show, add, remove, import, probe')
    .description('Lists, adds and tests agents. Without a command, lists them.')
    .addHelpText('after', notes);

  agents
    .command('list', { isDefault: true })
    .description(
      'Lists the agents that --agent accepts: installed or not, and the version. Starts no agent except with "--version".',
    )
    .option('--json', 'print JSON: {"agents": [{"name", "state", "isDefault", "version"?, …}]}')
    .allowExcessArguments()
    .action(async (flags: { readonly json?: boolean }, { args: [word] }: Command) => {
      // Any other subcommand of `agents` ends here.
      if (word !== undefined) {
        throw new CliError(
          'usage',
          `agents has no command "${word}"; did you mean "parley agents show ${word}"? See parley agents --help`,
        );
      }
      const { listAgents } = await import('./list-agents.ts');
      finish(await listAgents(flags, surroundings));
    });
  agents
    .command('show')
    .description('Shows one agent: how to install it, how it starts, how to sign in, and known problems.')
    .argument('<NAME>', 'its name, as listed by "parley agents"')
    .option('--json', 'print one JSON document')
    .action(async (name: string, flags: { readonly json?: boolean }) => {
      const { showAgent } = await import('./show-agent.ts');
      finish(await showAgent(name, flags, surroundings));
    });
  agents
    .command('add')
    .description('Adds an agent to your configuration, by its command line or its URL.')
    .usage('NAME -- CMD ARG…\n       parley agents add NAME --url URL [--token-env VARIABLE]')
    .argument('<NAME>', 'a name of your choice, for --agent')
    .option('--url <url>', 'the wss:// or https:// URL of a remote agent')
    .option(
      '--token-env <variable>',
      'with --url: the environment variable that contains the key for its server',
    )
    .action(async (name: string, flags: { readonly url?: string; readonly tokenEnv?: string }) => {
      const { addAgent } = await import('./add-agent.ts');
      finish(await addAgent(name, { ...flags, ...words }, surroundings));
    });
  agents
    .command('remove')
    .description('Removes an agent from your configuration, or from the imported agents.')
    .argument('<NAME>', 'its name, as listed by "parley agents"')
    .action(async (name: string) => {
      const { removeAgent } = await import('./remove-agent.ts');
      finish(await removeAgent(name, surroundings));
    });
  agents
    .command('import')
    .description('Imports agents from a registry file. Does not download or start them.')
    .argument('<FILE>', 'a registry.json, or the agent.json of one agent; "-" reads standard input')
    .action(async (file: string) => {
      const { importAgents } = await import('./import-agents.ts');
      finish(await importAgents(file, surroundings));
    });
  agents
    .command('probe')
    .description(
      'Starts an agent, opens a session in an empty folder, and prints its capabilities, modes and options. Does not sign in ' +
        'and sends no prompt.',
    )
    .argument('<NAME>', 'its name, as listed by "parley agents"')
    .option('--json', 'print one JSON document')
    .option('--timeout <seconds>', 'time limit for all steps together (default: 60)')
    .option(
      sandboxOption[0],
      'restrict what the agent can write and connect to (default: the configured mode, else workspace for an agent with known ' +
        'hosts or state folders)',
    )
    .option('--record <file>', 'record all messages to and from the agent in a file')
    .action(async (name: string, flags: ProbeFlags) => {
      const { probe } = await import('./probe.ts');
      finish(await probe(name, flags, surroundings));
    });
}

const notes = `
Parley looks for an agent in this order:

  1. your configuration
  2. an installed program
  3. a package, in one exact version, which npm installs into Parley's own folder
     or uvx downloads when you first use the agent

Programs in the session's folder, and in node_modules/.bin above it, are ignored.

Examples:
  parley agents
  parley agents show claude
  parley agents probe gemini
  parley run -a claude "explain this folder"
  parley agents add mine -- node agent.mjs --acp
  curl https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json | parley agents import -`;
