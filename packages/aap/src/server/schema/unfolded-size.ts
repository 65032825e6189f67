import { isJsonObject } from '@parley/wire';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from './schema-keywords.ts';

/**
 * How many schemas a schema comes to when each reference is replaced by what it leads to: what it costs to apply it. Infinite
 * where references go round in a circle, or lead to what is not in the document.
 */
export function unfoldedSize(schema: unknown): number {
  return sizeOf(schema, { root: schema, known: new Map() });
}

interface Document {
  readonly root: unknown;
  /** Infinite while it is being found out: who comes by again goes round in a circle. */
  readonly known: Map<unknown, number>;
}

function sizeOf(schema: unknown, document: Document): number {
  if (!isJsonObject(schema)) return 1;
  const known = document.known.get(schema);
  if (known !== undefined) return known;
  document.known.set(schema, Infinity);
  let size = 1;
  for (const part of partsOf(schema, document.root)) size += sizeOf(part, document);
  document.known.set(schema, size);
  return size;
}

function partsOf(schema: Readonly<Record<string, unknown>>, root: unknown): readonly unknown[] {
  return Object.entries(schema).flatMap(([keyword, value]): readonly unknown[] => {
    if (keyword === '$ref') return [targetOf(value, root)];
    // What they lead to depends on the way there.
    if (keyword === '$dynamicRef' || keyword === '$recursiveRef') return [schema];
    // They cost nothing unless something refers to them.
    if (keyword === '$defs' || keyword === 'definitions') return [];
    if (schemaMapKeywords.has(keyword)) return isJsonObject(value) ? Object.values(value) : [];
    if (schemaListKeywords.has(keyword) || schemaKeywords.has(keyword)) {
      return Array.isArray(value) ? value : [value];
    }
    return [];
  });
}

/** What a JSON Pointer leads to; the root itself, and so a circle, for any other reference. */
function targetOf(reference: unknown, root: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return root;
  let target = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(target)) target = target[Number(key)];
    else target = isJsonObject(target) && Object.hasOwn(target, key) ? target[key] : root;
  }
  return target;
}
