/** The smallest PNG there is. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Something that begins like a PNG and has so many bytes. */
export function pngOf(bytes: number): string {
  const content = Buffer.alloc(bytes, 7);
  content.set(Buffer.from(png, 'base64').subarray(0, 8));
  return content.toString('base64');
}
