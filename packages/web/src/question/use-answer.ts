import type { HubAnswer, HubQuestion } from '@parley/host/hub';
import { useCallback, useRef, useState } from 'react';
import { useHubClient } from '../hub/use-hub.ts';
import type { CardProps } from './question-frame.tsx';
import { isTooEarly } from './reading-time.ts';

/** How far the answer to a question has come. */
export interface Answering {
  /** It is on its way, or has been taken. */
  readonly isSending: boolean;
  /** The last attempt came before the question could be read, and was ignored. */
  readonly isEarly: boolean;
  /** Why the last attempt failed. */
  readonly error?: unknown;
  /** @returns whether the hub has taken it; what is said meanwhile is not sent */
  readonly send: (answer: HubAnswer) => Promise<boolean>;
}

/**
 * Answers one question, once, and not before it could be read: each answer of a card goes through here. What failed can be
 * tried again.
 */
export function useAnswer({
  question: { key, requestId },
  onAnswer,
  steadySince,
}: Pick<CardProps<HubQuestion>, 'question' | 'onAnswer' | 'steadySince'>): Answering {
  const client = useHubClient();
  const isSent = useRef(false);
  const [state, setState] = useState<Omit<Answering, 'send'>>({ isSending: false, isEarly: false });
  const send = useCallback(
    async (answer: HubAnswer): Promise<boolean> => {
      if (isSent.current) return false;
      if (isTooEarly(steadySince(requestId), performance.now())) {
        setState({ isSending: false, isEarly: true });
        return false;
      }
      isSent.current = true;
      setState({ isSending: true, isEarly: false });
      // Before it is sent: the change that it was answered may come first.
      onAnswer(requestId, true);
      try {
        await client.answer(key, requestId, answer);
        return true;
      } catch (error) {
        isSent.current = false;
        onAnswer(requestId, false);
        setState({ isSending: false, isEarly: false, error });
        return false;
      }
    },
    [client, key, requestId, onAnswer, steadySince],
  );
  return { ...state, send };
}
