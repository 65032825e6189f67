/**
 * Opens the worktrees of a race in parallel. If one cannot be opened, the race does not start, and empty worktrees
 * are removed: a worktree is disposed of unless `keep` was called.
 */
export async function openTogether<Place extends AsyncDisposable & { keep(): void }>(
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
