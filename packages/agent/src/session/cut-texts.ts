import { cutText } from '../turn/cut-text.ts';

/** The same value with each long text in it cut, and a word that there was more. */
export function cutTexts<T>(value: T, limitChars: number): T;
export function cutTexts(value: unknown, limitChars: number): unknown {
  if (typeof value === 'string') return cutText(value, limitChars);
  if (Array.isArray(value)) return value.map((item: unknown) => cutTexts(item, limitChars));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, cutTexts<unknown>(item, limitChars)]),
  );
}
