import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import type { Surroundings } from '../surroundings.ts';
import type { AapProxyFlags } from './proxy-aap.ts';
import type { AcpProxyFlags } from './proxy-acp.ts';

/** The surroundings of a command besides its flags. */
export interface ProxyCommandOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** Adds `parley proxy`. */
export function addProxyCommand(root: Command, { surroundings, finish }: ProxyCommandOptions): void {
  root
    .command('proxy')
    .summary('a remote agent, or the hub of this machine, as an ACP agent on stdio')
    .description(
      'Makes a remote agent available as a local one: ACP on standard input and output, for an editor or another client.',
    )
    .usage('[URL|NAME]\n       parley proxy --aap URL')
    .argument(
      '[URL|NAME]',
      'the https:// or wss:// of an agent of ACP, or a remote one of the configuration (default: the hub of this machine)',
    )
    .option('--aap <url>', 'the base URL of a server of AAP, such as http://127.0.0.1:7717/aap')
    .option('-a, --agent <name>', 'with --aap: which agent of the server (default: the only one it has)')
    .option(
      '--token <token>',
      'the key for the server; others on this machine can see it: rather set PARLEY_TOKEN and PARLEY_URL',
    )
    .option('--config <file>', "read this configuration instead of the user's and the project's")
    .addHelpText('after', notes)
    .action(async (agent: string | undefined, { aap, ...flags }: ProxyFlags) => {
      if (agent !== undefined && aap !== undefined) {
        throw new CliError('usage', 'proxy: expected either URL|NAME, or --aap URL');
      }
      if (aap === undefined && flags.agent !== undefined) {
        throw new CliError('usage', '--agent goes with --aap only');
      }
      if (aap !== undefined) {
        const { proxyAap } = await import('./proxy-aap.ts');
        finish(await proxyAap({ ...flags, aap }, surroundings));
      } else {
        const { proxyAcp } = await import('./proxy-acp.ts');
        finish(await proxyAcp(agent, flags, surroundings));
      }
    });
}

interface ProxyFlags extends AcpProxyFlags, Partial<AapProxyFlags> {}

const notes = `
Examples:
  parley proxy                                    the sessions of the hub on this machine, for an editor
  parley proxy wss://example.com/acp
  parley proxy --aap http://127.0.0.1:7717/aap --agent parley

The key in PARLEY_TOKEN is for this machine, or for the server that PARLEY_URL names. It is not sent to another one.

Without URL the hub of this machine is found by itself; "parley serve" starts one.

Over ACP every message passes, in both directions. A connection that is lost is made again, and its sessions are resumed or
loaded; what was in flight is answered with an error. Of the hub's sessions, the client is sent what it has missed.

With --aap none of the agent's tools is trusted: each call asks the client. Options with a choice of values are config options; options
that are free text or secret are not passed on. The MCP servers of a client run here, and their tools are lent to an agent that takes such.

Exit status: 0 at the end of input, 1 the server could not be used, 2 wrong usage, 7 the server wants another key.`;
