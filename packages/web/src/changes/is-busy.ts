import type { SessionState } from '@parley/host/state';

/** Whether a turn is running, during which nothing can be undone. */
export function isBusy({ phase }: SessionState): boolean {
  return phase === 'running' || phase === 'waiting' || phase === 'stopping';
}
