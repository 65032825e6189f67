/** The key that sends a prompt: Enter, or Enter with Ctrl or Cmd. The other one starts a new line. */
export type SendKey = 'enter' | 'mod-enter';

/** A key that was pressed, as far as sending needs it. */
export interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  /** Letters are being put together, as for Chinese: Enter is the input method's. */
  readonly isComposing: boolean;
}

/** A key, as the browser reports it. */
export function toPressedKey(event: KeyboardEvent): PressedKey {
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
  // Safari ends the composition before it reports the key that ended it; this number is how it says so.
  // oxlint-disable-next-line typescript/no-deprecated
  const isComposing = event.isComposing || event.keyCode === 229;
  return { key, shiftKey, altKey, ctrlKey, metaKey, isComposing };
}

/** Whether this sends a queued prompt now. */
export function isSendNowKey({ key, shiftKey, altKey, ctrlKey, metaKey, isComposing }: PressedKey): boolean {
  return key === 'Enter' && altKey && !(isComposing || shiftKey || ctrlKey || metaKey);
}

/** Whether this sends the prompt. Enter with Ctrl or Cmd always does. */
export function isSendKey(
  { key, shiftKey, altKey, ctrlKey, metaKey, isComposing }: PressedKey,
  sendKey: SendKey,
): boolean {
  if (key !== 'Enter' || isComposing || shiftKey || altKey) return false;
  return sendKey === 'enter' || ctrlKey || metaKey;
}
