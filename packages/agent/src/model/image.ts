/** The image types that all providers accept. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** An image in a model request. */
export interface ModelImage {
  readonly mimeType: ImageType;
  /** Base64. */
  readonly data: string;
  /** The source of the image: a path, an address, a tool. */
  readonly source?: string;
}

/**
 * Creates an image from Base64, if its type is supported by providers. Its first bytes decide about the type, rather
 * than the declared one.
 */
export function toModelImage(data: string, declared?: string, source?: string): ModelImage | undefined {
  if (!isBase64(data)) return undefined;
  const mimeType = imageTypeOf(data) ?? imageTypes.find((type) => type === declared?.trim().toLowerCase());
  return mimeType && { mimeType, data, ...(source !== undefined && { source }) };
}

/** The type that Base64 begins like. */
export function imageTypeOf(data: string): ImageType | undefined {
  return beginnings.find(([beginning]) => beginning.test(data))?.[1];
}

const imageTypes: readonly ImageType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

const beginnings: readonly (readonly [RegExp, ImageType])[] = [
  [/^iVBORw0KGgo/u, 'image/png'],
  [/^\/9j\//u, 'image/jpeg'],
  [/^R0lGOD[dl]h/u, 'image/gif'],
  // "RIFF", a length of four bytes, "WEBP".
  [/^UklGR.{6}XRUJQ/u, 'image/webp'],
];

/** Whether a text is valid Base64 with padding. */
export function isBase64(text: string): boolean {
  if (text === '' || text.length % 4 !== 0) return false;
  const padding = paddingOf(text);
  if (/[^A-Za-z0-9+/]/u.test(text.slice(0, text.length - padding))) return false;
  // The bits that the padding leaves over are zero.
  const last = text.at(-1 - padding) ?? '';
  return padding === 0 || (padding === 1 ? 'AEIMQUYcgkosw048' : 'AQgw').includes(last);
}

function paddingOf(text: string): 0 | 1 | 2 {
  if (text.endsWith('==')) return 2;
  return text.endsWith('=') ? 1 : 0;
}

/** How many bytes a Base64 text encodes. */
export function decodedBytes(data: string): number {
  return Math.floor((data.length * 3) / 4) - paddingOf(data);
}
