import type { TurnLimits } from '@parley/host';
import type { Ending } from '../conversation/ending.ts';
import { startSilenceWatch } from '../run/limits.ts';

/** `--idle-timeout` of an attached session. */
export interface SessionSilence extends Disposable {
  /** The session has an event. */
  heard(): void;
  /** A question of the session became open, or none is open any more. Silence does not count while one is. */
  onAsking(isAsking: boolean): void;
}

/** Ends the command after the silence that `--idle-timeout` allows. */
export function startSessionSilence(limits: TurnLimits, ending: Ending): SessionSilence | undefined {
  const watch = startSilenceWatch(limits, ending);
  if (watch === undefined) return undefined;
  let resume: (() => void) | undefined;
  return {
    heard: () => {
      watch.heard();
    },
    onAsking(isAsking) {
      resume?.();
      resume = isAsking ? watch.pause() : undefined;
    },
    [Symbol.dispose]() {
      watch[Symbol.dispose]();
    },
  };
}
