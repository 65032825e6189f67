/** Writes tests of values which need no function of their own. */

/** An expression which is true of values of the shape. */
export function holds(shape, given) {
  switch (shape.kind) {
    case 'null':
      return `${given} === null`;
    case 'list':
      return `Array.isArray(${given}) && ${given}.every((item) => ${holds(shape.item, 'item')})`;
    case 'record':
      return `isObject(${given})`;
    case 'integer':
      return `${integers[shape.format].test}(${given})`;
    case 'string':
    case 'number':
    case 'boolean':
      return `typeof ${given} === '${shape.kind}'`;
    default:
      throw new Error(`nothing tests in place whether a value is ${shape.kind}`);
  }
}

/** An expression which is true of anything else. */
export function fails(shape, given) {
  const wrong = holds(shape, given).replace(/^typeof (.*) === /, 'typeof $1 !== ');
  const test = wrong.startsWith('typeof') ? wrong : `!${wrong}`;
  if (shape.minLength === 1) return `${test} || ${given}.length === 0`;
  if (shape.minLength !== undefined) throw new Error('unexpected minimum length');
  if (shape.format === 'uri') return `${test} || !URL.canParse(${given})`;
  return test;
}

/** What to say where one belongs. */
export function expected(shape) {
  switch (shape.kind) {
    case 'string':
      if (shape.format === 'uri') return 'a URL';
      return shape.minLength === 1 ? 'a string which is not empty' : 'a string';
    case 'integer':
      return integers[shape.format].said;
    case 'list':
      return shape.item.kind === 'string' ? 'a list of strings' : 'a list';
    case 'null':
      return 'null';
    case 'record':
      return 'an object';
    default:
      return `a ${shape.kind}`;
  }
}

/** `a, b or c`. */
export function oneOf(words) {
  return words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

const integers = {
  uint16: { test: 'isUint16', said: 'a whole number of 16 bits' },
  uint32: { test: 'isUint32', said: 'a whole number of 32 bits' },
  int32: { test: 'isInt32', said: 'a whole number of 32 bits' },
  uint64: { test: 'isUint64', said: 'a whole number from 0' },
  int64: { test: 'isInt64', said: 'a whole number' },
};
