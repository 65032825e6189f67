/**
 * The number of bytes before an incomplete UTF-8 character at the end. Bytes that cannot become a character count as
 * complete: a decoder replaces them at once.
 */
export function wholeCharactersLength(bytes: Uint8Array): number {
  const end = bytes.length;
  for (let start = end - 1; start >= 0 && start >= end - 3; start--) {
    const byte = bytes[start] ?? 0;
    if (isContinuation(byte)) continue;
    return isCutCharacter(bytes, start) ? start : end;
  }
  return end;
}

/** The first index at or after `from` that does not lie inside a character. */
export function nextBoundary(byteAt: (index: number) => number, from: number, end: number): number {
  let index = from;
  while (index < end && isContinuation(byteAt(index))) index++;
  return index;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Whether the bytes from `start` on are the beginning of a well-formed character, and no more than that. */
function isCutCharacter(bytes: Uint8Array, start: number): boolean {
  const lead = bytes[start] ?? 0;
  const have = bytes.length - start;
  if (have >= lengthFromLead(lead)) return false;
  const second = bytes[start + 1];
  return second === undefined || isSecondByte(lead, second);
}

function lengthFromLead(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  return 1;
}

/** The ranges of Unicode's table of well-formed byte sequences (3-7). */
function isSecondByte(lead: number, second: number): boolean {
  switch (lead) {
    case 0xe0:
      return second >= 0xa0 && second <= 0xbf;
    case 0xed:
      return second >= 0x80 && second <= 0x9f;
    case 0xf0:
      return second >= 0x90 && second <= 0xbf;
    case 0xf4:
      return second >= 0x80 && second <= 0x8f;
    default:
      return isContinuation(second);
  }
}
