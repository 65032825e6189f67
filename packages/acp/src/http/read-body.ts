/** Reads a body whole; `undefined` when it is longer than allowed. */
export async function readBody(
  { headers, body }: Request | Response,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const declared = Number(headers.get('Content-Length') ?? 0);
  if (declared > maxBytes) {
    await body?.cancel();
    return undefined;
  }
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
