import { setTimeout } from 'node:timers/promises';
import type { CloseReason } from '@parley/wire';
import { processTransport } from '@parley/wire/node';
import type { CodingAgentOptions } from '../coding-agent.ts';
import { serveAgent } from './serve-agent.ts';
import type { ProviderOptions } from './serve-agent.ts';
import { stateDirectory } from './state-directory.ts';

/** The agent's options, and those of its standard streams. */
export interface ServeStdioOptions extends Omit<CodingAgentOptions, 'resume'>, ProviderOptions {
  /** Where sessions are kept. @default Parley's own place: `PARLEY_HOME`, or a folder in the XDG state folder */
  readonly stateDirectory?: string;
  /** A file with the user's instructions for the model in each session; it need not exist. @default none */
  readonly userInstructions?: string;
  /** The first session goes on with this one that is kept, by default the last one in its directory. @default a new one */
  readonly resume?: { readonly sessionId?: string };
  /** The longest line that is read. @default 80 MiB */
  readonly maxLineBytes?: number;
}

/**
 * Serves our agent on standard input and output until the input ends or a signal comes. What runs is then cancelled
 * and answered, within 3 s.
 *
 * @returns The exit status: 0 after the end of input and SIGTERM, else 1. The caller has to exit with it, for what a
 * client does not read keeps the process alive.
 */
export async function serveStdio(options: ServeStdioOptions = {}): Promise<number> {
  const { maxLineBytes, resume, ...agent } = options;
  const connection = serveAgent({
    stateDirectory: stateDirectory(process.env),
    ...agent,
    ...(resume !== undefined && { resume: { ...resume, onMiss: log } }),
    transport: processTransport(maxLineBytes === undefined ? {} : { maxLineBytes }),
    connection: { onDiagnostic: ({ message }) => log(message) },
  });
  let endedBy: NodeJS.Signals | undefined;
  const endInput = (signal: NodeJS.Signals): void => {
    endedBy ??= signal;
    // As if the client had closed it: each request that was read is answered.
    process.stdin.destroy();
  };
  for (const signal of endSignals) process.on(signal, endInput);
  const over = new AbortController();
  const { code, message } = await Promise.race([
    connection.closed,
    lastMoment(connection.signal, over.signal),
  ]);
  over.abort();
  for (const signal of endSignals) process.off(signal, endInput);
  if (code === 'end-of-input') return endedBy === undefined || endedBy === 'SIGTERM' ? 0 : 1;
  log(message);
  return 1;
}

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** How long the end may take, with a client that does not read. */
const endMs = 2900;

function log(message: string): void {
  process.stderr.write(`parley agent: ${message}\n`);
}

/** Settles when the connection has been ending for as long as it may; rejects when the wait was aborted. */
async function lastMoment(ending: AbortSignal, isOver: AbortSignal): Promise<CloseReason> {
  if (!ending.aborted) {
    await new Promise((resolve) => ending.addEventListener('abort', resolve, { once: true }));
  }
  await setTimeout(endMs, undefined, { signal: isOver });
  return { code: 'end-of-input', message: 'the client did not read what was left' };
}
