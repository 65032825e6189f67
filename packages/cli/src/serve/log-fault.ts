import { HostError, type HostErrorCode } from '@parley/host';
import { messageOf, type Log } from './log.ts';

/** What happens where sessions move between replicas, or end: there is nothing to do about it. */
const usual: ReadonlySet<HostErrorCode> = new Set(['already-open', 'handed-over', 'aborted', 'closed']);

/**
 * Logs what failed for no client. A cause that has a code lies outside, such as a full disk or a database that restarts;
 * without one it is an error of this program, and the log has its stack.
 */
export function logFault(log: Log, error: unknown): void {
  const message = messageOf(error);
  const code = codeOf(error);
  if (code === undefined) {
    const stack = error instanceof Error ? error.stack : undefined;
    log.error('internal error of the hub', { error: message, stack });
  } else if (error instanceof HostError && usual.has(error.code)) {
    log.warn('the hub could not finish something', { error: message, code });
  } else {
    log.error('the hub could not finish something', { error: message, code });
  }
}

/** The code of a cause outside; Node names misuse of its functions `ERR_…`. */
function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return code?.startsWith('ERR_') === true ? undefined : code;
}
