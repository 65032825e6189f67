/** What the window is called: how much waits, what is shown, and by whom. */
export function documentTitle(page: string | undefined, waiting: number): string {
  const title = page === undefined || page === '' ? 'Parley' : `${page} - Parley`;
  return waiting === 0 ? title : `(${waiting}) ${title}`;
}
