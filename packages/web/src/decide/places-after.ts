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
