import type { OfficialSchema, SchemaNode } from './official-schema.ts';

/**
 * Where we mean to differ from the letter of the official schema, said once more and independently of the
 * generator, as a changed schema:
 *
 * - a union of tagged members is open: a member with an unknown tag is valid;
 * - so is a closed enumeration where a field is required: an unknown text is valid;
 * - a known tag decides: a malformed member is never taken for the one without a tag;
 * - where a key decides (`text` or `blob`), the first member whose key is there (and not null) decides;
 * - what a whole message carries is not looked at where an extension may stand, as it may be anything.
 */
export function withOurRules(schema: OfficialSchema): OfficialSchema {
  const $defs: Record<string, SchemaNode> = {};
  for (const [name, node] of Object.entries(schema.$defs)) $defs[name] = changed(name, node);
  for (const name of growing) {
    const node = schema.$defs[name];
    if (node !== undefined) $defs[name] = { ...node, oneOf: [...choicesOf(node), anyOtherText(node)] };
  }
  return { ...schema, $defs };
}

/** Closed enumerations that stand in required fields. */
const growing: ReadonlySet<string> = new Set([
  'PermissionOptionKind',
  'PlanEntryPriority',
  'PlanEntryStatus',
  'StopReason',
]);

/** Whether the type is an enumeration that we leave open, and the value none of those it lists. */
export function isUnknownText(type: string, node: SchemaNode, value: unknown): boolean {
  return growing.has(type) && !choicesOf(node).some((choice) => choice.const === value);
}

function anyOtherText(node: SchemaNode): SchemaNode {
  return { type: 'string', not: { enum: choicesOf(node).map((choice) => String(choice.const)) } };
}

/** Keys which decide, by the type whose second member has to stand back. */
const decidingKeys: Readonly<Record<string, string>> = {
  EmbeddedResourceResource: 'text',
  ElicitationFormMode: 'sessionId',
  ElicitationUrlMode: 'sessionId',
};

function changed(name: string, node: SchemaNode): SchemaNode {
  const key = decidingKeys[name];
  if (key !== undefined) return { ...node, ...second(node, hasKey(key)) };
  if (name === 'SessionConfigSelectOptions') return { ...node, ...second(node, startsWithValue) };
  if (name === 'ProxyRequest') return withParams(node, (params) => second(params, hasKey('protocolVersion')));
  if (/^(Agent|Client|Proxy)(Request|Response|Notification)$/.test(name)) return withAnyContent(node);
  const tag = tagOf(node);
  if (tag === undefined) return node;
  const open = node.discriminator === undefined ? [] : [anyOther(node, tag)];
  if (node.oneOf !== undefined) return { ...node, oneOf: [...node.oneOf, ...open] };
  return { ...node, anyOf: choicesOf(node).map((choice) => stricter(name, node, choice, tag)) };
}

function stricter(name: string, node: SchemaNode, choice: SchemaNode, tag: string): SchemaNode {
  if (choice.properties?.[tag]?.const !== undefined) return choice;
  if (name === 'CreateElicitationRequest') return { ...choice, ...second(choice, hasKey('sessionId')) };
  return choice.not === undefined ? { ...choice, not: { anyOf: knownTags(node, tag) } } : choice;
}

/** The key whose constants distinguish the members of a union. */
export function tagOf(node: SchemaNode): string | undefined {
  for (const choice of choicesOf(node)) {
    for (const [key, property] of Object.entries(choice.properties ?? {})) {
      if (property.const !== undefined) return key;
    }
  }
  return undefined;
}

/** The members of a union. */
export function choicesOf(node: SchemaNode): readonly SchemaNode[] {
  return node.oneOf ?? node.anyOf ?? [];
}

/** What accepts the known tags only. */
export function knownTags(node: SchemaNode, tag: string): SchemaNode[] {
  return choicesOf(node)
    .filter((choice) => choice.properties?.[tag]?.const !== undefined)
    .map((choice) => ({
      required: [tag],
      properties: { [tag]: { const: choice.properties?.[tag]?.const ?? '' } },
    }));
}

function anyOther(node: SchemaNode, tag: string): SchemaNode {
  return {
    type: 'object',
    required: [tag],
    properties: { [tag]: { type: 'string' } },
    not: { anyOf: knownTags(node, tag) },
  };
}

function second(node: SchemaNode, first: SchemaNode): { readonly anyOf: readonly SchemaNode[] } {
  return { anyOf: choicesOf(node).map((choice, at) => (at === 0 ? choice : { ...choice, not: first })) };
}

function hasKey(key: string): SchemaNode {
  return { type: 'object', required: [key], properties: { [key]: { not: { type: 'null' } } } };
}

const startsWithValue: SchemaNode = { type: 'array', prefixItems: [hasKey('value')] };

function withParams(node: SchemaNode, change: (params: SchemaNode) => SchemaNode): SchemaNode {
  const choices = node.properties?.['params']?.anyOf ?? [];
  const params = { anyOf: choices.map((choice) => (choice.type === 'null' ? choice : change(choice))) };
  return { ...node, properties: { ...node.properties, params } };
}

function withAnyContent(node: SchemaNode): SchemaNode {
  const properties = Object.entries(node.properties ?? {}).map(([name, property]): [string, SchemaNode] => {
    const carried = name === 'params' ? property.anyOf?.[0] : property;
    return [name, carried?.anyOf?.some(isExtension) === true ? {} : property];
  });
  return {
    ...node,
    ...(node.properties !== undefined && { properties: Object.fromEntries(properties) }),
    ...(node.anyOf !== undefined && { anyOf: node.anyOf.map(withAnyContent) }),
  };
}

function isExtension(choice: SchemaNode): boolean {
  return /\/(Ext(Request|Response|Notification)|ProxySuccessorResponse)$/.test(choice.allOf?.[0]?.$ref ?? '');
}
