import { useCallback, useLayoutEffect, useMemo, useRef, type ReactElement } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useText } from '../text/language.tsx';
import { ChangeRow } from './rows/change-row.tsx';
import type { ChangesRow } from './rows/changes-rows.ts';

/** What is listed, and where the keyboard is. */
export interface ChangesListProps {
  readonly rows: readonly ChangesRow[];
  /** The row that has the focus, as far as one was chosen with the keyboard. */
  readonly cursor: { readonly key: string } | undefined;
}

/** The rows of the changes; only those near the viewport are rendered. */
export function ChangesList({ rows, cursor }: ChangesListProps): ReactElement {
  const { changes: text } = useText();
  const list = useRef<VirtualizerHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const at = cursor === undefined ? -1 : rows.findIndex(({ key }) => key === cursor.key);
  const commented = rows.findIndex(({ kind }) => kind === 'comment');
  const mounted = useMemo(() => [at, commented].filter((index) => index >= 0), [at, commented]);
  useLayoutEffect(() => {
    if (at >= 0) list.current?.scrollToIndex(at, { align: 'nearest' });
    // The same row may be wanted again.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [at, cursor]);
  useLayoutEffect(() => {
    if (cursor === undefined) return;
    const row = box.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(cursor.key)}"]`);
    row?.focus({ preventScroll: true });
  }, [cursor]);
  const show = useCallback(
    (_: unknown, index: number) => {
      const row = rows[index];
      return row === undefined ? <></> : <ChangeRow key={row.key} row={row} />;
    },
    [rows],
  );
  const data = useMemo(() => ({ length: rows.length }), [rows]);
  return (
    <section
      ref={box}
      className="changes-scroll"
      aria-label={text.files(countFiles(rows))}
      // What scrolls can be reached with the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <Virtualizer ref={list} data={data} bufferSize={400} keepMounted={mounted}>
        {show}
      </Virtualizer>
    </section>
  );
}

function countFiles(rows: readonly ChangesRow[]): number {
  return rows.filter(({ kind }) => kind === 'file').length;
}
