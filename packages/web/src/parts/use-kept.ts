import { useCallback, useSyncExternalStore } from 'react';

/** A choice that this browser keeps, the same everywhere on the page and in each tab. */
export function useKept(name: string): readonly [string | undefined, (value: string) => void] {
  const get = (): string | null => localStorage.getItem(name);
  const value = useSyncExternalStore(subscribe, get, get);
  const keep = useCallback(
    (chosen: string) => {
      storeKept(name, chosen);
    },
    [name],
  );
  return [value ?? undefined, keep];
}

/** Stores a choice outside of a component. */
export function storeKept(name: string, value: string): void {
  localStorage.setItem(name, value);
  // The browser notifies only the other tabs.
  dispatchEvent(new StorageEvent('storage', { key: name }));
}

function subscribe(listener: () => void): () => void {
  addEventListener('storage', listener);
  return () => {
    removeEventListener('storage', listener);
  };
}
