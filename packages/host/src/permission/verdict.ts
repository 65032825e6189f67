import type { PermissionOption, RequestPermissionResponse } from '@parley/acp';
import type { DecidedBy } from '../event/question-event.ts';
import type { Sender } from '../event/sender.ts';
import type { AnsweredBecause } from './because.ts';
import { chooseOption } from './choose-option.ts';

/** Who or what decided, and why. */
export interface Grounds {
  readonly by: DecidedBy;
  readonly reason: string;
  /** The same for other words, where it is all of the reason. */
  readonly because?: AnsweredBecause;
}

/** What came of it. Without an option it is `cancelled`. */
export interface Verdict extends Grounds, Sender {
  readonly option?: PermissionOption;
  readonly isGranted: boolean;
  /** What the agent is to know of it. */
  readonly words?: string;
  /** An earlier answer of the person's decided: nobody was asked now. */
  readonly isRemembered?: true;
}

/** What the agent is told of it. */
export function toPermissionResponse({ option, words }: Verdict): RequestPermissionResponse {
  if (option === undefined) return { outcome: { outcome: 'cancelled' } };
  return {
    outcome: {
      outcome: 'selected',
      optionId: option.optionId,
      ...(words !== undefined && { _meta: { [reasonMeta]: words } }),
    },
  };
}

/** Where an agent finds, in the `_meta` of an outcome, why what it asked for was rejected. */
const reasonMeta = 'parley/reason';

/** What was decided, by the option that says so. Without one the agent is told nothing but that it is `cancelled`. */
export function settle(
  options: readonly PermissionOption[],
  decision: 'allow' | 'reject',
  grounds: Grounds,
): Verdict {
  const option = chooseOption(options, decision);
  if (option !== undefined) return take(option, options, grounds);
  const { by, reason } = grounds;
  return { isGranted: false, by, reason: `${reason}; the agent offers no option to ${decision}` };
}

/** What choosing an option comes to. An id that stands for yes and for no says neither: the agent would take it as it likes. */
export function take(
  option: PermissionOption,
  options: readonly PermissionOption[],
  grounds: Grounds,
): Verdict {
  const isGranted = isAllowing(option);
  const isAmbiguous = options.some(
    (other) => other.optionId === option.optionId && isAllowing(other) !== isGranted,
  );
  if (!isAmbiguous) return { ...grounds, option, isGranted };
  const { by, reason } = grounds;
  return { isGranted: false, by, reason: `${reason}; the agent gave that answer's id to its opposite too` };
}

/** Whether the option's kind says yes. A kind that we do not know does not. */
function isAllowing(option: PermissionOption): boolean {
  return option.kind === 'allow_once' || option.kind === 'allow_always';
}
