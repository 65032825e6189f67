import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import type { Surroundings } from '../surroundings.ts';
import type { AapProxyFlags } from './proxy-aap.ts';
import type { AcpProxyFlags } from './proxy-acp.ts';

/** Options of {@link addProxyCommand}. */
export interface ProxyCommandOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** Adds `parley proxy`. */
export function addProxyCommand(root: Command, { surroundings, finish }: ProxyCommandOptions): void {
  root
    .command('proxy')
    .summary('use a remote agent, or the hub, from an editor: as an ACP agent on stdio')
    .description(
      'Makes a remote agent, or the sessions of a hub, available to an editor: as an ACP agent on standard input and output.',
    )
    .usage('[URL|NAME]\n       parley proxy --aap URL')
    .argument(
      '[URL|NAME]',
      'the https:// or wss:// URL of an ACP agent, or a remote agent of the configuration (default: the hub of this machine)',
    )
    .option('--aap <url>', 'the base URL of an AAP server, such as http://127.0.0.1:7717/aap')
    .option('-a, --agent <name>', "with --aap: one of the server's agents (default: its only agent)")
    .option(
      '--token <token>',
      'the token for the server; other users can read the flag, so prefer PARLEY_TOKEN with PARLEY_URL',
    )
    .option('--config <file>', "use this configuration file instead of the user's and the project's")
    .addHelpText('after', notes)
    .action(async (agent: string | undefined, { aap, ...flags }: ProxyFlags) => {
      if (agent !== undefined && aap !== undefined) {
        throw new CliError('usage', 'proxy: expected either URL|NAME, or --aap URL');
      }
      if (aap === undefined && flags.agent !== undefined) {
        throw new CliError('usage', '--agent requires --aap');
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
  parley proxy
  parley proxy wss://example.com/acp
  parley proxy --aap http://127.0.0.1:7717/aap --agent parley

Without a URL, proxy connects to the hub that "parley serve" runs on this
machine. PARLEY_TOKEN is sent only to this machine or, if PARLEY_URL is set, only
to that server.

Over ACP, every message is forwarded. When the connection is lost, proxy answers
pending requests with an error, reconnects and resumes the sessions. A client of
a hub then receives the events that it missed.

With --aap, each tool call asks the client for permission. Options with fixed
values become config options; free text and secrets are not forwarded. MCP
servers of the client run on this machine, and agents that accept application
tools can use them.

Exit status: 0 end of input, 1 connection failed, 2 wrong usage, 7 the server
rejected the token.`;
