/** Which key sends a prompt: Enter, or Enter with Ctrl or Cmd held down. The other one begins a new line. */
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

/** Whether this sends the prompt. Enter with Ctrl or Cmd always does. */
export function isSendKey(
  { key, shiftKey, altKey, ctrlKey, metaKey, isComposing }: PressedKey,
  sendKey: SendKey,
): boolean {
  if (key !== 'Enter' || isComposing || shiftKey || altKey) return false;
  return sendKey === 'enter' || ctrlKey || metaKey;
}

const name = 'parley-send-key';

/** What was chosen in this browser. Where one types on glass, Enter begins a new line unless something was chosen. */
export function readSendKey(): SendKey {
  const kept = localStorage.getItem(name);
  if (kept === 'enter' || kept === 'mod-enter') return kept;
  return matchMedia('(pointer: coarse)').matches ? 'mod-enter' : 'enter';
}

/** Keeps a choice; boxes take it with the next key. */
export function chooseSendKey(sendKey: SendKey): void {
  localStorage.setItem(name, sendKey);
}
