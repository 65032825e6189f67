import { useCallback, useEffect, useRef, useState } from 'react';
import { openDraftStore, type DraftStore, type KeptDraft } from './draft-store.ts';
import type { Draft } from './draft.ts';

/** Delay before a changed draft is stored. */
const saveMs = 300;

/** The store of a draft, and its content when the page was opened. */
export function useDraftStore(name: string): { readonly store: DraftStore; readonly initial: KeptDraft } {
  const [kept] = useState(() => {
    const store = openDraftStore(storageOfBrowser(), name);
    return { store, initial: store.read() };
  });
  return kept;
}

/** Functions that store the draft. */
export interface KeepDraft {
  /** Stores the content of the box after a short delay. */
  readonly keepSoon: () => void;
  /** Cancels pending storing. */
  readonly forget: () => void;
}

/** Stores the draft shortly after each change, and when the page is closed. */
export function useKeepDraft(store: DraftStore, current: () => Draft): KeepDraft {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const forget = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
  }, []);
  const keep = useCallback(() => {
    if (timer.current === undefined) return;
    forget();
    store.write(current());
  }, [store, current, forget]);
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
      keep();
    };
  }, [keep]);
  return { keepSoon, forget };
}

/** Some browsers forbid it. */
function storageOfBrowser(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
