/** Bytes of a page that are searched for the name of its character set, as in browsers. */
const headBytes = 1024;

/**
 * Decodes a text: by its byte order mark, the `charset` of the content type, the one in the page, else as UTF-8.
 * Undefined if it is not text.
 *
 * @param parameters The parameters of the content type, in lower case.
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
