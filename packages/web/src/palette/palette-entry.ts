/** Under which heading an entry stands, in the order of the headings. */
export const paletteGroups = ['session', 'commands', 'sessions', 'begin', 'go', 'look', 'search'] as const;

/** Under which heading an entry stands. */
export type PaletteGroup = (typeof paletteGroups)[number];

/** Something that can be done, or a place to go to. */
export interface PaletteEntry {
  /** Unlike that of any other. */
  readonly id: string;
  readonly group: PaletteGroup;
  readonly label: string;
  /** Additional text that is shown and searched. */
  readonly note?: string;
  readonly run: () => void;
}

/** How many entries of a group to show before a search, and during one. */
export interface PaletteLengths {
  readonly first: number;
  readonly found: number;
}

/**
 * The entries that contain each word of the query, by group; those that start with it come first. Entries that open
 * another search are always included, last.
 */
export function findEntries(
  entries: readonly PaletteEntry[],
  query: string,
  { first, found }: PaletteLengths,
): readonly PaletteEntry[] {
  const wanted = query.trim().toLowerCase();
  const words = wanted.split(/\s+/u);
  const isMeant = ({ group, label, note = '' }: PaletteEntry): boolean => {
    const text = `${label} ${note}`.toLowerCase();
    return group === 'search' || words.every((word) => text.includes(word));
  };
  const begins = ({ label }: PaletteEntry): boolean => label.toLowerCase().startsWith(wanted);
  const meant = entries.filter(isMeant);
  return paletteGroups.flatMap((group) =>
    meant
      .filter((entry) => entry.group === group)
      .toSorted((left, right) => Number(begins(right)) - Number(begins(left)))
      .slice(0, wanted === '' ? first : found),
  );
}
