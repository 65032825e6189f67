import { describeWait, type HostEvent, type TurnCancelEvent } from '@parley/host';
import type { Warning } from '../output/output.ts';

/** A step towards the end of a turn, as it is shown: `--format json` has no type of its own for them. */
export function toStep(event: HostEvent): Warning | undefined {
  if (event.type === 'turn-timeout') return toWarning('warning', event.type, describeWait(event.waitsFor));
  if (event.type !== 'turn-cancel') return undefined;
  const message = describeStep(event);
  return message === undefined ? undefined : toWarning('info', event.type, message);
}

function describeStep({ step }: TurnCancelEvent): string | undefined {
  switch (step) {
    case 'asked':
      return 'session/cancel was sent';
    case 'request-cancelled':
      return 'the turn is still running; $/cancel_request was sent';
    case 'agent-ended':
      // A diagnostic of the host's says so.
      return undefined;
  }
}

function toWarning(level: Warning['level'], code: string, message: string): Warning {
  return { type: 'diagnostic', level, code, message };
}
