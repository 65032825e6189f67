/** Where a card is. */
export interface Position {
  /** What is before it. */
  readonly before: string;
  /** Since when it is there. */
  readonly since: number;
}

/** Where the cards are after the list has changed. */
export function positionsAfter(
  positions: ReadonlyMap<string, Position>,
  ids: readonly string[],
  now: number,
): ReadonlyMap<string, Position> {
  return new Map(
    ids.map((id, index) => {
      const before = ids.slice(0, index).join('\n');
      const position = positions.get(id);
      return [id, position?.before === before ? position : { before, since: now }];
    }),
  );
}

/** The positions of the cards after some of them have moved. */
export function positionsAfterMove(
  positions: ReadonlyMap<string, Position>,
  moved: readonly string[],
  now: number,
): ReadonlyMap<string, Position> {
  const after = new Map(positions);
  for (const id of moved) {
    const position = after.get(id);
    if (position !== undefined) after.set(id, { ...position, since: now });
  }
  return after;
}
