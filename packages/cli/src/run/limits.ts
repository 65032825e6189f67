import type { TurnLimit, TurnLimits } from '@parley/host';
import { CliError } from '../cli-error.ts';
import type { Ending } from '../conversation/ending.ts';
import type { Surroundings } from '../surroundings.ts';
import { watchSilence, type SilenceWatch } from './silence.ts';

/** Ends the run when `--timeout` has passed since the start of the command. */
export function startDeadline(
  limits: TurnLimits,
  surroundings: Surroundings,
  ending: Ending,
): Disposable | undefined {
  if (limits.timeoutMs === undefined) return undefined;
  const timer = setTimeout(
    () => {
      ending.begin(toTimeout(limits, 'turn'));
    },
    leftOf(limits.timeoutMs, surroundings),
  );
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
    },
  };
}

/** Ends the run after the silence that `--idle-timeout` allows. */
export function startSilenceWatch(limits: TurnLimits, ending: Ending): SilenceWatch | undefined {
  if (limits.idleTimeoutMs === undefined) return undefined;
  return watchSilence(limits.idleTimeoutMs, () => {
    ending.begin(toTimeout(limits, 'silence'));
  });
}

/** What is left of the time since the start of the command. */
export function leftOf(timeoutMs: number, { startedAt = 0 }: Surroundings): number {
  return Math.max(0, startedAt + timeoutMs - performance.now());
}

/** Why a run ends that has reached a limit. */
export function toTimeout(
  { timeoutMs = 0, idleTimeoutMs = 0 }: TurnLimits,
  limit: TurnLimit,
  /** What the turn waited for. */
  wait?: string,
): CliError {
  const message =
    limit === 'turn'
      ? `the run did not end within ${String(timeoutMs / 1000)} s (--timeout)`
      : `no response from the agent for ${String(idleTimeoutMs / 1000)} s (--idle-timeout)`;
  return new CliError('timeout', wait === undefined ? message : `${message}: ${wait}`);
}
