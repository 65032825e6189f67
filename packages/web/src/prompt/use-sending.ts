import type { ContentBlock, PromptResponse } from '@parley/acp';
import { useEffect, useRef, useState } from 'react';
import { editableText } from '../draft/draft.ts';
import { HubError } from '../hub/hub-error.ts';
import { hasArrived, isAmong, type Seen } from './arrival.ts';

/** How prompts are sent. */
export interface Sending {
  /**
   * Settles when the prompt has arrived, which is long before its turn has ended.
   *
   * @param onLost It had arrived, and was cancelled before its turn began.
   */
  readonly send: (blocks: readonly ContentBlock[], onLost: (error: unknown) => void) => Promise<void>;
  /** Something was sent that is not visible yet. */
  readonly isPending: boolean;
}

/** What prompts are sent with. */
export interface SendingOptions {
  /** Settles when the turn of the prompt has ended. */
  readonly prompt: (blocks: readonly ContentBlock[]) => Promise<PromptResponse>;
  /** The text for a prompt that was cancelled before its turn started. */
  readonly stoppedText: string;
}

/** Sends prompts, and detects whether they arrived. */
export function useSending(seen: Seen, { prompt, stoppedText }: SendingOptions): Sending {
  const latest = useRef(seen);
  const looks = useRef(new Set<() => void>());
  const [isPending, setIsPending] = useState(false);
  useEffect(() => {
    latest.current = seen;
    for (const look of looks.current) look();
  });
  const send: Sending['send'] = async (blocks, onLost) => {
    const before = latest.current;
    const isThere = (): boolean => isAmong(editableText(blocks), before.turns.length, latest.current);
    let isSettled = false;
    let stopLooking = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      const look = (): void => {
        if (hasArrived(before, latest.current)) resolve();
      };
      looks.current.add(look);
      stopLooking = () => looks.current.delete(look);
    });
    const carry = async (): Promise<void> => {
      try {
        const { stopReason } = await prompt(blocks);
        if (stopReason === 'cancelled' && !isSettled && !isThere()) {
          throw new HubError('refused', stoppedText);
        }
      } catch (error) {
        // The events show the outcome of a turn, to every client.
        if (isThere()) return;
        if (!isSettled) throw error;
        onLost(error);
      }
    };
    setIsPending(true);
    try {
      await Promise.race([arrived, carry()]);
    } finally {
      isSettled = true;
      stopLooking();
      setIsPending(false);
    }
  };
  return { send, isPending };
}
