import { cutText } from '../../cut-text.ts';
import { decodedBytes } from '../../model/image.ts';
import { withoutImages } from '../../model/message-images.ts';
import type { ConversationRecord } from './conversation-record.ts';

/** Replaces each image, recording and file of a record with a text: truncated Base64 would be invalid. */
export function withoutData(record: ConversationRecord): ConversationRecord {
  if (record.type === 'message') return { ...record, message: withoutImages(record.message, reason) };
  return replaceData(record);
}

/** The same value with each long text in it cut to beginning and end, and a word that there was more. */
export function cutTexts<T>(value: T, limitChars: number): T;
export function cutTexts(value: unknown, limitChars: number): unknown {
  if (typeof value === 'string') return cutText(value, limitChars);
  return mapFields(value, (item) => cutTexts<unknown>(item, limitChars));
}

const reason = 'too long to be stored';

function replaceData<T>(value: T): T;
function replaceData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { type, data, blob, ...rest }: Readonly<Record<string, unknown>> = { ...value };
  if ((type === 'image' || type === 'audio') && typeof data === 'string') {
    return { type: 'text', text: leftOut(type, data) };
  }
  if (typeof blob === 'string') return { ...rest, text: leftOut('content', blob) };
  return mapFields(value, (item) => replaceData<unknown>(item));
}

function leftOut(what: string, data: string): string {
  return `[${what}, about ${String(decodedBytes(data))} bytes, omitted: ${reason}]`;
}

/** The same list or object with each value mapped; other values are unchanged. */
export function mapFields(value: unknown, change: (item: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => change(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item)]));
}
