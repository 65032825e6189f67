import type { PermissionChoice } from './permission-choice.ts';

/** A key that was pressed, as far as it matters. */
export interface PressedKey {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  /** It is held down. */
  readonly repeat: boolean;
  /** What it goes to takes text, or takes this key itself. */
  readonly isTyping: boolean;
}

/** What a key on a permission card means. */
export type KeyMeaning =
  | { readonly kind: 'choose'; readonly choice: PermissionChoice }
  | { readonly kind: 'remember' }
  | { readonly kind: 'dismiss' }
  | { readonly kind: 'reason' };

/** What a card offers to keys. */
export interface KeyOffer {
  readonly choices: readonly PermissionChoice[];
  readonly canRemember: boolean;
  /** Nothing the agent offers rejects: `r` says nothing instead. */
  readonly isDismissable: boolean;
  readonly hasReason: boolean;
}

/** What a key means on a card. */
export function meaningOfKey(pressed: PressedKey, offer: KeyOffer): KeyMeaning | undefined {
  const { key, isTyping, repeat, altKey, ctrlKey, metaKey } = pressed;
  if (isTyping || repeat || altKey || ctrlKey || metaKey) return undefined;
  const choice = offer.choices.find(({ keys }) => keys.includes(key));
  if (choice !== undefined) return { kind: 'choose', choice };
  if (key === 'A' && offer.canRemember) return { kind: 'remember' };
  if (key === 'R' && offer.hasReason) return { kind: 'reason' };
  if (key === 'r' && offer.isDismissable) return { kind: 'dismiss' };
  return undefined;
}
