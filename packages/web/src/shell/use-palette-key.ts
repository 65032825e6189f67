import { useEffect, useEffectEvent } from 'react';

/** Listens for the keys that open the palette, also while the user types; not over another dialog. */
export function usePaletteKey(toggle: () => void): void {
  const press = useEffectEvent(toggle);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing, repeat } = event;
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey || isComposing) return;
      if (document.querySelector('dialog[open]:not(.palette)') !== null) return;
      event.preventDefault();
      if (!repeat) press();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
