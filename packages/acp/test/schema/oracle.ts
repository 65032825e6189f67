import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OfficialSchema, SchemaNode } from './official-schema.ts';
import { choicesOf, isUnknownText, knownTags, tagOf, withOurRules } from './rules.ts';

/** What is to become of a value: whether the schema takes it, and what we hand on. */
export interface Judgement {
  /** By the letter of the official schema, as it came, and none of our rules has anything to say. */
  readonly literal: boolean;
  /** After salvage, by the official schema with our rules. */
  readonly accepted: boolean;
  /** What a parser returns if it is accepted. */
  readonly value: unknown;
}

/** Judges values by the official schema, with Ajv and a small interpreter of the salvage keywords. */
export interface Oracle {
  judge(type: string, value: unknown): Judgement;
}

const absent = Symbol('absent');
type Place = string;

/**
 * The interpreter follows serde_with, from which the keywords come. A list keeps its valid items
 * (`skip-invalid-items`). Then an invalid field is as if it were absent, or empty where it is required
 * (`default-on-error`); so is a null (`default-on-null`). Absence itself is never salvaged.
 */
export function createOracle(official: OfficialSchema, clears: ReadonlySet<string>): Oracle {
  const schema = withOurRules(official);
  const letter = createAjv(official, 'letter');
  const ours = createAjv(schema, 'ours');
  /** Where an object of the salvaged copy came from: an unknown member is handed on as it came. */
  const origins = new WeakMap<object, object>();

  return {
    judge(type, value) {
      const place = `#/$defs/${type}`;
      const salvaged = salvage(place, value);
      const accepted = isValid(ours, 'ours', place, salvaged);
      const presented = accepted ? present(place, type, salvaged) : undefined;
      const literal = isValid(letter, 'letter', place, value) && isValid(ours, 'ours', place, value);
      return { literal, accepted, value: presented };
    },
  };

  function salvage(place: Place, value: unknown): unknown {
    const node = nodeAt(schema, place);
    if (node.$ref !== undefined) return salvage(node.$ref, value);
    let out = value;
    for (const at of (node.allOf ?? []).keys()) out = salvage(`${place}/allOf/${at}`, out);
    if (Array.isArray(out) && node.items !== undefined) out = salvageList(node, place, out);
    if (isJsonObject(out)) out = salvageObject(node, place, out);
    return salvageChoice(node, place, out);
  }

  function salvageList(node: SchemaNode, place: Place, items: readonly unknown[]): unknown[] {
    const salvaged = items.map((item) => salvage(`${place}/items`, item));
    if (node['x-deserialize-skip-invalid-items'] !== true) return salvaged;
    return salvaged.filter((item) => isValid(ours, 'ours', `${place}/items`, item));
  }

  function salvageObject(node: SchemaNode, place: Place, value: Record<string, unknown>): unknown {
    const out = copyOf(value);
    for (const [name, property] of Object.entries(node.properties ?? {})) {
      if (!Object.hasOwn(out, name)) continue;
      const field = salvageField(
        property,
        `${place}/properties/${name}`,
        out[name],
        node.required?.includes(name) ?? false,
      );
      if (field === absent) delete out[name];
      else out[name] = field;
    }
    if (typeof node.additionalProperties === 'object') {
      for (const key of Object.keys(out)) out[key] = salvage(`${place}/additionalProperties`, out[key]);
    }
    return out;
  }

  function salvageField(property: SchemaNode, place: Place, value: unknown, required: boolean): unknown {
    const fallback = required ? (property.type === 'object' ? {} : []) : absent;
    if (property['x-deserialize-default-on-null'] === true && value === null) return fallback;
    const salvaged = salvage(place, value);
    if (property['x-deserialize-default-on-error'] !== true) return salvaged;
    return isValid(ours, 'ours', place, salvaged) ? salvaged : fallback;
  }

  function salvageChoice(node: SchemaNode, place: Place, value: unknown): unknown {
    if (typeof value !== 'object') return value;
    for (const [at, part] of choicePlaces(node)) {
      const salvaged = salvage(`${place}/${part}/${at}`, value);
      if (isValid(ours, 'ours', `${place}/${part}/${at}`, salvaged)) return salvaged;
    }
    return value;
  }

  /** Drops what means nothing, and wraps unknown values. */
  function present(place: Place, type: string, value: unknown): unknown {
    const node = nodeAt(schema, place);
    if (node.$ref !== undefined) return present(node.$ref, node.$ref.replace('#/$defs/', ''), value);
    let out = value;
    for (const at of (node.allOf ?? []).keys()) out = present(`${place}/allOf/${at}`, type, out);
    if (Array.isArray(out) && node.items !== undefined) {
      out = out.map((item) => present(`${place}/items`, type, item));
    }
    if (isJsonObject(out)) out = presentObject(node, place, type, out);
    return presentChoice(node, place, type, out);
  }

  function presentObject(
    node: SchemaNode,
    place: Place,
    type: string,
    value: Record<string, unknown>,
  ): unknown {
    const out = copyOf(value);
    for (const [name, property] of Object.entries(node.properties ?? {})) {
      if (!Object.hasOwn(out, name)) continue;
      const optional = !(node.required?.includes(name) ?? false);
      const meaningless = optional && admitsNull(property) && !clears.has(`${type}.${name}`);
      if (out[name] === null && meaningless) delete out[name];
      else out[name] = present(`${place}/properties/${name}`, type, out[name]);
      const came = value[name];
      if (typeof came === 'string' && isUnknownField(property, came)) out['raw'] = originOf(value);
    }
    if (typeof node.additionalProperties === 'object') {
      for (const key of Object.keys(out)) out[key] = present(`${place}/additionalProperties`, type, out[key]);
    }
    return out;
  }

  function isUnknownField(property: SchemaNode, value: string): boolean {
    const ref = property.$ref ?? property.allOf?.[0]?.$ref;
    return ref !== undefined && isUnknownText(ref.replace('#/$defs/', ''), nodeAt(schema, ref), value);
  }

  function presentChoice(node: SchemaNode, place: Place, type: string, value: unknown): unknown {
    if (isUnknownText(type, node, value)) return 'unknown';
    if (typeof value !== 'object') return value;
    const found = choicePlaces(node).find(([at, part]) =>
      isValid(ours, 'ours', `${place}/${part}/${at}`, value),
    );
    const [at = 0, part = 'anyOf'] = found ?? [];
    const choice = choicesOf(node)[at];
    if (found === undefined || choice === undefined) return value;
    const out = present(`${place}/${part}/${at}`, type, value);
    if (!isJsonObject(out)) return out;
    const tag = tagOf(node);
    if (tag !== undefined && choice.properties?.[tag]?.type === 'string' && !isKnown(node, tag, out[tag])) {
      const shared = node.properties === undefined ? {} : out;
      const marker = isKnown(node, tag, 'unknown') ? 'other' : 'unknown';
      return { ...shared, [tag]: marker, raw: originOf(value) };
    }
    // Where a key decides, its null only says "not this one".
    for (const key of choice.not?.required ?? []) if (out[key] === null) delete out[key];
    return out;
  }

  function copyOf(value: Record<string, unknown>): Record<string, unknown> {
    const copy = { ...value };
    origins.set(copy, originOf(value));
    return copy;
  }

  function originOf(value: unknown): object {
    if (typeof value !== 'object' || value === null) throw new Error('only objects have an origin');
    return origins.get(value) ?? value;
  }
}

