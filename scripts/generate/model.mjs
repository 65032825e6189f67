import { checkKeywords } from './keywords.mjs';
import { baseName, hoisted, memberName, nullClears, together, unknownTag } from './names.mjs';

/**
 * The schema as we think of it: one entry for each type we write.
 *
 * @typedef {Readonly<Record<string, Definition>>} Model
 *
 * @typedef {{ kind: 'any' } | { kind: 'string', minLength?: number, format?: string } | { kind: 'const', value: string }
 *   | { kind: 'boolean' } | { kind: 'number' } | { kind: 'integer', format: string } | { kind: 'null' }
 *   | { kind: 'ref', name: string } | { kind: 'list', item: Shape } | { kind: 'record', value: Shape }} Shape
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {Shape} shape without null
 * @property {boolean} required
 * @property {boolean} nullable
 * @property {boolean} clears null means something
 * @property {boolean} onError `x-deserialize-default-on-error`
 * @property {boolean} onNull `x-deserialize-default-on-null`
 * @property {boolean} skips `x-deserialize-skip-invalid-items`
 *
 * @typedef {{ kind: 'alias', shape: Shape }
 *   | { kind: 'enum', values: readonly (string | number)[], open: boolean, growing?: true }
 *   | { kind: 'scalars', shapes: readonly Shape[] }
 *   | { kind: 'lists', items: readonly string[], key: string }
 *   | { kind: 'object', fields: readonly Field[], includes: readonly string[], growing?: readonly string[] }
 *   | Union | Either} Definition
 *
 * @typedef {object} Member of a union
 * @property {string} name of its type
 * @property {readonly string[]} tags for a fallback, the tag that peers write although the schema has none
 * @property {readonly Field[]} fields
 * @property {readonly string[]} includes
 *
 * @typedef {object} Union whose members are distinguished by a tag
 * @property {'union'} kind
 * @property {string} tag
 * @property {readonly Field[]} fields which all members have
 * @property {string | undefined} base name of the type for these
 * @property {readonly Member[]} members
 * @property {(Member & { tag: string }) | undefined} unknown
 * @property {Member | undefined} fallback
 *
 * @typedef {object} Either one or the other, distinguished by a key that only one of them has
 * @property {'either'} kind
 * @property {readonly (Member & { key: string, nullable: boolean, named: boolean })[]} members
 */

/**
 * A closed enumeration in a required field grows: one unknown value must not invalidate the object around it. Its
 * type says `unknown` then, and the object around it (`growing`: by which fields) has the raw value.
 *
 * @returns {Model}
 */
