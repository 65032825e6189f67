import { isDeeper } from '@parley/wire';
import type { AapServerLimits } from '../limits.ts';
import { RequestError } from '../request-error.ts';

/** The JSON of a request's body, and the bytes it came as. */
export async function readJson(
  request: Request,
  { bodyBytes, jsonDepth }: AapServerLimits,
): Promise<{ readonly value: unknown; readonly bytes: Uint8Array<ArrayBuffer> }> {
  expectJson(request.headers.get('content-type'));
  const bytes = await readBytes(request, bodyBytes);
  const value = parse(bytes);
  if (isDeeper(value, jsonDepth)) {
    throw new RequestError(400, 'invalid_json', `the body is nested deeper than ${String(jsonDepth)}`);
  }
  return { value, bytes };
}

function expectJson(contentType: string | null): void {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === '' || type === 'application/json' || /^[\w.+-]+\/[\w.+-]+\+json$/.test(type)) return;
  throw new RequestError(415, 'unsupported_media_type', `the body is ${type}; expected application/json`);
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of request.body ?? []) {
      length += piece.byteLength;
      if (length > limit) throw tooLarge(limit);
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof RequestError) throw error;
    // The connection broke, or what it brought was no body.
    throw new RequestError(400, 'invalid_request', 'the body ended too early', { cause: error });
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new RequestError(400, 'invalid_json', 'the body is not JSON in UTF-8');
  }
}

function tooLarge(limit: number): RequestError {
  return new RequestError(413, 'body_too_large', `the body is larger than ${String(limit)} bytes`);
}
