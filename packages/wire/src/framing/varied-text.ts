type Fields = Readonly<Record<string, unknown>>;

/** Values that differ in one text: the pieces of an answer, for example. Of one more, only that text is read or written. */
export class VariedText {
  /** The JSON before the text, with its opening quote. */
  readonly head: string;
  /** The JSON behind the text, with its closing quote. */
  readonly tail: string;
  readonly #before: string;
  readonly #behind: string;
  /** The objects around the text, the innermost first, and the field that leads to it. */
  readonly #around: readonly Step[];

  private constructor(around: readonly Step[], head: string, tail: string) {
    this.#around = around;
    this.head = head;
    this.tail = tail;
    this.#before = head.slice(0, -1);
    this.#behind = tail.slice(1);
  }

  /** What two values have in common that came one after the other; undefined when they differ in something else too. */
  static between(before: unknown, value: unknown, json: string): VariedText | undefined {
    const around = stepsToDifference(before, value);
    // Only what is written as we write JSON: no field twice, and no spaces.
    if (around === undefined || json !== JSON.stringify(value)) return undefined;
    return VariedText.#of(around);
  }

  /** A value whose last text may be another one: that of a chunk, for example. Undefined where it has more than one object at a level. */
  static in(value: unknown, json: string): VariedText | undefined {
    const around = stepsToLastText(value);
    const varied = around && VariedText.#of(around);
    // A getter, or a method that writes JSON, may give something else each time.
    return varied?.write(value) === json ? varied : undefined;
  }

  static #of(around: readonly Step[]): VariedText | undefined {
    if (around.length === 0) return undefined;
    const empty = JSON.stringify(withText(around, ''));
    const other = JSON.stringify(withText(around, 'x'));
    let at = 0;
    while (empty.charCodeAt(at) === other.charCodeAt(at)) at += 1;
    return new VariedText(around, empty.slice(0, at), empty.slice(at));
  }

  /** The value with this text. */
  with(text: string): unknown {
    return withText(this.#around, text);
  }

  /** The JSON of a value; undefined if it differs in more than the text. */
  write(value: unknown): string | undefined {
    let inside = value;
    for (let depth = this.#around.length - 1; depth >= 0; depth -= 1) {
      const step = this.#around[depth];
      if (step === undefined || !isPlain(inside)) return undefined;
      const { names, values, at } = step;
      let index = 0;
      let inner: unknown;
      for (const name in inside) {
        if (name !== names[index]) return undefined;
        const field = inside[name];
        if (index === at) inner = field;
        else if (field !== values[index]) return undefined;
        index += 1;
      }
      if (index !== names.length) return undefined;
      inside = inner;
    }
    if (typeof inside !== 'string') return undefined;
    return `${this.#before}${JSON.stringify(inside)}${this.#behind}`;
  }
}

interface Step {
  readonly object: Fields;
  readonly name: string;
  /** The fields of the object, in order, and their values. */
  readonly names: readonly string[];
  readonly values: readonly unknown[];
  /** Which of them leads to the text. */
  readonly at: number;
}

function toStep(object: Fields, name: string): Step {
  const names = Object.keys(object);
  // The text itself is not held on to, however long it is.
  const around = withField(object, name, '');
  return { object: around, name, names, values: Object.values(around), at: names.indexOf(name) };
}

function withText(around: readonly Step[], text: string): unknown {
  let value: unknown = text;
  for (const { object, name } of around) value = withField(object, name, value);
  return value;
}

/** A copy that has the shape that parsed values have: readers of them are quicker with few shapes. */
export function withField(object: Fields, name: string, value: unknown): Fields {
  const copy: Record<string, unknown> = { ...object };
  copy[name] = value;
  return copy;
}

/** The way to the one text in which two values differ, from the inside. */
function stepsToDifference(before: unknown, value: unknown): readonly Step[] | undefined {
  if (typeof before === 'string' && typeof value === 'string') return [];
  if (!isFields(before) || !isFields(value)) return undefined;
  const names = Object.keys(value);
  if (names.join() !== Object.keys(before).join()) return undefined;
  // Only one of them may be an object: the others are shared by all copies.
  const [name, ...others] = names.filter((each) => isObject(value[each]) || before[each] !== value[each]);
  if (name === undefined || name === '__proto__' || others.length > 0) return undefined;
  const inside = stepsToDifference(before[name], value[name]);
  return inside && [...inside, toStep(value, name)];
}

/** The way to the text in the innermost object, from the inside. */
function stepsToLastText(value: unknown): readonly Step[] | undefined {
  if (!isPlain(value)) return undefined;
  const names = Object.keys(value);
  if (!names.every((name) => name !== '__proto__' && isSimple(value[name]))) return undefined;
  const [name, ...others] = names.filter((each) => isObject(value[each]));
  if (others.length > 0) return undefined;
  if (name === undefined) {
    const text = names.findLast((each) => typeof value[each] === 'string');
    return text === undefined ? undefined : [toStep(value, text)];
  }
  const inside = stepsToLastText(value[name]);
  return inside && [...inside, toStep(value, name)];
}

/** Whether JSON has the value as it is. Objects are looked at by themselves. */
function isSimple(value: unknown): boolean {
  return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint';
}

/** Whether JSON of an object is that of its fields: not a list, and nothing with methods. */
function isPlain(value: unknown): value is Fields {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function isFields(value: unknown): value is Fields {
  return isObject(value) && !Array.isArray(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
