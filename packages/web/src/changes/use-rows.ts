import { useMemo, useState } from 'react';
import { useKept } from '../parts/use-kept.ts';
import { useMedia } from '../parts/use-media.ts';
import { countReviewed, fileKey, toRows, type ChangesRow } from './rows/changes-rows.ts';
import type { LoadedChanges } from './use-changes.ts';

/** The view options of the list, and which of its rows are expanded. */
export interface ListState {
  readonly rows: readonly ChangesRow[];
  readonly cursor: { readonly key: string } | undefined;
  readonly setCursor: (cursor: { readonly key: string }) => void;
  readonly setCommented: (rowKey: string | undefined) => void;
  readonly open: (key: string, isOpen: boolean) => void;
  readonly openAll: (isOpen: boolean) => void;
  readonly layout: 'split' | 'unified';
  /** Undefined where there is no room for two sides. */
  readonly setLayout: ((layout: 'split' | 'unified') => void) | undefined;
  readonly onlyUnreviewed: boolean;
  readonly setOnlyUnreviewed: (only: boolean) => void;
  readonly counts: { readonly reviewed: number; readonly all: number };
}

/** The rows of the changes that are shown, and how they are. */
export function useRows({ diff }: LoadedChanges): ListState {
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [commented, setCommented] = useState<string>();
  const [cursor, setCursor] = useState<{ readonly key: string }>();
  const [onlyUnreviewed, setOnlyUnreviewed] = useState(false);
  const [kept, keep] = useKept('parley-diff');
  const hasRoom = useMedia('(min-width: 75rem)');
  const layout = hasRoom && kept === 'split' ? 'split' : 'unified';
  const rows = useMemo(
    () =>
      diff === undefined
        ? []
        : toRows(diff, { isSplit: layout === 'split', onlyUnreviewed, opened, commented }),
    [diff, layout, onlyUnreviewed, opened, commented],
  );
  const counts = useMemo(() => countReviewed(diff ?? { files: [], omitted: [] }), [diff]);
  return {
    rows,
    cursor,
    setCursor,
    setCommented,
    open: (key, isOpen) => setOpened((before) => new Map([...before, [key, isOpen]])),
    openAll: (isOpen) => setOpened(new Map((diff?.files ?? []).map((file) => [fileKey(file), isOpen]))),
    layout,
    setLayout: hasRoom ? keep : undefined,
    onlyUnreviewed,
    setOnlyUnreviewed,
    counts,
  };
}
