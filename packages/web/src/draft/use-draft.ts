import { useCallback, useEffect, useRef, useState } from 'react';
import { openDraftStore, type DraftStore, type KeptDraft } from './draft-store.ts';
import type { Draft } from './draft.ts';

/** How long after the last change a draft is kept. */
const saveMs = 300;

/** Where the draft of that name is kept, and what was there when the page was opened. */
export function useDraftStore(name: string): { readonly store: DraftStore; readonly initial: KeptDraft } {
  const [kept] = useState(() => {
    const store = openDraftStore(storageOfBrowser(), name);
    return { store, initial: store.read() };
  });
  return kept;
}

/** How what is written is kept. */
export interface KeepDraft {
  /** Keeps what the box holds, soon. */
  readonly keepSoon: () => void;
  /** Keeps nothing of what was asked for until now. */
  readonly forget: () => void;
}

/** Keeps what is written soon after each change, and when the page is left. */
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
