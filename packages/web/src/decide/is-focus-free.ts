/** Whether nothing has the focus that somebody could be using. */
export function isFocusFree(): boolean {
  const { activeElement } = document;
  return (
    activeElement === null ||
    activeElement === document.body ||
    activeElement.id === 'content' ||
    activeElement.tagName === 'H1'
  );
}
