import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { GatewayError, isLoopback } from '@parley/gateway';
import { recordProcesses } from '../conversation/record-processes.ts';
import { exitStatus } from '../exit-status.ts';
import { findRunningHub, type RunningHub } from '../hub/hub-file.ts';
import type { Surroundings } from '../surroundings.ts';
import { parseServeFlags, type ServeFlags, type TypedServeFlags } from './flags.ts';
import { messageOf, createLog, type Log } from './log.ts';
import { openBrowser } from './open-browser.ts';
import { openServer, type RunningServer } from './open-server.ts';

/** Grace period for running turns at shutdown. */
const graceMs = 3000;

/** Time after which everything that is still running is abandoned. */
const endMs = 9000;

/** `parley serve`: serves agents until a signal ends it. */
export async function serve(typed: TypedServeFlags, surroundings: Surroundings): Promise<number> {
  const { env, stdout, stderr } = surroundings;
  const flags = await parseServeFlags(typed, surroundings);
  const log = createLog(stderr);
  using signals = listenForEnd();
  await recordProcesses(env, (_code, message) => {
    log.warn(message);
  });
  if (!isLoopback(flags.host) && flags.tls === undefined) {
    log.warn(
      'tokens and messages travel unencrypted, and anyone on the network path can read them: use --tls-cert, or a proxy with TLS',
      {
        host: flags.host,
      },
    );
  }
  warnOfToken(flags, log);
  const hub = await open(flags, { surroundings, log, signal: signals.first });
  if (hub === undefined) return exitStatus.done;
  stdout.write(toGreeting(hub, flags));
  if (flags.open) await openInBrowser(hub, log);
  if (!signals.first.aborted) await once(signals.first, 'abort');
  log.info('ending', { reason: String(signals.first.reason) });
  const closed = await Promise.race([
    hub.close({ graceMs }).then(() => true),
    delay(endMs, false),
    once(signals.second, 'abort').then(() => undefined),
  ]);
  if (closed === undefined) return statusOfSignal(String(signals.second.reason));
  if (!closed) log.warn('some agents or requests did not end in time');
  return exitStatus.done;
}

async function open(
  flags: ServeFlags,
  options: Parameters<typeof openServer>[1],
): Promise<RunningServer | undefined> {
  try {
    return await openServer(flags, options);
  } catch (error) {
    if (options.signal.aborted) return undefined;
    if (error instanceof GatewayError) {
      throw new Error(await adviceFor(error, flags, options), { cause: error });
    }
    throw error;
  }
}

/** What happened, and what to do: a server that runs already is one to open. */
async function adviceFor(
  { code, message }: GatewayError,
  { port }: ServeFlags,
  { surroundings }: Parameters<typeof openServer>[1],
): Promise<string> {
  const running = await findRunningHub(surroundings.env);
  const isThat = code === 'store-in-use' || portOf(running) === port;
  if (running !== undefined && isThat) {
    return `Parley is already running: open ${running.url}. For a second server, choose another --store and --port`;
  }
  if (code === 'address-in-use') return `${message}; choose another with --port`;
  if (code === 'store-in-use') return `${message}; choose another with --store`;
  return message;
}

function portOf(running: RunningHub | undefined): number | undefined {
  return running === undefined || !URL.canParse(running.url) ? undefined : Number(new URL(running.url).port);
}

/** Programs of this user, an agent for example, can read the arguments of a process. */
function warnOfToken({ token }: ServeFlags, log: Log): void {
  if (token === undefined || token.from === 'file') return;
  const where = token.from === 'flag' ? 'the arguments of --token' : 'the variable PARLEY_TOKEN';
  log.warn(
    `programs of this user, including agents, can read the token in ${where} of this process; use --token-file FILE instead`,
  );
}

function toGreeting(hub: RunningServer, { token, workspaces }: ServeFlags): string {
  // Without a token of the user's own, no browser could sign in once this link has expired.
  const link = hub.makeSignInLink(token === undefined ? { lifetimeMs: Infinity } : {});
  return [`Parley serves ${hub.agents.join(', ')} in ${workspaces.join(', ')}`, link, ''].join('\n');
}

/** With a link of its own: the list of processes shows it to others. */
async function openInBrowser(hub: RunningServer, log: Log): Promise<void> {
  try {
    await openBrowser(hub.makeSignInLink());
  } catch (error) {
    log.warn('no browser could be opened', { error: messageOf(error) });
  }
}

function statusOfSignal(name: string): number {
  if (name === 'SIGINT') return exitStatus.interrupted;
  return name === 'SIGHUP' ? exitStatus.hungUp : exitStatus.terminated;
}

interface EndSignals extends Disposable {
  /** Aborted by the first signal that ends the command, with its name. */
  readonly first: AbortSignal;
  readonly second: AbortSignal;
}

function listenForEnd(): EndSignals {
  const first = new AbortController();
  const second = new AbortController();
  const listener = (name: NodeJS.Signals): void => {
    (first.signal.aborted ? second : first).abort(name);
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, listener);
  return {
    first: first.signal,
    second: second.signal,
    [Symbol.dispose]: () => {
      for (const name of names) process.off(name, listener);
    },
  };
}
