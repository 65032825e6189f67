import { useKept } from '../parts/use-kept.ts';
import { useMedia } from '../parts/use-media.ts';
import type { SendKey } from './send-key.ts';

/**
 * Which key sends a prompt, as it was chosen in this browser, and how another one is chosen. Where one types on glass,
 * Enter begins a new line unless something was chosen.
 */
export function useSendKey(): readonly [SendKey, (sendKey: SendKey) => void] {
  const [kept, keep] = useKept('parley-send-key');
  const isGlass = useMedia('(pointer: coarse)');
  if (kept === 'enter' || kept === 'mod-enter') return [kept, keep];
  return [isGlass ? 'mod-enter' : 'enter', keep];
}
