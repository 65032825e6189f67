import { Invalid, invalidParams } from '@parley/acp';
import {
  anyObject,
  byName,
  checked,
  checkValue,
  fields,
  type Fault,
  type FieldsOf,
  type Schema,
} from '@parley/workspace/schema';
import * as v from 'valibot';

/** Reads params. @throws {RpcError} -32602. */
export type ParamsParser<Params> = (params: unknown) => Params;

/** A parser of params, or of the part of them that is named. */
export function paramsParser<Params>(schema: Schema<Params>, part?: string): ParamsParser<Params> {
  return (value) => {
    const checkedValue = checkValue(schema, value ?? {});
    const fault = checkedValue.faults.at(0);
    if (checkedValue.isTyped && fault === undefined) return checkedValue.value;
    throw invalidParams(placeText(fault?.path ?? [], part), fault?.reason ?? 'something else');
  };
}

/**
 * The params that the protocol's own parser returned.
 *
 * @throws {RpcError} -32602: they violate the protocol.
 */
export function readParams<Params>(parsed: Params | Invalid): Params {
  if (parsed instanceof Invalid) throw invalidParams(parsed.path, parsed.expected);
  return parsed;
}

/** A schema of an object with these fields. A field that is `null` counts as absent; other fields are removed. */
export function params<const Entries extends v.ObjectEntries>(entries: Entries): Schema<FieldsOf<Entries>> {
  const present: Schema<unknown> = v.pipe(
    anyObject,
    v.transform((object): unknown =>
      Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null)),
    ),
  );
  return v.pipe(present, fields(entries));
}

/** An object of one of these kinds, which its field `kind` names. */
export function byKind<Value>(kinds: Readonly<Record<string, Schema<Value>>>): Schema<Value> {
  const names = Object.keys(kinds);
  const known: Schema<unknown> = checked(anyObject, ({ kind }) =>
    typeof kind === 'string' && Object.hasOwn(kinds, kind)
      ? undefined
      : { field: 'kind', reason: names.map((name) => `"${name}"`).join(', ') },
  );
  const chosen = v.lazy((value) => {
    const kind = v.is(v.object({ kind: v.string() }), value) ? value.kind : '';
    return kinds[kind] ?? v.never('an object of a known kind');
  });
  return v.pipe(known, chosen);
}

/** Characters of a title, reason or value from a user. */
const mostCharacters = 10_000;

/** Text of bounded length. */
export const boundedText: Schema<string> = textOf(0, mostCharacters);

/** The same, and more than blanks. */
export const filledText: Schema<string> = checked(boundedText, (value) =>
  value.trim() === '' ? 'text that is not empty' : undefined,
);

/** Text of so many characters. */
export function textOf(least: number, most: number): Schema<string> {
  const words = `text of ${least === 0 ? 'at most' : `${String(least)} to`} ${String(most)} characters`;
  return v.pipe(v.string(words), v.minLength(least, words), v.maxLength(most, words));
}

/** A list of at least one such item, and at most so many. @param words What the items are. */
export function someOf<Item>(item: Schema<Item>, most: number, words: string): Schema<Item[]> {
  const expected = `a list of 1 to ${String(most)} ${words}`;
  return v.pipe(v.array(item, expected), v.minLength(1, expected), v.maxLength(most, expected));
}

/** A whole number of at least so much. */
export function countFrom(least: number, words: string): Schema<number> {
  return v.pipe(v.number(words), v.safeInteger(words), v.minValue(least, words));
}

/** Such values by any names. */
export function recordOf<Value>(value: Schema<Value>): Schema<Readonly<Record<string, Value>>> {
  return v.pipe(
    byName(value),
    v.transform((values) => Object.fromEntries(values)),
  );
}

function placeText(path: Fault['path'], part = ''): string {
  const place = path.reduce<string>(
    (before, step) =>
      typeof step === 'number' ? `${before}[${String(step)}]` : before === '' ? step : `${before}.${step}`,
    part,
  );
  return place === '' ? 'params' : place;
}
