import { useKept } from '../parts/use-kept.ts';

/** The notifications that a user can choose for a page in the background. */
export type AlertKind = 'questions' | 'turns' | 'sound';

/** Whether the user enabled these notifications in this browser. @default false */
export function useAlertChoice(kind: AlertKind): readonly [boolean, (isWanted: boolean) => void] {
  const [kept, keep] = useKept(`parley-alert-${kind}`);
  return [kept === 'on', (isWanted) => keep(isWanted ? 'on' : 'off')];
}
