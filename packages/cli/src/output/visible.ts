import { toHonestText } from '@parley/host/state';

/** A text on which a user decides, as one line: line breaks and tabs are written out like all that cannot be seen. */
export function toVisibleText(text: string): string {
  return toHonestText(text).replaceAll('\n', '⟨U+000A⟩').replaceAll('\t', '⟨U+0009⟩');
}
