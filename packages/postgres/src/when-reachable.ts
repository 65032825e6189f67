import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '@parley/host';
import { isUnreachable } from './passing-error.ts';

/** How long a database that restarts, or cannot be reached, is waited for. */
const mostMs = 30_000;

/** Pause between attempts. */
const pauseMs = 200;

/**
 * Does something again while the database cannot be reached: who asked for it waits as long as a restart takes.
 *
 * @param work What may be done twice: the first time may have succeeded although its answer was lost.
 * @throws {HostError} `failed`: the database could not be reached for half a minute.
 */
export async function whenReachable<Result>(work: () => Promise<Result>): Promise<Result> {
  const since = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      if (performance.now() - since > mostMs) throw unreachable(error);
      await delay(pauseMs);
    }
  }
}

function unreachable(cause: unknown): HostError {
  const seconds = String(mostMs / 1000);
  const reason = cause instanceof Error && 'code' in cause ? `: ${String(cause.code)}` : '';
  return new HostError(
    'failed',
    `the database could not be reached for ${seconds} s${reason}. Try again when it is back`,
    { cause },
  );
}
