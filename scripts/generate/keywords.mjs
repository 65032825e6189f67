/** What the generator understands of JSON Schema, and what says nothing about a value. */
const known = new Set(
  `$defs $ref type const enum format minLength minimum maximum default
  properties required additionalProperties unevaluatedProperties items allOf anyOf oneOf not discriminator
  $schema title description x-docs-ignore x-side x-method
  x-deserialize-default-on-error x-deserialize-default-on-null x-deserialize-skip-invalid-items`.split(/\s+/),
);

/** Ranges which the formats of integers imply. */
const ranges = { uint16: [0, 65_535], uint32: [0], uint64: [0], int32: [], int64: [] };

/** A newer schema may say what the generator would pass over in silence. */
export function checkKeywords(node, place = '#') {
  const strange = Object.keys(node).filter((keyword) => !known.has(keyword));
  if (strange.length > 0) throw new Error(`${place} has unexpected keywords: ${strange.join(', ')}`);
  const [least, most] = ranges[node.format] ?? [];
  if (node.minimum !== least || node.maximum !== most) throw new Error(`${place} has a range of its own`);

  const named = ['$defs', 'properties'].flatMap((keyword) => inside(node[keyword], keyword));
  const listed = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => inside(node[keyword], keyword));
  const single = ['items', 'additionalProperties', 'not'].map((keyword) => [keyword, node[keyword]]);
  for (const [path, inner] of [...named, ...listed, ...single]) {
    if (typeof inner === 'object') checkKeywords(inner, `${place}/${path}`);
  }
}

function inside(parts, keyword) {
  return Object.entries(parts ?? {}).map(([name, inner]) => [`${keyword}/${name}`, inner]);
}
