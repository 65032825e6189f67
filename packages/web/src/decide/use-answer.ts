import type { DeskAnswer, DeskQuestion } from '@parley/host/desk';
import { useCallback, useRef, useState } from 'react';
import { useDeskClient } from '../desk/use-desk.ts';

/** How far the answer to a question has come. */
export interface Answering {
  /** It is on its way, or has been taken. */
  readonly isSending: boolean;
  /** Why the last attempt failed. */
  readonly error?: unknown;
  /** @returns whether the desk has taken it; what is said meanwhile is not sent */
  readonly send: (answer: DeskAnswer) => Promise<boolean>;
}

/** Answers one question, once. What failed can be tried again. */
export function useAnswer(
  { key, requestId }: DeskQuestion,
  onAnswer: (requestId: string, isTaken: boolean) => void,
): Answering {
  const client = useDeskClient();
  const isSent = useRef(false);
  const [state, setState] = useState<Omit<Answering, 'send'>>({ isSending: false });
  const send = useCallback(
    async (answer: DeskAnswer): Promise<boolean> => {
      if (isSent.current) return false;
      isSent.current = true;
      setState({ isSending: true });
      // Before it is sent: the news that it was answered may come first.
      onAnswer(requestId, true);
      try {
        await client.answer(key, requestId, answer);
        return true;
      } catch (error) {
        isSent.current = false;
        onAnswer(requestId, false);
        setState({ isSending: false, error });
        return false;
      }
    },
    [client, key, requestId, onAnswer],
  );
  return { ...state, send };
}
