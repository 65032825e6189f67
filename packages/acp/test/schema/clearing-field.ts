import type { OfficialSchema } from './official-schema.ts';

/**
 * The fields whose `null` is no absence, by what the official schema says of them in prose: patches, in which
 * absent means "as it was" and null means "gone".
 */
export function findClearingFields(schema: OfficialSchema): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [type, node] of Object.entries(schema.$defs)) {
    const patched = /(.*) have patch semantics/.exec(node.description ?? '')?.[1] ?? '';
    for (const [name, property] of Object.entries(node.properties ?? {})) {
      const said = property.description ?? '';
      if (
        patched.includes(`\`${name}\``) ||
        /set to null to clear|`null`[^.]* (clears|removes) /i.test(said)
      ) {
        found.add(`${type}.${name}`);
      }
    }
  }
  return found;
}
