import { isDeeper, mapReceived, textsOf, type Transport } from '@parley/wire';

/** Replaces a value that is nested too deeply. */
export const leftOut = 'left out: too many levels';

/** Nesting depth of a value that an agent sends. JSON is read at any depth, but written and redacted recursively. */
const maxLevels = 100;

/** Levels of a message that are kept in any case. The fields of the protocol are in fewer. */
const keptLevels = 16;

/** Characters of a text whose values cannot be nested too deeply, because each level takes two. */
const shallowChars = 2 * maxLevels;

/** A transport whose incoming messages can be written as JSON: values that are nested too deeply are replaced by a note. */
export function shallowTransport(transport: Transport): Transport {
  /** Of messages that are known to be shallow. */
  let shallow: object | undefined;
  return mapReceived(transport, (message) => {
    const texts = textsOf(message);
    if (texts?.pattern !== undefined && texts.pattern === shallow) return message;
    const text = texts?.textOf('update');
    if (text !== undefined && text.length < shallowChars) return message;
    const kept = withoutDepths(message, keptLevels);
    if (kept === message) shallow = texts?.pattern;
    return kept;
  });
}

/** @param levels How many more are kept in any case. */
function withoutDepths(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null || !isDeeper(value, maxLevels)) return value;
  if (levels === 0) return leftOut;
  if (Array.isArray(value)) return value.map((item: unknown) => withoutDepths(item, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutDepths(each, levelsIn(name, levels))]),
  );
}

/** In a field with values of the agent's own, each of them is replaced as a whole. */
function levelsIn(name: string, levels: number): number {
  if (name === 'rawInput' || name === 'rawOutput') return 0;
  return name === '_meta' ? Math.min(1, levels - 1) : levels - 1;
}
