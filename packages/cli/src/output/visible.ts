// Controls, newline and tab included; formatting characters (bidirectional overrides, zero width, tags); separators that
// are no plain space; lone surrogates, private and unassigned ones; letters that are blank; variation selectors.
const hidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164\uffa0\u2800]|\u034f|\p{Variation_Selector}/gu;

/** One line on which a user decides, whole: each character that cannot be seen, or that changes others, by its code. */
export function toVisibleText(text: string): string {
  return text.replaceAll(
    hidden,
    (found) => `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}
