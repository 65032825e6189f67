type Fields = Readonly<Record<string, unknown>>;

/** Values that differ in one text: the pieces of an answer, for example. Of one more, only that text is parsed. */
export class VariedText {
  /** The JSON before the text, with its opening quote. */
  readonly head: string;
  /** The JSON behind the text, with its closing quote. */
  readonly tail: string;
  /** The objects around the text, the innermost first, and the field that leads to it. */
  readonly #around: readonly Step[];

  private constructor(around: readonly Step[], head: string, tail: string) {
    this.#around = around;
    this.head = head;
    this.tail = tail;
  }

  /** What two values have in common that came one after the other; undefined when they differ in something else too. */
  static between(before: unknown, value: unknown, json: string): VariedText | undefined {
    const around = stepsToDifference(before, value);
    // Only what is written as we write JSON: no field twice, and no spaces.
    if (around === undefined || around.length === 0 || json !== JSON.stringify(value)) return undefined;
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
}

interface Step {
  readonly object: Fields;
  readonly name: string;
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
  // The text itself is not held on to, however long it is.
  return inside && [...inside, { object: withField(value, name, ''), name }];
}

function isFields(value: unknown): value is Fields {
  return isObject(value) && !Array.isArray(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
