/** A name or an id that the peer chose, as far as a message repeats it. */
export function shorten(text: string, mostChars = 1000): string {
  return text.length > mostChars ? `${text.slice(0, mostChars - 1)}…` : text;
}
