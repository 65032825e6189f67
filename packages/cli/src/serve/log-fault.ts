import { HostError } from '@parley/host';
import type { Log } from './log.ts';

/**
 * Logs what failed for no client: as a warning where the cause lies outside, such as a database that restarts, or a session
 * that another replica has taken over; else as an error of this program, with the place in its code.
 */
export function logFault(log: Log, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'ERR_UNKNOWN';
  // Node names misuse of its functions `ERR_…`.
  if (error instanceof HostError || !code.startsWith('ERR_')) {
    log.warn('the hub could not finish something', { error: message, code });
  } else {
    log.error('internal error of the hub', {
      error: message,
      stack: error instanceof Error ? error.stack : undefined,
    });
  }
}
