/** Replaces a part of the text in a field, such that the browser can undo it. */
export function insertText(field: HTMLTextAreaElement, text: string, from: number, to: number): void {
  field.focus();
  field.setSelectionRange(from, to);
  // Nothing else keeps what can be undone.
  // oxlint-disable-next-line typescript/no-deprecated
  if (document.execCommand('insertText', false, text)) return;
  field.setRangeText(text, from, to, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Whether ArrowUp would leave the text. */
export function isOnFirstRow(field: HTMLTextAreaElement): boolean {
  const { value, selectionStart, selectionEnd } = field;
  if (selectionStart !== selectionEnd) return false;
  if (selectionStart === 0) return true;
  const before = value.slice(0, Math.min(selectionStart, longestRow));
  return selectionStart < longestRow && !before.includes('\n') && fitsInRow(field, before);
}

/** Whether ArrowDown would leave the text. */
export function isOnLastRow(field: HTMLTextAreaElement): boolean {
  const { value, selectionStart, selectionEnd } = field;
  if (selectionStart !== selectionEnd) return false;
  if (selectionStart === value.length) return true;
  if (value.length - selectionStart > longestRow || value.includes('\n', selectionStart)) return false;
  const row = value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1);
  return row.length < longestRow && fitsInRow(field, row);
}

/** Characters of a row in a text box. */
const longestRow = 1000;

function fitsInRow(field: HTMLTextAreaElement, text: string): boolean {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return true;
  const { font, paddingLeft, paddingRight } = getComputedStyle(field);
  context.font = font;
  const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
  return context.measureText(text).width < field.clientWidth - padding;
}

/** Grows a text field to the height of its text, up to the maximum in its style, in browsers without `field-sizing`. */
export function growToText(field: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  const { style } = field;
  style.height = 'auto';
  style.height = `${String(field.scrollHeight)}px`;
}
