import type { Command } from 'commander';
import { collect, sandboxOption } from '../flag-values.ts';
import type { Surroundings } from '../surroundings.ts';
import type { TypedDevicesStore } from './devices.ts';
import type { TypedServeFlags } from './flags.ts';
import type { TypedTokenFlags } from './token/tokens.ts';

/** Options of {@link addServeCommand}. */
export interface ServeCommandOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

const devicesStore = [
  '--store <url|dir>',
  'the store of the server, as for "parley serve" (default: PARLEY_STORE)',
] as const;

const devicesKey = [
  '--secrets-key <file>',
  'the key of the stored secrets, if the store is a database (default: PARLEY_SECRETS_KEY)',
] as const;

const storeOption = ['--store <url>', 'the tokens in this database (default: PARLEY_STORE)'] as const;

/** Adds `parley serve`, `parley serve tokens` and `parley serve devices`. */
export function addServeCommand(root: Command, { surroundings, finish }: ServeCommandOptions): void {
  const serve = root
    .command('serve')
    .summary('run the hub: web interface, AAP and remote ACP')
    .description(
      'Runs the hub: agents on this machine, used from browsers, terminals, editors and applications.',
    )
    .option(
      '--host <address>',
      'the address to listen on (default: 127.0.0.1, which only this machine can reach)',
    )
    .option('--port <number>', 'the port to listen on; 0 selects a free one (default: 7717)')
    .option(
      '--token-file <file>',
      'a file with the token for programs, mode 0600; created if it does not exist',
    )
    .option('--token <token>', 'the token itself; other programs can read the flag, so prefer --token-file')
    .option(
      '--store <url|dir>',
      'the PostgreSQL database of all sessions, postgres://USER@HOST/DATABASE, which several machines may share; or a folder for the list of AAP sessions, keys and browsers (default: PARLEY_STORE)',
    )
    .option(
      '--secrets-key <file>',
      'the key of stored secrets, which all servers of a database need; created if it does not exist. Requires mode 0600 (default: PARLEY_SECRETS_KEY)',
    )
    .option('--replica <name>', 'the name of this server among those that share a database')
    .option(
      '--lease <seconds>',
      'time without a sign of life after which other servers take over the sessions of this one (default: 10)',
    )
    .option(
      '--allow-origin <origin>',
      'allow web pages of this origin to connect, such as https://app.example.com (repeatable)',
      collect,
    )
    .option(
      '--workspace <dir>',
      'a folder in which sessions may work (repeatable; default: the current folder); NAME=DIR for one that machines share under that name',
      collect,
    )
    .option('--tls-cert <file>', 'serve HTTPS with this certificate (PEM)')
    .option('--tls-key <file>', 'the private key of the certificate (PEM)')
    .option('--max-agents <number>', 'maximum number of agent processes; more have to wait (default: 64)')
    .option(...sandboxOption)
    .option('--open', 'open the web interface in your browser, signed in')
    .option('--config <file>', "use this configuration file instead of the user's and the project's")
    .addHelpText('after', notes)
    .action(async (flags: TypedServeFlags) => {
      const { serve: run } = await import('./serve.ts');
      finish(await run(flags, surroundings));
    });

  const tokens = serve
    .command('tokens')
    .summary('manage named tokens: add, list, revoke')
    .description(
      'Creates, lists and revokes named tokens for programs and other users. A running server applies changes at once.',
    )
    .addHelpText('after', tokenNotes);
  tokens
    .command('add')
    .description('Creates a token and prints it once. Only its hash is stored.')
    .argument('<NAME>', 'who or what will use it, such as ci')
    .option('--scope <admin|use|observe>', 'what it allows, see "parley serve tokens --help" (default: use)')
    .option('--expires <age>', 'how long it is valid: 90m, 12h, 30d, 4w (default: until it is revoked)')
    .option('--json', 'print JSON: {"id", "name", "scope", "createdAt", "expiresAt", "expired", "token"}')
    .option(...storeOption)
    .action(async (name: string, _flags: unknown, command: Command) => {
      const { addToken } = await import('./token/tokens.ts');
      finish(await addToken(name, command.optsWithGlobals<TypedTokenFlags>(), surroundings));
    });
  tokens
    .command('list')
    .description('Lists named tokens, with scope and expiry. The tokens themselves are not shown.')
    .option(
      '--json',
      'print JSON: {"tokens": [{"id", "name", "scope", "createdAt", "expiresAt", "expired"}]}',
    )
    .option(...storeOption)
    .action(async (_flags: unknown, command: Command) => {
      const { listTokens } = await import('./token/tokens.ts');
      finish(await listTokens(command.optsWithGlobals<TypedTokenFlags>(), surroundings));
    });
  tokens
    .command('revoke')
    .description('Revokes a token. Its open connections end within a second.')
    .argument('<NAME>', 'its name, as listed by "parley serve tokens list"')
    .option('--json', 'print JSON: {"name", "revoked": true}')
    .option(...storeOption)
    .action(async (name: string, _flags: unknown, command: Command) => {
      const { revokeToken } = await import('./token/tokens.ts');
      finish(await revokeToken(name, command.optsWithGlobals<TypedTokenFlags>(), surroundings));
    });
  addDevicesCommand(serve, { surroundings, finish });
}

