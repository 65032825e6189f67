import type { Table } from './table.ts';

/** The empty table. Apart from what works on tables: a page has empty states before it needs that. */
export const emptyTable: Table<never> = { size: 0, root: { kind: 'leaf', entries: [] } };
