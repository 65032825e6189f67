/** Where a card is. */
export interface Place {
  /** What is before it. */
  readonly before: string;
  /** Since when it is there. */
  readonly since: number;
}

/** Where the cards are after the list has changed. */
export function placesAfter(
  places: ReadonlyMap<string, Place>,
  ids: readonly string[],
  now: number,
): ReadonlyMap<string, Place> {
  return new Map(
    ids.map((id, index) => {
      const before = ids.slice(0, index).join('\n');
      const place = places.get(id);
      return [id, place?.before === before ? place : { before, since: now }];
    }),
  );
}

/** Where the cards are after some of them have moved. */
export function placesAfterMove(
  places: ReadonlyMap<string, Place>,
  moved: readonly string[],
  now: number,
): ReadonlyMap<string, Place> {
  const after = new Map(places);
  for (const id of moved) {
    const place = after.get(id);
    if (place !== undefined) after.set(id, { ...place, since: now });
  }
  return after;
}
