import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import type { Surroundings } from '../surroundings.ts';
import type { ConnectFlags } from './connect.ts';

/** Options of {@link addModelsCommand}. */
export interface ModelsCommandOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** Adds `parley models` and its subcommands. */
export function addModelsCommand(root: Command, { surroundings, finish }: ModelsCommandOptions): void {
  const models = root
    .command('models')
    .summary("model providers of Parley's built-in agent: list, connect, disconnect")
    .description("Connects model providers to Parley's built-in agent. Without a command, lists them.")
    .addHelpText('after', notes);
  models
    .command('list', { isDefault: true })
    .description('Lists the providers, their models, and where their keys come from. Keys are not shown.')
    .option('--json', 'print JSON: {"store", "providers": [{"id", "model"?, "baseUrl"?, "from"?}]}')
    .allowExcessArguments()
    .action(async (flags: { readonly json?: boolean }, { args: [word] }: Command) => {
      if (word !== undefined) {
        throw new CliError('usage', `models has no command "${word}"; see parley models --help`);
      }
      const { list } = await import('./list.ts');
      finish(await list(flags, surroundings));
    });
  models
    .command('connect')
    .description('Asks for an API key, tests it with one request, and stores it if the request succeeds.')
    .argument('<PROVIDER>', 'openai, anthropic, gemini, or with --base-url any name')
    .option('--base-url <url>', "the base URL of the API (default: the provider's own)")
    .option('--model <name>', 'the model that sessions start with')
    .option('--key-file <file>', 'read the key from a file; "-" is standard input')
    .option('--no-key', 'the provider needs no key')
    .action(async (provider: string, flags: ConnectFlags) => {
      const { connect } = await import('./connect.ts');
      finish(await connect(provider, flags, surroundings));
    });
  models
    .command('disconnect')
    .description('Removes the stored key of a provider.')
    .argument('<PROVIDER>', 'its name, as listed by "parley models"')
    .action(async (provider: string) => {
      const { disconnect } = await import('./connect.ts');
      finish(await disconnect(provider, surroundings));
    });
}

const notes = `
Keys are stored in the system's keychain (macOS: security; Linux: secret-tool
with a session bus), else in models.json of the state folder, which only you can
read. Environment variables such as OPENAI_API_KEY take precedence.

Examples:
  parley models
  parley models connect anthropic
  parley models connect local --base-url http://127.0.0.1:11434/v1 --model llama3 --no-key`;
