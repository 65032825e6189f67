/** An excerpt around the words that were searched for. */
export interface MarkedExcerpt {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** Splits an excerpt into text before, in and after the match. Positions outside of it are limited to its bounds. */
export function splitExcerpt({
  excerpt,
  start,
  end,
}: {
  readonly excerpt: string;
  readonly start: number;
  readonly end: number;
}): MarkedExcerpt {
  const from = Math.max(0, start);
  const to = Math.max(from, end);
  return { before: excerpt.slice(0, from), match: excerpt.slice(from, to), after: excerpt.slice(to) };
}
