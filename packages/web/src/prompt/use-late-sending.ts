import { useEffect, useEffectEvent, useState } from 'react';
import type { Attachments } from '../attachment/use-attachments.ts';

/** Sends a prompt whose attachments may still be loading. */
export interface LateSending {
  /** Sends it, as soon as its files have been read. */
  readonly send: () => void;
  /** It is sent when the files have been read. */
  readonly isWaiting: boolean;
  /** It is not sent by itself any more. */
  readonly takeBack: () => void;
}

/** Waits for the files that are being read, and sends then; not where one of them was not attached. */
export function useLateSending(
  { reading, refused }: Pick<Attachments, 'reading' | 'refused'>,
  sendNow: () => void,
): LateSending {
  const [isWanted, setIsWanted] = useState(false);
  const goOn = useEffectEvent(() => {
    setIsWanted(false);
    if (refused.length === 0) sendNow();
  });
  useEffect(() => {
    if (!isWanted || reading > 0) return undefined;
    const timer = setTimeout(() => {
      goOn();
    });
    return () => {
      clearTimeout(timer);
    };
  }, [isWanted, reading]);
  return {
    send: () => {
      if (reading > 0) setIsWanted(true);
      else sendNow();
    },
    isWaiting: isWanted && reading > 0,
    takeBack: () => {
      setIsWanted(false);
    },
  };
}