export function buildModel(schema) {
  const definitions = schema.$defs;
  checkKeywords(schema);
  /** @type {Record<string, Definition>} */
  const model = {};
  for (const [name, node] of Object.entries(definitions)) model[name] = definition(name, node);
  for (const [name, { kind, fields: own }] of Object.entries(model)) {
    const growing = (own ?? []).filter(isGrowing).map((field) => field.name);
    if (growing.length === 0) continue;
    if (kind !== 'object') throw new Error(`${name} is no object, and has enumerations which grow`);
    if (own.some((field) => field.name === 'raw')) throw new Error(`${name}.raw is taken`);
    model[name].growing = growing;
    for (const field of own.filter(isGrowing)) model[field.shape.name].growing = true;
  }
  return model;

  function isGrowing({ required, shape: { kind, name } }) {
    const target = kind === 'ref' ? model[name] : undefined;
    return required && target?.kind === 'enum' && !target.open && target.values.length > 1;
  }

  function definition(name, node) {
    const choices = node.oneOf ?? node.anyOf;
    if (choices === undefined) {
      if (node.properties === undefined) return { kind: 'alias', shape: shape(node) };
      return { kind: 'object', fields: fields(name, node), includes: includes(node) };
    }
    if (
      choices.every((each) => 'const' in each || (isScalar(each) && each.title?.toLowerCase() === 'other'))
    ) {
      const known = choices.filter((each) => 'const' in each);
      return { kind: 'enum', values: known.map((each) => each.const), open: known.length < choices.length };
    }
    if (choices.every(isScalar)) return { kind: 'scalars', shapes: choices.map(shape) };
    if (choices.every((each) => each.type === 'array')) return lists(choices);
    if (choices.length === 1) return { kind: 'alias', shape: shape(choices[0]) };
    const tag = tagOf(choices);
    if (tag !== undefined) return union(name, node, choices, tag);
    if (!(name in hoisted)) return either(name, choices);
    const scope = hoisted[name];
    model[scope] = either(scope, choices);
    return { kind: 'object', fields: fields(name, node), includes: [scope] };
  }

  function fields(owner, node) {
    const required = node.required ?? [];
    return Object.entries(node.properties ?? {}).map(([name, property]) => ({
      name,
      shape: fieldShape(`${owner}.${name}`, property),
      required: required.includes(name),
      nullable: isNullable(property),
      clears: nullClears.has(`${owner}.${name}`),
      onError: property['x-deserialize-default-on-error'] === true,
      onNull: property['x-deserialize-default-on-null'] === true,
      skips: property['x-deserialize-skip-invalid-items'] === true,
    }));
  }

  function fieldShape(path, property) {
    const choices = property.anyOf?.filter((each) => each.type !== 'null');
    if (choices?.length !== 1) return shape(property);
    const inner = choices[0].anyOf;
    if (inner === undefined) return shape(choices[0]);
    // The params and results of whole messages: anything goes, where extensions may stand.
    if (inner.some((each) => isAnything(each))) return { kind: 'any' };
    if (inner.length === 1) return shape(inner[0]);
    if (!(path in hoisted)) throw new Error(`${path} is a union without a name: see names.mjs`);
    const name = hoisted[path];
    model[name] = either(name, inner);
    return { kind: 'ref', name };
  }

  function isAnything(node) {
    const [name] = includes(node);
    return name !== undefined && saysNothing(definitions[name]);
  }

  function includes(node) {
    return (node.allOf ?? []).map((each) => each.$ref.replace('#/$defs/', ''));
  }

  function union(name, node, choices, tag) {
    const valueOf = (choice) => choice.properties?.[tag]?.const;
    const tags = choices.map(valueOf).filter((value) => value !== undefined);
    const rest = choices.filter((choice) => valueOf(choice) === undefined);
    const other = rest.find((choice) => choice.not !== undefined);
    const untagged = rest.find((choice) => choice.not === undefined);
    const group = together[name] ?? { tags: [], tag: '' };

    /** @type {Map<string, Member>} */
    const members = new Map();
    for (const choice of choices.filter((each) => !rest.includes(each))) {
      const value = valueOf(choice);
      const called = memberName(name, group.tags.includes(value) ? group.tag : value, tags);
      const before = members.get(called)?.tags ?? [];
      members.set(called, member(called, choice, [...before, value]));
    }
    const shared = fields(name, node);
    const growing = other !== undefined || node.discriminator !== undefined;
    const spoken = growing || untagged === undefined ? [] : [untagged.title];
    return {
      kind: 'union',
      tag,
      fields: shared,
      base: shared.some((field) => field.name !== tag) ? baseName(name) : undefined,
      members: [...members.values()],
      fallback: untagged && member(memberName(name, untagged.title, tags), untagged, spoken),
      unknown: growing ? unknownMember() : undefined,
    };

    function member(called, choice, values) {
      const own = fields(name, choice).filter((field) => field.name !== tag);
      return { name: called, tags: values, fields: own, includes: includes(choice) };
    }

    function unknownMember() {
      const value = unknownTag(tags);
      const scope = other?.anyOf === undefined ? [] : [hoisted[`${name}.${other.title}`]];
      return { name: memberName(name, value, tags), tag: value, tags: [], fields: [], includes: scope };
    }
  }

  function either(name, choices) {
    const members = choices.map((choice) => {
      const [inside] = includes(choice);
      const target = inside === undefined ? choice : definitions[inside];
      const whole = target.allOf === undefined ? target : definitions[includes(target)[0]];
      return { whole, name: inside ?? `${name}${choice.title}`, named: inside !== undefined, choice };
    });
    return {
      kind: 'either',
      members: members.map(({ whole, name: member, named, choice }) => {
        const others = members.filter((each) => each.whole !== whole);
        const key = whole.required.find((each) =>
          others.every((other) => !other.whole.required.includes(each)),
        );
        if (key === undefined) throw new Error(`${name}: nothing distinguishes ${member} from the others`);
        return {
          name: member,
          named,
          key,
          nullable: admitsNull(fields(member, whole).find((field) => field.name === key)),
          tags: [],
          fields: named ? [] : fields(name, choice),
          includes: named ? [member] : [],
        };
      }),
    };
  }

  function lists(choices) {
    const items = choices.map((each) => shape(each.items).name);
    const [first, ...rest] = items.map((name) => definitions[name].required);
    const key = first.find((each) => !rest.flat().includes(each));
    return { kind: 'lists', items, key };
  }

  function admitsNull({ shape: { kind, name }, nullable }) {
    if (kind === 'ref') return (definitions[name].anyOf ?? []).some((each) => each.type === 'null');
    return kind === 'any' || nullable;
  }
}

/** The one key which is a constant in some choices and nothing else in the others. */
function tagOf(choices) {
  for (const choice of choices) {
    for (const [key, property] of Object.entries(choice.properties ?? {})) {
      if ('const' in property) return key;
    }
  }
  return undefined;
}

/** A schema that says nothing. */
function saysNothing(node) {
  return ['$ref', 'type', 'allOf', 'anyOf', 'oneOf'].every((key) => node[key] === undefined);
}

function isScalar(node) {
  return ['string', 'integer', 'number', 'boolean', 'null'].includes(node.type) || isStringList(node);
}

function isStringList(node) {
  return node.type === 'array' && node.items?.type === 'string';
}

function isNullable(node) {
  return [node.type, ...(node.anyOf ?? []).map((each) => each.type)].flat().includes('null');
}

/** @returns {Shape} */
function shape(node) {
  if (node.$ref !== undefined) return { kind: 'ref', name: node.$ref.replace('#/$defs/', '') };
  if (node.allOf !== undefined) return shape(node.allOf[0]);
  const type = Array.isArray(node.type) ? node.type.find((each) => each !== 'null') : node.type;
  switch (type) {
    case undefined:
      return { kind: 'any' };
    case 'string':
      if (node.const !== undefined) return { kind: 'const', value: node.const };
      return { kind: 'string', minLength: node.minLength, format: node.format };
    case 'integer':
      return { kind: 'integer', format: node.format };
    case 'number':
    case 'boolean':
    case 'null':
      return { kind: type };
    case 'array':
      return { kind: 'list', item: shape(node.items) };
    case 'object':
      if (node.properties !== undefined) break;
      return {
        kind: 'record',
        value: shape(typeof node.additionalProperties === 'object' ? node.additionalProperties : {}),
      };
  }
  throw new Error(`unexpected shape: ${JSON.stringify(node)}`);
}
