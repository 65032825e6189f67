import { useKept } from '../parts/use-kept.ts';

/** What a person can be told of while they look elsewhere. */
export type AlertKind = 'questions' | 'turns' | 'sound';

/** Whether somebody wants to be told, in this browser. @default they do not */
export function useAlertChoice(kind: AlertKind): readonly [boolean, (isWanted: boolean) => void] {
  const [kept, keep] = useKept(`parley-alert-${kind}`);
  return [kept === 'on', (isWanted) => keep(isWanted ? 'on' : 'off')];
}
