/**
 * Whether the client may cancel a child session after a `subagent_update`: its newest capabilities, which are replaced as a
 * whole, decide.
 *
 * @param before Whether it may be cancelled before the update.
 * @param isHistory Whether the update is replayed: then its capabilities allow nothing.
 */
export function mayCancelAfter(
  before: boolean,
  { capabilities }: { readonly capabilities?: unknown },
  isHistory: boolean,
): boolean {
  if (capabilities === undefined) return before;
  if (isHistory || typeof capabilities !== 'object' || capabilities === null) return false;
  return 'cancel' in capabilities && typeof capabilities.cancel === 'object' && capabilities.cancel !== null;
}
