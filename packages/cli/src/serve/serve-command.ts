import type { Command } from 'commander';
import { collect } from '../flag-values.ts';
import type { Surroundings } from '../surroundings.ts';
import type { TypedServeFlags } from './flags.ts';

/** The surroundings of a command besides its flags. */
export interface ServeCommandOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** Adds `parley serve`, and `parley serve tokens`. */
export function addServeCommand(root: Command, { surroundings, finish }: ServeCommandOptions): void {
  const serve = root
    .command('serve')
    .summary('the web interface, and agents over HTTP: AAP, remote ACP')
    .description(
      'Serves the agents of this machine: to browsers as a web interface, and to programs that have a token.',
    )
    .option('--host <address>', 'where it listens (default: 127.0.0.1, which other machines cannot reach)')
    .option('--port <number>', 'default: 7717; 0 for any that is free')
    .option(
      '--token-file <file>',
      'the token that requests have to bring; made with one if it does not exist. Only you may have access to it (mode 0600)',
    )
    .option('--token <token>', 'the same, for all programs of this user to see: rather use --token-file')
    .option('--store <dir>', 'where sessions are kept')
    .option(
      '--allow-origin <origin>',
      'pages from there may call it, such as https://app.example.com (repeatable)',
      collect,
    )
    .option(
      '--workspace <dir>',
      'a folder that sessions may use (repeatable; default: the current one)',
      collect,
    )
    .option('--tls-cert <file>', 'makes it HTTPS: the certificate, in PEM')
    .option('--tls-key <file>', 'its key')
    .option('--max-agents <number>', 'agent processes at once (default: 64)')
    .option('--open', 'open the web interface in the browser, signed in')
    .option('--config <file>', "read this configuration instead of the user's and the project's")
    .addHelpText('after', notes)
    .action(async (flags: TypedServeFlags) => {
      const { serve: run } = await import('./serve.ts');
      finish(await run(flags, surroundings));
    });

  const tokens = serve
    .command('tokens')
    .summary('the named tokens that requests may bring: add, list, revoke')
    .description('Tokens besides the one of --token-file. A server that runs hears of changes.')
    .addHelpText('after', tokenNotes);
  tokens
    .command('add')
    .description('Makes a token and prints it. Only its hash is stored, so it cannot be shown again.')
    .argument('<NAME>', 'for whom it is')
    .option('--scope <admin|use|observe>', 'what it is for (default: use)')
    .option('--expires <age>', 'how long it is valid: 90m, 12h, 30d, 4w (default: until it is revoked)')
    .action(async (name: string, flags: { readonly scope?: string; readonly expires?: string }) => {
      const { addToken } = await import('./tokens.ts');
      finish(await addToken(name, flags, surroundings));
    });
  tokens
    .command('list')
    .description('Lists the names, and what each may do.')
    .option(
      '--json',
      'one JSON document: {"tokens": [{"id", "name", "scope", "createdAt", "expiresAt", "expired"}]}',
    )
    .action(async (flags: { readonly json?: boolean }) => {
      const { listTokens } = await import('./tokens.ts');
      finish(await listTokens(flags, surroundings));
    });
  tokens
    .command('revoke')
    .description('Revokes a token: it is refused from now on, and its open streams end within a second.')
    .argument('<NAME>')
    .action(async (name: string) => {
      const { revokeToken } = await import('./tokens.ts');
      finish(await revokeToken(name, surroundings));
    });
}

const notes = `
Served are Parley's own agent, those of the configuration, and those of the catalogue that are installed.

  /                 the web interface; the URL that is printed signs in one browser, once
  /aap              the Agent Application Protocol: /aap/meta, /aap/sessions, …
  /acp, /acp/NAME   remote ACP, over WebSocket and streamable HTTP
  /openapi          what can be asked for
  /healthz, /readyz, /metrics

Examples:
  parley serve
  parley serve --open
  parley serve --token-file ~/.parley-token
  curl -H "Authorization: Bearer $(cat ~/.parley-token)" http://127.0.0.1:7717/aap/meta
  parley serve --workspace ~/src/app --allow-origin https://app.example.com
  parley serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
  parley serve tokens add ci --scope use --expires 30d

The URL has a code that works once, and no token. Programs bring the token of --token-file, of PARLEY_TOKEN, or one that "tokens add"
has made. Without --token-file, --token and PARLEY_TOKEN, no token is made for them. SIGTERM ends it: turns that run have 3 s more.
Exit status: 0 ended, 1 it could not listen, 2 wrong usage or configuration.`;

const tokenNotes = `
  observe   looks at all sessions, changes nothing
  use       has sessions of its own, over AAP and ACP, and sees no others
  admin     all sessions, as with the token of --token-file`;
