import type { ContentBlock } from '@parley/acp';
import { useCallback, useEffect, useRef } from 'react';
import { DeskError } from '../desk/desk-error.ts';
import { hasArrived, isAmong, type Seen } from './arrival.ts';

interface Doubt {
  readonly blocks: readonly ContentBlock[];
  readonly before: Seen;
}

/**
 * Sends prompts: settles when one has arrived, which is long before its turn has ended.
 *
 * @param prompt Settles when the turn of the prompt has ended.
 * @param onFound A prompt that seemed lost with the connection had arrived all the same.
 */
export function useSending(
  seen: Seen,
  prompt: (blocks: readonly ContentBlock[]) => Promise<unknown>,
  onFound: (blocks: readonly ContentBlock[]) => void,
): (blocks: readonly ContentBlock[]) => Promise<void> {
  const latest = useRef(seen);
  const looks = useRef(new Set<() => void>());
  const doubt = useRef<Doubt>(undefined);
  useEffect(() => {
    latest.current = seen;
    for (const look of looks.current) look();
    if (doubt.current === undefined || !isAmong(doubt.current.blocks, doubt.current.before, seen)) return;
    const { blocks } = doubt.current;
    doubt.current = undefined;
    onFound(blocks);
  });
  return useCallback(
    async (blocks) => {
      const before = latest.current;
      doubt.current = undefined;
      let stopLooking = (): void => {};
      const arrived = new Promise<void>((resolve) => {
        const look = (): void => {
          if (hasArrived(before, latest.current)) resolve();
        };
        looks.current.add(look);
        stopLooking = () => looks.current.delete(look);
      });
      try {
        // What comes of the turn is told by the events, to everybody.
        await Promise.race([arrived, prompt(blocks)]);
      } catch (error) {
        if (isAmong(blocks, before, latest.current)) return;
        if (error instanceof DeskError && error.code === 'lost') doubt.current = { blocks, before };
        throw error;
      } finally {
        stopLooking();
      }
    },
    [prompt],
  );
}
