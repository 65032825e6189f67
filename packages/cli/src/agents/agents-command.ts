import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import type { Surroundings } from '../surroundings.ts';
import type { ProbeFlags } from './probe-agent.ts';

/** The surroundings of a command besides its flags. */
export interface AgentsCommandOptions {
  readonly surroundings: Surroundings;
  /** What stood behind `--`; absent when there was no `--`. */
  readonly command?: readonly string[];
  readonly finish: (status: number) => void;
}

/** Adds `parley agents` and what it consists of. */
export function addAgentsCommand(root: Command, options: AgentsCommandOptions): void {
  const { surroundings, command, finish } = options;
  const words = command === undefined ? {} : { command };
  const agents = root
    .command('agents')
    .summary('the catalogue of agents: list, show, add, remove, import, probe')
    .description('Which agents there are, and which of them are installed here.')
    .addHelpText('after', notes);

  agents
    .command('list', { isDefault: true })
    .description('Lists the agents that can be named, with their versions. Runs nothing but "--version".')
    .option('--json', 'one JSON document: {"agents": [{"name", "state", "isDefault", "version"?, …}]}')
    .allowExcessArguments()
    .action(async (flags: { readonly json?: boolean }, { args: [word] }: Command) => {
      // Any other subcommand of `agents` ends here.
      if (word !== undefined) {
        throw new CliError(
          'usage',
          `agents has no command "${word}"; is "parley agents show ${word}" meant? See parley agents --help`,
        );
      }
      const { listAgents } = await import('./list-agents.ts');
      finish(await listAgents(flags, surroundings));
    });
  agents
    .command('show')
    .description('Says all that is known about one agent: how it starts, how one signs in, what to know.')
    .argument('<NAME>')
    .option('--json', 'the same as one JSON document')
    .action(async (name: string, flags: { readonly json?: boolean }) => {
      const { showAgent } = await import('./show-agent.ts');
      finish(await showAgent(name, flags, surroundings));
    });
  agents
    .command('add')
    .description('Writes an agent into your configuration.')
    .usage('NAME -- CMD ARG…\n       parley agents add NAME --url URL [--token-env VARIABLE]')
    .argument('<NAME>')
    .option('--url <url>', 'a remote agent: wss:// or https://')
    .option('--token-env <variable>', 'with --url: the variable that holds the key for its server')
    .action(async (name: string, flags: { readonly url?: string; readonly tokenEnv?: string }) => {
      const { addAgent } = await import('./add-agent.ts');
      finish(await addAgent(name, { ...flags, ...words }, surroundings));
    });
  agents
    .command('remove')
    .description('Takes an agent out of your configuration, or away from what you imported.')
    .argument('<NAME>')
    .action(async (name: string) => {
      const { removeAgent } = await import('./remove-agent.ts');
      finish(await removeAgent(name, surroundings));
    });
  agents
    .command('import')
    .description('Takes in the agents of a registry file, or one entry of it. Starts and fetches nothing.')
    .argument('<FILE>', 'registry.json or agent.json; "-" is standard input')
    .action(async (file: string) => {
      const { importAgents } = await import('./import-agents.ts');
      finish(await importAgents(file, surroundings));
    });
  agents
    .command('probe')
    .description(
      'Starts an agent, opens a session in an empty folder, and says what they offer. Signs in nowhere, prompts nothing.',
    )
    .argument('<NAME>')
    .option('--json', 'the same as one JSON document')
    .option('--timeout <seconds>', 'how long to wait')
    .option('--record <file>', 'write every message in both directions to a file')
    .action(async (name: string, flags: ProbeFlags) => {
      const { probeAgent } = await import('./probe-agent.ts');
      finish(await probeAgent(name, flags, surroundings));
    });
}

const notes = `
An agent is found by its name: in your configuration, else as an installed program, else as a package that npm installs
into a folder of Parley's or uvx fetches, always in one exact version and only when the agent is named. Programs in the
folder of the session, and in node_modules/.bin of the folders above it, are not looked for.

Examples:
  parley agents
  parley agents show claude
  parley agents probe gemini
  parley run -a claude "explain this folder"
  parley agents add mine -- node agent.mjs --acp
  curl https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json | parley agents import -`;
