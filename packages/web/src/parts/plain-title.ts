/** A title without characters that change the direction of text, which would reorder the text next to it. */
export function plainTitle(title: string): string {
  return title.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
}
