import { storeKept, useKept } from '../parts/use-kept.ts';
import type { PushKind } from './push-device.ts';

const name = 'parley-push';

/** The kinds of push notifications that this browser receives, as far as known: the page does not show them again. */
export function usePushed(): readonly string[] {
  const [kept = ''] = useKept(name);
  return kept.split(' ');
}

/** Remembers what the server notifies this browser of. */
export function rememberPushed(kinds: readonly PushKind[]): void {
  storeKept(name, kinds.join(' '));
}
