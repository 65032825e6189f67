import { setTimeout } from 'node:timers/promises';
import type { CloseReason } from '@parley/wire';
import { processTransport } from '@parley/wire/node';
import type { WebProxy } from '@parley/workspace';
import type { CodingAgentOptions } from '../coding-agent.ts';
import type { NodeEnvironmentOptions } from './environment.ts';
import { serveAgent } from './serve-agent.ts';
import type { ProviderOptions } from './serve-agent.ts';
import { stateDirectory } from './state-directory.ts';

/** Options of the agent and its standard streams. */
export interface ServeStdioOptions
  extends
    Omit<CodingAgentOptions, 'resume'>,
    ProviderOptions,
    Pick<NodeEnvironmentOptions, 'findCommandHolder'> {
  /**
   * The folder for stored sessions. @default Parley's state folder: `PARLEY_HOME`, or a folder in the XDG state
   * folder
   */
  readonly stateDirectory?: string;
  /** A file with the user's instructions for the model in each session; it need not exist. @default none */
  readonly userInstructions?: string;
  /** The proxy through which pages are fetched. @default none */
  readonly proxy?: WebProxy;
  /**
   * The first session resumes this stored session, by default the last one in its directory. @default a new session
   */
  readonly resume?: { readonly sessionId?: string };
  /** Maximum length of a line. @default 80 MiB */
  readonly maxLineBytes?: number;
}

/**
 * Serves Parley's agent on standard input and output until the input ends or a signal arrives. Running prompts are
 * then cancelled and answered, within 3 s.
 *
 * @returns The exit status: 0 after the end of input and SIGTERM, else 1. The caller must exit with it, because
 * unread output keeps the process alive.
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

/** Duration of the shutdown if the client does not read. */
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
  return { code: 'end-of-input', message: 'the client did not read the remaining messages' };
}
