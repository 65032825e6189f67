/** How far into a page a server looks for the name of its character set; browsers look no further either. */
const headBytes = 1024;

/**
 * Bytes as text: by their byte order mark, by the `charset` of the content type, by the one the page names itself, else
 * as UTF-8. Undefined for what is no text.
 *
 * @param parameters Those of the content type, in small letters.
 */
export function decodeText(body: Uint8Array, parameters: readonly string[]): string | undefined {
  const marked = markOf(body);
  const charset = marked ?? charsetOf(parameters) ?? namedCharset(body);
  const text = decode(body, charset);
  return text.includes('\0') ? undefined : text;
}

function markOf([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function charsetOf(parameters: readonly string[]): string | undefined {
  return parameters
    .map((text) => /^\s*charset\s*=\s*["']?([\w.:-]+)["']?\s*$/u.exec(text)?.[1])
    .find(Boolean);
}

/** `<meta charset="…">`, `<meta … content="text/html; charset=…">` and `<?xml … encoding="…"?>`. */
function namedCharset(body: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(body.subarray(0, headBytes));
  return /<(?:meta|\?xml)\s[^>]*?(?:charset|encoding)\s*=\s*["']?([\w.:-]+)/iu.exec(head)?.[1];
}

function decode(body: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    // An unknown name; most of what is wrongly named is UTF-8.
    return new TextDecoder().decode(body);
  }
}
