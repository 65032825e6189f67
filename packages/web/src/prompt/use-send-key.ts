import { useKept } from '../parts/use-kept.ts';
import { useMedia } from '../parts/use-media.ts';
import type { SendKey } from './send-key.ts';

/**
 * The key that sends a prompt in this browser, and a function that changes it. On touch screens, the default for
 * Enter is a new line.
 */
export function useSendKey(): readonly [SendKey, (sendKey: SendKey) => void] {
  const [kept, keep] = useKept('parley-send-key');
  const isGlass = useMedia('(pointer: coarse)');
  if (kept === 'enter' || kept === 'mod-enter') return [kept, keep];
  return [isGlass ? 'mod-enter' : 'enter', keep];
}
