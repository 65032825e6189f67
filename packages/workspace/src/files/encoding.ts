import { TextDecoder } from 'node:util';
/** How a text file is written: always Unicode, distinguished by its byte order mark. */
export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';

/** The encoding by the first bytes of a file; without a byte order mark it is UTF-8. */
export function detectEncoding(head: Uint8Array): Encoding {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8-bom';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** A decoder that drops the byte order mark and throws at what is no text. */
export function createDecoder(encoding: Encoding): TextDecoder {
  return new TextDecoder(encoding === 'utf-8-bom' ? 'utf-8' : encoding, { fatal: true });
}

/** Text as bytes, with the byte order mark that the encoding asks for. */
export function encodeText(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text);
  const marked = text.startsWith('\uFEFF') ? text : `\uFEFF${text}`;
  switch (encoding) {
    case 'utf-8-bom':
      return Buffer.from(marked);
    case 'utf-16le':
      return Buffer.from(marked, 'utf16le');
    case 'utf-16be':
      return Buffer.from(marked, 'utf16le').swap16();
  }
}
