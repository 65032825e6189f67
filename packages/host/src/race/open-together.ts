/** A resource that is disposed of unless `keep` was called. */
interface Kept extends AsyncDisposable {
  keep(): void;
}

/**
 * Opens the worktrees of a race in parallel. If one cannot be opened, the race does not start, and empty worktrees
 * are removed.
 */
export async function openTogether<Place extends Kept>(
  opening: readonly Promise<Place>[],
): Promise<readonly Place[]> {
  const opened = await Promise.allSettled(opening);
  const places = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  for (const each of opened) {
    if (each.status === 'fulfilled') continue;
    await Promise.all(places.map((place) => place[Symbol.asyncDispose]()));
    throw each.reason;
  }
  for (const place of places) place.keep();
  return places;
}
