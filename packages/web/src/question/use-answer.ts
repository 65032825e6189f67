import type { HubAnswer, HubQuestion } from '@parley/host/hub';
import { useCallback, useRef, useState } from 'react';
import { useHubClient } from '../hub/use-hub.ts';
import type { CardProps } from './question-frame.tsx';
import { isTooEarly } from './reading-time.ts';

/** How far the answer to a question has come. */
export interface Answering {
  /** Whether the answer is being sent, or was accepted. */
  readonly isSending: boolean;
  /** The last attempt came before the question could be read, and was ignored. */
  readonly isEarly: boolean;
  /** Why the last attempt failed. */
  readonly error?: unknown;
  /** @returns whether the hub accepted it; further answers meanwhile are ignored */
  readonly send: (answer: HubAnswer) => Promise<boolean>;
}

/** Sends the answer of a card, once, and not before the question could be read. A failed answer can be repeated. */
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