function addDevicesCommand(serve: Command, { surroundings, finish }: ServeCommandOptions): void {
  const devices = serve
    .command('devices')
    .summary('manage notified devices: list, revoke')
    .description(
      'Lists and revokes the browsers that are notified while the web interface is closed (Web Push). They are added in its settings.',
    );
  devices
    .command('list')
    .description('Lists the devices, with what they are notified of.')
    .option('--json', 'print JSON: {"devices": [{"id", "name", "kinds", "createdAt"}]}')
    .option(...devicesStore)
    .option(...devicesKey)
    .action(async (flags: { readonly json?: boolean } & TypedDevicesStore) => {
      const { listPushDevices } = await import('./devices.ts');
      finish(await listPushDevices(flags, surroundings));
    });
  devices
    .command('revoke')
    .description('Revokes a device. A running server sends it nothing more.')
    .argument('<ID>', 'its id, as listed by "parley serve devices list"')
    .option('--json', 'print one JSON document')
    .option(...devicesStore)
    .option(...devicesKey)
    .action(async (id: string, flags: { readonly json?: boolean } & TypedDevicesStore) => {
      const { revokePushDevice } = await import('./devices.ts');
      finish(await revokePushDevice(id, flags, surroundings));
    });
}

const notes = `
The hub offers Parley's built-in agent, the agents of your configuration, and the
installed agents of the catalogue. It serves:

  /                 the web interface
  /aap              the Agent Application Protocol (AAP), for applications
  /acp, /acp/NAME   remote ACP, over WebSocket and streamable HTTP
  /openapi          the API under /aap, as an OpenAPI document
  /healthz, /readyz, /metrics

The printed URL signs in one browser, once. Programs need a token: from
--token-file, from PARLEY_TOKEN, or created with "parley serve tokens add". By
default there is none.

Examples:
  parley serve
  parley serve --open
  parley serve --token-file ~/.parley-token
  curl -H "Authorization: Bearer $(cat ~/.parley-token)" http://127.0.0.1:7717/aap/meta
  parley serve --workspace ~/src/app --allow-origin https://app.example.com
  parley serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
  parley serve tokens add ci --scope use --expires 30d
  parley serve devices list

On SIGTERM, running turns have 3 s to end.

Exit status: 0 stopped, 1 failed to start or to listen, 2 wrong usage or
configuration.`;

const tokenNotes = `
Scopes:
  observe   see all sessions, change nothing
  use       use its own sessions, see no others
  admin     use all sessions and change settings, like the token of --token-file`;
