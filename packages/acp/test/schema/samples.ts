import type { OfficialSchema, SchemaNode } from './official-schema.ts';

/** Numbers from 0 to 1, the same for the same seed. */
export type Random = () => number;

/** Mulberry32: small, and good enough to choose samples. */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A value of the type, or nearly: with every other one, something in it is broken. */
export function createSample(schema: OfficialSchema, type: string, random: Random): unknown {
  const sample = grow(schema, { $ref: `#/$defs/${type}` }, random);
  const times = random() < 0.5 ? 0 : 1 + Math.floor(random() * 3);
  let broken = sample;
  for (let time = 0; time < times; time++) broken = breakSomewhere(broken, random);
  return broken;
}

function grow(schema: OfficialSchema, node: SchemaNode, random: Random): unknown {
  if (node.$ref !== undefined) return grow(schema, find(schema, node.$ref), random);
  let value: unknown;
  const choices = node.oneOf ?? node.anyOf;
  if (choices !== undefined) value = grow(schema, pick(choices, random), random);
  for (const part of node.allOf ?? []) value = merge(value, grow(schema, part, random));
  if (node.properties !== undefined) value = merge(value, growObject(schema, node, random));
  return value === undefined ? growPlain(schema, node, random) : value;
}

function growObject(schema: OfficialSchema, node: SchemaNode, random: Random): object {
  const grown: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(node.properties ?? {})) {
    const required = node.required?.includes(name) ?? false;
    if (required || random() < 0.6) grown[name] = grow(schema, property, random);
  }
  const extra = pick(extras, random);
  if (random() < 0.15) grown[extra] ??= pick(oddities, random);
  return grown;
}

function growPlain(schema: OfficialSchema, node: SchemaNode, random: Random): unknown {
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return pick(node.enum, random);
  const types = typeof node.type === 'string' ? [node.type] : (node.type ?? ['any']);
  switch (pick(types, random)) {
    case 'null':
      return null;
    case 'boolean':
      return random() < 0.5;
    case 'string':
      if (node.format === 'uri') return pick(uris, random);
      return pick(node.minLength === undefined ? strings : strings.filter((each) => each !== ''), random);
    case 'integer':
      return pick(integers[node.format ?? ''] ?? [0], random);
    case 'number':
      return pick([0, -1.5, 1e6, 3], random);
    case 'array':
      return Array.from({ length: Math.floor(random() * 4) }, () => grow(schema, node.items ?? {}, random));
    case 'object':
      if (typeof node.additionalProperties !== 'object') return pick(objects, random);
      return Object.fromEntries(
        ['a', 'b']
          .slice(Math.floor(random() * 3))
          .map((key) => [key, grow(schema, node.additionalProperties as SchemaNode, random)]),
      );
    default:
      return pick(oddities, random);
  }
}

/** Null more often than the others: it is the one that peers send. */
function oddity(random: Random): unknown {
  return random() < 0.2 ? null : pick(oddities, random);
}

function breakSomewhere(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.1) return oddity(random);
  const keys = Object.keys(value);
  if (keys.length === 0) return pick(oddities, random);
  const key = pick(keys, random);
  const inner: unknown = Reflect.get(value, key);
  const goDeeper = typeof inner === 'object' && inner !== null && random() < 0.6;
  const changed = goDeeper ? breakSomewhere(inner, random) : oddity(random);
  if (Array.isArray(value)) return value.map((item: unknown, at) => (String(at) === key ? changed : item));
  const copy: Record<string, unknown> = { ...value };
  if (!goDeeper && random() < 0.25) delete copy[key];
  else copy[key] = changed;
  return copy;
}

const strings = ['', 'text', 'select', 'a/ü/\u{1f980}', 'cancelled', '/abs/path'];
const uris = ['https://example.com/a?b=1', 'http://[::1]:8080/', 'custom:thing'];
const objects = [{}, { key: 'value', nested: { deep: [null] } }];
/** Keys which mean something elsewhere. */
const extras = ['extra', 'value', 'text', 'group', 'type', 'error'];

/** What belongs nowhere in particular. */
export const oddities: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 40,
  70_000,
  '',
  'unknown',
  'other',
  'boolean',
  'weird',
  'text',
  [],
  ['x'],
  [1],
  [null],
  {},
  { type: 'text', text: 'hello' },
  { type: 'weird', id: 'i', name: 'n' },
  { state: 'weird' },
];
const integers: Readonly<Record<string, readonly number[]>> = {
  uint16: [0, 1, 65_535],
  uint32: [0, 7, 4_294_967_295],
  uint64: [0, 12, 2 ** 53 + 2],
  int32: [-32_000, 0, 2_147_483_647],
  int64: [-5, 0, 2 ** 53],
};

function find(schema: OfficialSchema, ref: string): SchemaNode {
  const node = schema.$defs[ref.replace('#/$defs/', '')];
  if (node === undefined) throw new Error(`nothing at ${ref}`);
  return node;
}

function merge(left: unknown, right: unknown): unknown {
  const both = typeof left === 'object' && left !== null && typeof right === 'object' && right !== null;
  return both ? { ...left, ...right } : (right ?? left);
}

function pick<T>(from: readonly T[], random: Random): T {
  const picked = from[Math.floor(random() * from.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
}