function isKnown(node: SchemaNode, tag: string, value: unknown): boolean {
  return knownTags(node, tag).some((each) => each.properties?.[tag]?.const === value);
}

function choicePlaces(node: SchemaNode): readonly (readonly [number, 'oneOf' | 'anyOf'])[] {
  const part = node.oneOf === undefined ? 'anyOf' : 'oneOf';
  return choicesOf(node).map((_, at) => [at, part] as const);
}

function admitsNull(property: SchemaNode): boolean {
  if (Array.isArray(property.type)) return property.type.includes('null');
  return (property.anyOf ?? []).some((each) => each.type === 'null');
}

function nodeAt(schema: OfficialSchema, place: Place): SchemaNode {
  let node: unknown = schema;
  for (const step of place.split('/').slice(1)) {
    node = typeof node === 'object' && node !== null ? Reflect.get(node, step) : undefined;
  }
  if (!isJsonObject(node)) throw new Error(`nothing at ${place}`);
  return node;
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function createAjv(schema: OfficialSchema, id: string): Ajv2020 {
  const ajv = new Ajv2020({ strict: false });
  ajv.addFormat('uri', fullFormats.uri);
  ajv.addFormat('double', { type: 'number', validate: () => true });
  const limits = { uint16: [0, 65_535], uint32: [0, 4_294_967_295], int32: [-2_147_483_648, 2_147_483_647] };
  for (const [name, [least = 0, most = 0]] of Object.entries(limits)) {
    ajv.addFormat(name, { type: 'number', validate: (value: number) => value >= least && value <= most });
  }
  ajv.addFormat('uint64', { type: 'number', validate: (value: number) => value >= 0 });
  ajv.addFormat('int64', { type: 'number', validate: () => true });
  ajv.addSchema({ $id: id, $defs: schema.$defs });
  return ajv;
}

const compiled = new WeakMap<Ajv2020, Map<string, ValidateFunction>>();

function isValid(ajv: Ajv2020, id: string, place: Place, value: unknown): boolean {
  const cache = compiled.get(ajv) ?? new Map<string, ValidateFunction>();
  compiled.set(ajv, cache);
  let validate = cache.get(place);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `${id}${place}` });
    cache.set(place, validate);
  }
  return validate(value);
}
