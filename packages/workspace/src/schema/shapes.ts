import * as v from 'valibot';

/** What a foreign value has to be. A schema says in its own words what it expects, and never quotes a value. */
export type Schema<T> = v.GenericSchema<unknown, T>;

/** What is read from an object with fields of these schemas. */
export type FieldsOf<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>;

/** Any text. */
export const text: Schema<string> = v.string('text');

/** Text that is not empty. */
export const word: Schema<string> = v.pipe(v.string('text'), v.nonEmpty('must not be empty'));

/** `true` or `false`. */
export const flag: Schema<boolean> = v.boolean('true or false');

/** Any number. */
export const number: Schema<number> = v.number('a number');

/** Any object. Unlike for valibot, a list is none. */
export const anyObject: Schema<Readonly<Record<string, unknown>>> = v.custom<
  Readonly<Record<string, unknown>>
>(isObject, 'an object');

/** One of some words. */
export function oneOf<const Choices extends readonly string[]>(choices: Choices): Schema<Choices[number]> {
  return v.picklist(choices, choices.map((choice) => JSON.stringify(choice)).join(' or '));
}

/** A list of such values. */
export function listOf<T>(item: Schema<T>): Schema<T[]> {
  return v.array(item, 'a list');
}

/** Such values by name. Unlike in a record of valibot, a name may be `constructor` or the like. */
export function byName<T>(value: Schema<T>, name: Schema<string> = text): Schema<Map<string, T>> {
  return v.pipe(
    anyObject,
    v.transform((object) => new Map<unknown, unknown>(Object.entries(object))),
    v.map(name, value),
  );
}

/** The schema of a field that may be absent. */
export type OptionalField<T> = v.ExactOptionalSchema<Schema<T>, undefined>;

/** A field that may be absent. */
export function optional<T>(value: Schema<T>): OptionalField<T> {
  return v.exactOptional(value);
}

/** An object with these fields; all others are dropped. */
export function fields<const Entries extends v.ObjectEntries>(entries: Entries): Schema<FieldsOf<Entries>> {
  return v.pipe(anyObject, withMissing(entries), v.object(entries));
}

/**
 * An object with these fields. All others are dropped too, and each is a fault of the kind `unknown`, which leaves the value as it is.
 *
 * @param reasonOf Says what is wrong with an unknown field of an object.
 */
export function knownFields<const Entries extends v.ObjectEntries>(
  entries: Entries,
  reasonOf: (object: Readonly<Record<string, unknown>>) => string,
): Schema<FieldsOf<Entries>> {
  const known = fields(entries);
  return {
    ...known,
    '~run': (dataset, config) => {
      const input = dataset.value;
      const result = known['~run'](dataset, config);
      if (!isObject(input)) return result;
      const unknown = Object.entries(input).filter(([name]) => !Object.hasOwn(entries, name));
      const naming = v.rawCheck<FieldsOf<Entries>>(({ addIssue }) => {
        for (const [key, value] of unknown) {
          const path = [{ type: 'object', origin: 'key', input: { ...input }, key, value }] as const;
          addIssue({ expected: unknownField, message: reasonOf(input), path: [...path] });
        }
      });
      return naming['~run'](result, config);
    },
  };
}

/** What an issue expects in place of an unknown field. */
export const unknownField = 'no such field';

/** The one of two shapes that a value is meant to have, so that its faults are those of this shape. */
export function either<First, Second>(
  shapes: readonly [Schema<First>, Schema<Second>],
  isFirst: (value: unknown) => boolean,
): Schema<First | Second> {
  const [first, second] = shapes;
  return {
    ...v.union(shapes),
    '~run': (dataset, config) => (isFirst(dataset.value) ? first : second)['~run'](dataset, config),
  };
}

/** What is wrong with a value of the right type: of itself, or of one of its fields. */
export type ValueFault = string | { readonly field: string; readonly reason: string };

/** A schema with a further condition. @param faultOf Says why a value does not meet it. */
export function checked<T>(schema: Schema<T>, faultOf: (value: T) => ValueFault | undefined): Schema<T> {
  return v.pipe(
    schema,
    v.rawCheck(({ dataset, addIssue }) => {
      const fault = dataset.typed ? faultOf(dataset.value) : undefined;
      if (fault === undefined) return;
      if (typeof fault === 'string') addIssue({ message: fault });
      else {
        const { field: key, reason: message } = fault;
        addIssue({ message, path: [{ type: 'object', origin: 'value', input: {}, key, value: undefined }] });
      }
    }),
  );
}

/** Makes the required fields that an object does not have `undefined`: then their own schemas say what they expect. */
function withMissing(
  entries: v.ObjectEntries,
): v.TransformAction<Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>> {
  const missing: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries(entries).flatMap(([name, { type }]) =>
      type === 'exact_optional' ? [] : [[name, undefined]],
    ),
  );
  return v.transform((object) => ({ ...missing, ...object }));
}

/** Whether a value is an object, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
