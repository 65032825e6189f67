/** An action of a key in the panel. */
export type ChangesKey =
  | { readonly kind: 'head'; readonly step: 1 | -1 }
  | { readonly kind: 'row'; readonly step: 1 | -1 }
  | { readonly kind: 'toggle' | 'keep' | 'revert' | 'comment' | 'undo' | 'redo' | 'close' };

const meanings: ReadonlyMap<string, ChangesKey> = new Map<string, ChangesKey>([
  ['j', { kind: 'head', step: 1 }],
  ['k', { kind: 'head', step: -1 }],
  ['ArrowDown', { kind: 'row', step: 1 }],
  ['ArrowUp', { kind: 'row', step: -1 }],
  ['Enter', { kind: 'toggle' }],
  ['a', { kind: 'keep' }],
  ['r', { kind: 'revert' }],
  ['c', { kind: 'comment' }],
  ['u', { kind: 'undo' }],
  ['U', { kind: 'redo' }],
  ['Escape', { kind: 'close' }],
]);

/** A key that was pressed, as far as it matters. */
export interface PressedChangesKey {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  /** Whether the focus is in a text field or a dialog. */
  readonly isElsewhere: boolean;
  /** Whether the focused element is activated by Enter. */
  readonly isButton: boolean;
}

/** The action of a key in the panel, if any. */
export function meaningOfChangesKey(pressed: PressedChangesKey): ChangesKey | undefined {
  const { key, altKey, ctrlKey, metaKey, isElsewhere, isButton } = pressed;
  if (isElsewhere || altKey || ctrlKey || metaKey || (isButton && key === 'Enter')) return undefined;
  return meanings.get(key);
}
