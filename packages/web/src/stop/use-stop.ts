import { useCallback, useEffect, useRef, useState } from 'react';
import { escapeWindowMs, judgeEscape, type StopStep } from './stop.ts';

/** How a turn is stopped. */
export interface Stopping {
  /** Asks the agent to end the turn; while that is waited for, does not wait any longer. */
  readonly stop: () => void;
  /** Escape was pressed, and pressed again it stops. */
  readonly isArmed: boolean;
}

/** What is needed to stop a turn. */
export interface StopOptions {
  /** @param graceMs How long the agent may take; as long as the server likes, where it is absent. */
  readonly cancel: (graceMs?: number) => void;
}

/** Stops a turn by a button or by Escape, unless a menu or a dialog is open. */
export function useStop(step: StopStep, { cancel }: StopOptions): Stopping {
  const [isArmed, setIsArmed] = useState(false);
  const armedAt = useRef<number>(undefined);
  const latest = useRef({ step, cancel });
  useEffect(() => {
    latest.current = { step, cancel };
  });
  const stop = useCallback(() => {
    const now = latest.current;
    now.cancel(now.step === 'running' ? undefined : 0);
  }, []);
  useEffect(() => {
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || isElsewhere(event)) return;
      // Held down, it is pressed once.
      if (event.repeat) return;
      const now = event.timeStamp;
      const before = armedAt.current;
      const moment = { step: latest.current.step, now };
      const action = judgeEscape({ ...moment, ...(before !== undefined && { armedAt: before }) });
      // The first of two that stop counts as the first of two that hurry.
      armedAt.current = action === 'nothing' || action === 'hurry' ? undefined : now;
      setIsArmed(action === 'arm');
      if (action === 'stop' || action === 'hurry') stop();
    };
    addEventListener('keydown', escape);
    return () => {
      removeEventListener('keydown', escape);
    };
  }, [stop]);
  useEffect(() => {
    if (!isArmed) return undefined;
    const disarm = (): void => {
      armedAt.current = undefined;
      setIsArmed(false);
    };
    const timer = setTimeout(disarm, escapeWindowMs);
    // A user who leaves for another page does not mean the turn.
    addEventListener('pointerdown', disarm);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerdown', disarm);
    };
  }, [isArmed]);
  return { stop, isArmed: isArmed && step !== 'none' };
}

/** Whether the key is meant for an open menu or dialog, or for another field. */
function isElsewhere({ target }: KeyboardEvent): boolean {
  if (document.querySelector(':popover-open, dialog[open], [role=menu]') !== null) return true;
  return (
    target instanceof Element &&
    target.closest('input, select, textarea:not(.prompt-editor-field), [contenteditable]') !== null
  );
}
