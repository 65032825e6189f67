import type { Command } from 'commander';
import type { Surroundings } from '../surroundings.ts';
import type { AapProxyFlags } from './proxy-aap.ts';

/** What a command is told besides its flags. */
export interface ProxyCommandOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** Adds `parley proxy`. */
export function addProxyCommand(root: Command, { surroundings, finish }: ProxyCommandOptions): void {
  root
    .command('proxy')
    .summary('an AAP agent as an ACP agent on stdio')
    .description(
      'Stands for an agent behind AAP: ACP on standard input and output, for an editor or another client.',
    )
    .requiredOption('--aap <url>', 'the base URL of the server, such as http://127.0.0.1:7717/aap')
    .option('-a, --agent <name>', 'which agent of the server (default: the only one it has)')
    .option(
      '--token <token>',
      'the key for the server; others on this machine can see it: rather set PARLEY_TOKEN',
    )
    .addHelpText('after', notes)
    .action(async (flags: AapProxyFlags) => {
      const { proxyAap } = await import('./proxy-aap.ts');
      finish(await proxyAap(flags, surroundings));
    });
}

const notes = `
None of the agent's tools is trusted: each call asks the client. Options with a choice of values are config options; options
that are free text or secret, and the MCP servers of a client, are not passed on.

Exit status: 0 at the end of input, 1 the server could not be used, 2 wrong usage, 7 the server wants another key.`;
