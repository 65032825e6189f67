import { hubMethods } from '@parley/host/hub';
import { useEffect, useRef } from 'react';
import { useHub, useHubClient } from '../hub/use-hub.ts';
import { lookingMs, repeatLookMs } from '../limits.ts';

/** Events that show that the user is looking at the page. */
const uses = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'scroll'] as const;

/** Reports to the hub while the user looks at this page, so that the user's other devices stay silent. */
export function useLooking(): void {
  const client = useHubClient();
  const isOpen = useHub().connection.state === 'open';
  /** When the page was used last, by a clock that only goes forward. */
  const usedAt = useRef<number>(undefined);
  useEffect(() => {
    let reportedAt = -Infinity;
    const report = (isLooking: boolean): void => {
      reportedAt = isLooking ? performance.now() : -Infinity;
      // The hub sees by itself that a connection is lost.
      if (isOpen) void client.ask(hubMethods.look, { isLooking }).catch(() => {});
    };
    const onUse = (): void => {
      if (document.visibilityState !== 'visible') return;
      const now = performance.now();
      usedAt.current = now;
      if (now - reportedAt >= repeatLookMs) report(true);
    };
    const onVisibility = (): void => {
      if (document.visibilityState === 'visible') onUse();
      else report(false);
    };
    // A connection that is made again says nothing about the user.
    if (usedAt.current === undefined || performance.now() - usedAt.current < lookingMs) onUse();
    for (const name of uses) addEventListener(name, onUse, { passive: true, capture: true });
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      for (const name of uses) removeEventListener(name, onUse, { capture: true });
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [client, isOpen]);
}
