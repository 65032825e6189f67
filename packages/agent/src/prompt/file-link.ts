import { parseLineRange } from './line-range.ts';
import type { LineRange } from './line-range.ts';

/** A path, and some of its lines when only they are meant. */
export interface FileLink {
  readonly path: string;
  readonly lines?: LineRange;
}

/** Reads the address of a file on this machine: `file://…`, or an absolute path. Undefined for any other one. */
export function parseFileLink(address: string): FileLink | undefined {
  const text = address.trim();
  if (/^(?:\/|[a-z]:[\\/])/iu.test(text)) return withFragment(text);
  if (!/^file:/iu.test(text) || !URL.canParse(text)) return undefined;
  const { hostname, pathname, hash, searchParams } = new URL(text);
  if (hostname !== '' && hostname !== 'localhost') return undefined;
  const decoded = decode(pathname);
  if (decoded === undefined) return undefined;
  // On Windows: `file:///C:/x`.
  const path = /^\/[a-z]:\//iu.test(decoded) ? decoded.slice(1) : decoded;
  const lines = parseLineRange(
    hash.slice(1) || (searchParams.get('line') ?? searchParams.get('lines') ?? ''),
  );
  return { path, ...(lines !== undefined && { lines }) };
}

function withFragment(text: string): FileLink {
  const [, path = text, fragment = ''] = /^(.+)#([^#]*)$/su.exec(text) ?? [];
  const lines = parseLineRange(fragment);
  return lines === undefined ? { path: text } : { path, lines };
}

function decode(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    // A percent sign that begins nothing: no such address was meant.
    return undefined;
  }
}
