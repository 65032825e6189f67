import type { SessionState } from '@parley/host/state';

/** Whether a turn runs, while which nothing is undone. */
export function isBusy({ phase }: SessionState): boolean {
  return phase === 'running' || phase === 'waiting' || phase === 'stopping';
}
