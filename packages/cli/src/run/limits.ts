import type { TurnLimit, TurnLimits } from '@parley/host';
import { CliError } from '../cli-error.ts';
import type { Ending } from '../conversation/ending.ts';
import { watchSilence, type SilenceWatch } from './silence.ts';

/** Ends the run when `--timeout` has passed since the start of the command. */
export function startDeadline(limits: TurnLimits, ending: Ending): Disposable | undefined {
  if (limits.timeoutMs === undefined) return undefined;
  const timer = setTimeout(() => {
    ending.begin(toTimeout(limits, 'turn'));
  }, leftOf(limits.timeoutMs));
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
    },
  };
}

/** Ends the run when nothing was heard for as long as `--idle-timeout` says. */
export function startSilenceWatch(limits: TurnLimits, ending: Ending): SilenceWatch | undefined {
  if (limits.idleTimeoutMs === undefined) return undefined;
  return watchSilence(limits.idleTimeoutMs, () => {
    ending.begin(toTimeout(limits, 'silence'));
  });
}

/** The time this process has been running already counts. */
export function leftOf(timeoutMs: number): number {
  return Math.max(0, timeoutMs - performance.now());
}

/** Why a run ends that has reached a limit. */
export function toTimeout({ timeoutMs = 0, idleTimeoutMs = 0 }: TurnLimits, limit: TurnLimit): CliError {
  const message =
    limit === 'turn'
      ? `the run did not end within ${String(timeoutMs / 1000)} s (--timeout)`
      : `the agent said nothing for ${String(idleTimeoutMs / 1000)} s (--idle-timeout)`;
  return new CliError('timeout', message);
}
