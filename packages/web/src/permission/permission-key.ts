/** A pressed key, and where it goes. */
export interface PressedKey {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  /** Whether the key is held down. */
  readonly repeat: boolean;
  /** Whether the focused element is a text field, or handles this key itself. */
  readonly isTyping: boolean;
}

/** What a key does on a permission card: the two answers for this one call have one each. */
export function meaningOfKey(pressed: PressedKey): 'allow' | 'reject' | undefined {
  const { key, isTyping, repeat, altKey, ctrlKey, metaKey } = pressed;
  if (isTyping || repeat || altKey || ctrlKey || metaKey) return undefined;
  if (key === 'a') return 'allow';
  return key === 'r' ? 'reject' : undefined;
}
