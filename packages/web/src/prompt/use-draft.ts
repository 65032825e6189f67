import { useCallback, useEffect, useRef, useState } from 'react';
import { openDraftStore, type DraftStore, type KeptDraft } from './draft-store.ts';
import type { Draft } from './draft.ts';

/** How long after the last change a draft is kept. */
const saveMs = 300;

/** What a draft is kept with. */
export interface KeepDraft {
  readonly store: DraftStore;
  /** What was there when the page was opened. */
  readonly initial: KeptDraft;
  /** Keeps what the box holds, soon. */
  readonly keepSoon: () => void;
  /** Keeps nothing of what was asked for until now. */
  readonly forget: () => void;
}

/** Keeps what is written under a name, soon after each change and when the page is left. */
export function useDraft(name: string, current: () => Draft): KeepDraft {
  const [store] = useState(() => openDraftStore(storageOfBrowser(), name));
  const [initial] = useState(() => store.read());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(current);
  useEffect(() => {
    latest.current = current;
  });
  const forget = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
  }, []);
  const keep = useCallback(() => {
    if (timer.current === undefined) return;
    forget();
    store.write(latest.current());
  }, [store, forget]);
  const keepSoon = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(keep, saveMs);
  }, [keep]);
  useEffect(() => {
    addEventListener('pagehide', keep);
    document.addEventListener('visibilitychange', keep);
    return () => {
      removeEventListener('pagehide', keep);
      document.removeEventListener('visibilitychange', keep);
    };
  }, [keep]);
  return { store, initial, keepSoon, forget };
}

/** Some browsers forbid it. */
function storageOfBrowser(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
