/** The title of the window: the number of open questions, the page, and the product. */
export function documentTitle(page: string | undefined, waiting: number): string {
  const title = page === undefined || page === '' ? 'Parley' : `${page} - Parley`;
  return waiting === 0 ? title : `(${waiting}) ${title}`;
}
