import type { PermissionOption, RequestPermissionResponse } from '@parley/acp';
import type { DecidedBy } from '../event/question-event.ts';
import type { Sender } from '../event/sender.ts';
import { chooseOption } from './choose-option.ts';
import type { DecisionReason } from './reason.ts';

/** What was decided about a permission request, by whom and why. Without an option it is `cancelled`. */
export interface Decision extends Sender {
  readonly option?: PermissionOption;
  readonly isGranted: boolean;
  readonly by: DecidedBy;
  readonly reason: string;
  /** The same for clients in other languages, where it is all of the reason. */
  readonly because?: DecisionReason;
  /** Why the user rejected it, for the agent. */
  readonly userReason?: string;
  /** A remembered answer of the user's decided: no client was asked now. */
  readonly isRemembered?: true;
}

/** Who or what decided, and why. */
type DecidedWhy = Pick<Decision, 'by' | 'reason' | 'because'>;

/** The response to the agent. */
export function toPermissionResponse({ option, userReason }: Decision): RequestPermissionResponse {
  if (option === undefined) return { outcome: { outcome: 'cancelled' } };
  return {
    outcome: {
      outcome: 'selected',
      optionId: option.optionId,
      ...(userReason !== undefined && { _meta: { [reasonMeta]: userReason } }),
    },
  };
}

/** Field in the `_meta` of an outcome with the reason of a rejection. */
const reasonMeta = 'parley/reason';

/** Converts a decision to the option that expresses it. Without such an option, the agent receives `cancelled`. */
export function settle(
  options: readonly PermissionOption[],
  decision: 'allow' | 'reject',
  why: DecidedWhy,
): Decision {
  const option = chooseOption(options, decision);
  if (option !== undefined) return take(option, options, why);
  const { by, reason } = why;
  return { isGranted: false, by, reason: `${reason}; the agent offers no option to ${decision}` };
}

/**
 * The decision that an option id expresses. If two options with that id mean yes and no, neither is chosen: the agent
 * could read it either way.
 */
export function take(
  option: PermissionOption,
  options: readonly PermissionOption[],
  why: DecidedWhy,
): Decision {
  const isGranted = isAllowing(option);
  const isAmbiguous = options.some(
    (other) => other.optionId === option.optionId && isAllowing(other) !== isGranted,
  );
  if (!isAmbiguous) return { ...why, option, isGranted };
  const { by, reason } = why;
  return { isGranted: false, by, reason: `${reason}; the agent gave that answer's id to its opposite too` };
}

/** Whether an option's kind allows the call. Unknown kinds do not. */
function isAllowing(option: PermissionOption): boolean {
  return option.kind === 'allow_once' || option.kind === 'allow_always';
}
