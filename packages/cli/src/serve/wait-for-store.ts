import { setTimeout as delay } from 'node:timers/promises';
import { createGateway, healthRoutes, unavailable } from '@parley/gateway';
import { HostError } from '@parley/host';
import type { ServeFlags } from './flags.ts';
import { messageOf, type Log } from './log.ts';

/** Pause between attempts to reach the database. */
const pauseMs = 500;

/** What is waited for, and how long. */
export interface WaitOptions {
  readonly store: { readonly name: string; ready(): Promise<void> };
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Waits for the database of a store. Meanwhile the server listens, and answers that it is not ready.
 *
 * @returns The port that was listened on, where the flags leave it open.
 * @throws {HostError} The database cannot be used.
 */
export async function waitForStore(
  flags: ServeFlags,
  { store, log, signal }: WaitOptions,
): Promise<number | undefined> {
  let reason = await attempt(store);
  if (reason === undefined) return undefined;
  const why = (): string => 'waiting for the store, which cannot be reached; the log says why';
  const gateway = createGateway({
    host: flags.host,
    port: flags.port,
    ...(flags.tls !== undefined && { tls: flags.tls }),
    tokens: () => [],
    routes: [...healthRoutes(why), unavailable(why)],
  });
  await gateway.listen();
  try {
    let logged = '';
    while (reason !== undefined) {
      if (reason !== logged) {
        log.warn('the store cannot be reached; trying again', {
          store: store.name,
          error: reason,
          url: gateway.url,
        });
        logged = reason;
      }
      await delay(pauseMs, undefined, { signal });
      reason = await attempt(store);
    }
    log.info('the store is reachable', { store: store.name });
    return Number(new URL(gateway.url).port);
  } finally {
    await gateway.close({ graceMs: 0 });
  }
}

/** Why the store cannot be reached yet. @throws {HostError} It never can. */
async function attempt(store: WaitOptions['store']): Promise<string | undefined> {
  try {
    await store.ready();
    return undefined;
  } catch (error) {
    if (error instanceof HostError) throw error;
    return messageOf(error);
  }
}
