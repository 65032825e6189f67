/** A JSON object that is read field by field. What is wrong is named with its place, and reading goes on. */
export interface EntryReader {
  /** The object as it is; empty when it was none. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** Text, when the field is there and holds nothing else. */
  text(name: string): string | undefined;
  /** The same for a field that has to be there; empty when it is wrong, which was named then. */
  required(name: string, pattern?: RegExp, what?: string): string;
  texts(name: string): readonly string[] | undefined;
  textByName(name: string): Readonly<Record<string, string>> | undefined;
  object(name: string): EntryReader | undefined;
  /** Names the fields that are none of these. */
  only(names: readonly string[]): void;
  /** Names a fault in one field. */
  fault(name: string, why: string): void;
}

/** Begins to read; faults go to the list. */
export function readEntry(value: unknown, place: string, faults: string[]): EntryReader {
  const raw = toRecord(value);
  if (raw === undefined) faults.push(`${place === '' ? 'the entry' : place}: expected an object`);
  return createReader(raw ?? {}, place, faults);
}

function createReader(raw: Readonly<Record<string, unknown>>, place: string, faults: string[]): EntryReader {
  const fault = (name: string, why: string): void => {
    faults.push(`${place === '' ? name : `${place}.${name}`}: ${why}`);
  };
  /** The value when it is of the kind; absent and wrong values are undefined, wrong ones are named. */
  const read = <Value>(
    name: string,
    what: string,
    check: (value: unknown) => Value | undefined,
  ): Value | undefined => {
    if (!Object.hasOwn(raw, name)) return undefined;
    const value = check(raw[name]);
    if (value === undefined) fault(name, `expected ${what}`);
    return value;
  };
  return {
    raw,
    fault,
    text: (name) => read(name, 'text that is not empty', toWord),
    required: (name, pattern = /./su, what = 'text that is not empty') => {
      if (!Object.hasOwn(raw, name)) fault(name, 'is missing');
      return (
        read(name, what, (value) => {
          const word = toWord(value);
          return word !== undefined && pattern.test(word) ? word : undefined;
        }) ?? ''
      );
    },
    texts: (name) => read(name, 'a list of texts', toTexts),
    textByName: (name) => read(name, 'an object of texts', toTextByName),
    object: (name) => {
      const value = read(name, 'an object', toRecord);
      return value === undefined
        ? undefined
        : createReader(value, place === '' ? name : `${place}.${name}`, faults);
    },
    only: (names) => {
      for (const name of Object.keys(raw)) if (!names.includes(name)) fault(name, 'means nothing here');
    },
  };
}

function toRecord(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

function toWord(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function toTexts(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  const texts = items.filter((item) => typeof item === 'string');
  return texts.length === items.length ? texts : undefined;
}

function toTextByName(value: unknown): Record<string, string> | undefined {
  const record = toRecord(value);
  if (record === undefined) return undefined;
  const texts = Object.entries(record).flatMap(([name, text]): [string, string][] =>
    typeof text === 'string' ? [[name, text]] : [],
  );
  return texts.length === Object.keys(record).length ? Object.fromEntries(texts) : undefined;
}
