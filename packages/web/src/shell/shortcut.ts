/** What can be done from anywhere with the keyboard. */
export type ShortcutAction =
  | 'new-session'
  | 'search'
  | 'inbox'
  | 'agents'
  | 'settings'
  | 'changes'
  | 'next-session'
  | 'previous-session'
  | 'help';

/** The keys of each, one after the other. */
export const shortcuts: readonly { readonly keys: string; readonly action: ShortcutAction }[] = [
  { keys: 'n', action: 'new-session' },
  { keys: '/', action: 'search' },
  { keys: 'g i', action: 'inbox' },
  { keys: 'g a', action: 'agents' },
  { keys: 'g s', action: 'settings' },
  { keys: 'g c', action: 'changes' },
  { keys: ']', action: 'next-session' },
  { keys: '[', action: 'previous-session' },
  { keys: '?', action: 'help' },
];

/** The effect of a key after the keys before it. */
export type ShortcutStep =
  | { readonly kind: 'none' }
  /** More keys are needed; what was typed so far. */
  | { readonly kind: 'begun'; readonly typed: string }
  | { readonly kind: 'done'; readonly action: ShortcutAction };

/** Adds a key to the sequence. A key without a shortcut resets it. */
export function takeKey(typed: string, key: string): ShortcutStep {
  const keys = typed === '' ? key : `${typed} ${key}`;
  const whole = shortcuts.find((shortcut) => shortcut.keys === keys);
  if (whole !== undefined) return { kind: 'done', action: whole.action };
  const isBegun = shortcuts.some((shortcut) => shortcut.keys.startsWith(`${keys} `));
  if (isBegun) return { kind: 'begun', typed: keys };
  return typed === '' ? { kind: 'none' } : takeKey('', key);
}
