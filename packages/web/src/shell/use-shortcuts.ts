import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'wouter';
import { useHub } from '../hub/use-hub.ts';
import { takeKey, type ShortcutAction } from './shortcut.ts';

/** Time limit for the second key of a shortcut. */
const patienceMs = 1500;

/** Listens for the keys that work everywhere, unless the user types, or a dialog is open. */
export function useShortcuts(showHelp: () => void): void {
  const typed = useRef({ keys: '', at: 0 });
  const { sessions, marks } = useHub();
  const [path, go] = useLocation();
  const goBy = async (step: 1 | -1): Promise<void> => {
    const { groupSessions } = await import('../sessions/group-sessions.ts');
    const groups = groupSessions(sessions.values(), { filter: { text: '' }, marks });
    const paths = groups.flatMap((group) =>
      group.sessions.map(({ key }) => `/sessions/${encodeURIComponent(key)}`),
    );
    const at = paths.findIndex((other) => path.startsWith(other));
    const to = at === -1 ? paths[0] : paths[at + step];
    if (to !== undefined) go(to);
  };
  const doIt = useEffectEvent((action: ShortcutAction) => {
    switch (action) {
      case 'new-session':
        return go('/');
      case 'search':
        return go('/search');
      case 'inbox':
        return go('/inbox');
      case 'agents':
        return go('/agents');
      case 'settings':
        return go('/settings');
      case 'changes': {
        if (!path.startsWith('/sessions/') || path.endsWith('/inspector')) return undefined;
        const isOpen = new URLSearchParams(location.search).has('changes');
        return go(isOpen ? path : `${path}?changes`);
      }
      case 'next-session':
        return void goBy(1);
      case 'previous-session':
        return void goBy(-1);
      case 'help':
        return showHelp();
    }
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target, altKey, ctrlKey, metaKey, isComposing, repeat } = event;
      if (altKey || ctrlKey || metaKey || isComposing || repeat || event.defaultPrevented) return;
      if (key.length > 1 || isTyping(target) || document.querySelector('dialog[open]') !== null) return;
      const keys = event.timeStamp - typed.current.at < patienceMs ? typed.current.keys : '';
      const step = takeKey(keys, key);
      typed.current = { keys: step.kind === 'begun' ? step.typed : '', at: event.timeStamp };
      if (step.kind === 'none') return;
      event.preventDefault();
      if (step.kind === 'done') doIt(step.action);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role=menu] *, [role=listbox] *'))
  );
}
