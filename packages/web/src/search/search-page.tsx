import { useEffect, useState, type ReactElement } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { askApi } from '../hub/api.ts';
import { shownHits } from '../limits.ts';
import { plainTitle } from '../parts/plain-title.ts';
import { RelativeTime } from '../parts/relative-time.tsx';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import './search-page.css';
import { splitExcerpt } from './excerpt.ts';

/** A place in a session where the words are. */
interface Hit {
  readonly key: string;
  readonly agent: string;
  readonly title?: string;
  readonly seq: number;
  readonly time: number;
  readonly role: string;
  readonly excerpt: string;
  /** Where the words are in the excerpt. */
  readonly start: number;
  readonly end: number;
}

/** The result of a search. */
interface Found {
  readonly words: string;
  readonly hits: readonly Hit[];
  readonly error?: unknown;
}

/** Delay between the last key and the search. */
const restMs = 250;

/** Searches all sessions. The query is in the URL, so that it can be bookmarked. */
export function SearchPage(): ReactElement {
  const { shell, search: text, sessions } = useText();
  const [, go] = useLocation();
  const words = new URLSearchParams(useSearch()).get('q') ?? '';
  const [typed, setTyped] = useState(words);
  const [lastWords, setLastWords] = useState(words);
  const [found, setFound] = useState<Found>();
  // The address has changed, and not by what was typed here.
  if (lastWords !== words) {
    setLastWords(words);
    if (typed.trim() !== words) setTyped(words);
  }
  useEffect(() => {
    if (typed.trim() === words) return undefined;
    const timer = setTimeout(() => {
      go(typed.trim() === '' ? '/search' : `/search?q=${encodeURIComponent(typed.trim())}`, {
        replace: true,
      });
    }, restMs);
    return () => clearTimeout(timer);
  }, [typed, words, go]);
  useEffect(() => {
    if (words === '') return undefined;
    const asking = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        const query = new URLSearchParams({ q: words, limit: String(shownHits) });
        const { hits } = await askApi<{ readonly hits: readonly Hit[] }>(`/api/search?${query}`, {
          signal: asking.signal,
        });
        if (!asking.signal.aborted) setFound({ words, hits });
      } catch (error) {
        if (!asking.signal.aborted) setFound({ words, hits: [], error });
      }
    };
    void ask();
    return () => asking.abort();
  }, [words]);
  const current = found?.words === words && words !== '' ? found : undefined;
  const summary = (count: number): string =>
    count === shownHits ? text.firstPlaces(count) : text.places(count);
  return (
    <section className="page search">
      <h1>{shell.search}</h1>
      <search>
        {/* Who comes here wants to type. */}
        <input
          type="search"
          className="field"
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          aria-label={text.label}
          placeholder={text.label}
          value={typed}
          onChange={({ target: { value } }) => setTyped(value)}
        />
      </search>
      <output className="soft">
        {words === '' ? text.help : current === undefined && text.searching}
        {current !== undefined && current.error === undefined && summary(current.hits.length)}
      </output>
      {current?.error !== undefined && <p role="alert">{failureText(current.error, shell)}</p>}
      {current !== undefined && (
        <ul>
          {current.hits.map((hit) => {
            const { before, match, after } = splitExcerpt(hit);
            return (
              <li key={`${hit.key} ${hit.seq} ${hit.start}`}>
                <Link href={`/sessions/${encodeURIComponent(hit.key)}#${hit.seq}`} className="search-hit">
                  <span className="search-hit-head">
                    <strong>{hit.title === undefined ? sessions.untitled : plainTitle(hit.title)}</strong>
                    <span className="small soft">
                      {hit.agent} · {text.roles[hit.role] ?? hit.role} · <RelativeTime time={hit.time} />
                    </span>
                  </span>
                  <span className="search-hit-text">
                    {before}
                    <mark>{match}</mark>
                    {after}
                  </span>
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
