import { createSearchPattern, searchEventLogs, type SearchHit, type SearchPattern } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { exitStatus } from '../exit-status.ts';
import { parseCount } from '../flag-values.ts';
import { fromHome } from '../output/from-home.ts';
import { toPlainLine } from '../output/plain.ts';
import { createStyle, type Style } from '../output/style.ts';
import { toLocalTime } from '../output/time-text.ts';
import { createWriter } from '../output/writer.ts';
import type { Surroundings } from '../surroundings.ts';
import {
  findSessions,
  parseSessionFilter,
  shortId,
  storeOf,
  type TypedSessionFilter,
} from './find-session.ts';

/** Default number of displayed matches. */
const usualLimit = 100;

/** The flags of `parley sessions search`. */
export interface TypedSearchFlags extends TypedSessionFilter {
  readonly regex?: boolean;
  readonly json?: boolean;
  readonly limit?: string;
}

/** `parley sessions search`: where in the sessions that are kept something was said or done. Gives the exit status. */
export async function searchSessions(
  typed: string,
  flags: TypedSearchFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  const limit = flags.limit === undefined ? usualLimit : parseCount('--limit', flags.limit);
  const pattern = parsePattern(typed, flags.regex === true);
  const store = storeOf(surroundings);
  const sessions = await findSessions(parseSessionFilter(flags, surroundings), surroundings);
  const writer = createWriter(stdout);
  const page = flags.json === true ? undefined : new HitPage(createStyle(stdout.isTTY === true, env));
  const hits: SearchHit[] = [];
  let isMore = false;
  const found = searchEventLogs(store, sessions, pattern, {
    onUnreadable: ({ key }, error) => {
      stderr.write(`parley: ${shortId(key)} cannot be read: ${toPlainLine(String(error))}\n`);
    },
  });
  for await (const hit of found) {
    if (writer.closed.aborted) break;
    isMore = hits.length === limit;
    if (isMore) break;
    hits.push(hit);
    if (page === undefined) continue;
    writer.write(page.show(hit));
    await writer.ready();
  }
  if (page === undefined) {
    writer.write(`${JSON.stringify({ hits: hits.map(toJson), more: isMore }, undefined, 2)}\n`);
  } else if (isMore) {
    stderr.write(
      `parley: there is more than these ${String(limit)}; --limit ${String(limit * 10)} shows more\n`,
    );
  }
  await writer.flush();
  // As those who search expect it: nothing found is a failure.
  return hits.length > 0 ? exitStatus.done : exitStatus.failed;
}

function parsePattern(typed: string, isRegex: boolean): SearchPattern {
  if (typed === '') throw new CliError('usage', 'search: expected a text to look for');
  try {
    return createSearchPattern(typed, { isRegex });
  } catch (error) {
    throw new CliError('usage', `--regex: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** Hits one after another, those of a session below its title. */
class HitPage {
  readonly #style: Style;
  #key: string | undefined;

  constructor(style: Style) {
    this.#style = style;
  }

  show(hit: SearchHit): string {
    const { session, role, time } = hit;
    const line = `  ${toLocalTime(time)}  ${role.padEnd(8)}  ${this.#excerpt(hit)}\n`;
    if (session.key === this.#key) return line;
    const gap = this.#key === undefined ? '' : '\n';
    this.#key = session.key;
    return `${gap}${this.#head(hit)}\n${line}`;
  }

  #head({ session: { key, start }, title }: SearchHit): string {
    const facts = [toPlainLine(start.agent), toPlainLine(fromHome(start.cwd), 1000)].join(' · ');
    return `${shortId(key)}  ${this.#style.bold(toPlainLine(title ?? ''))} ${this.#style.dim(facts)}`;
  }

  #excerpt({ excerpt, start, end }: SearchHit): string {
    const line = (text: string): string => toPlainLine(text.replaceAll(/\s+/gu, ' '), 500);
    // Spaces beside the match are part of the line.
    const spaced = (text: string, side: 'before' | 'behind'): string => {
      const hasSpace = side === 'before' ? /\s$/u.test(text) : /^\s/u.test(text);
      return side === 'before'
        ? `${line(text)}${hasSpace ? ' ' : ''}`
        : `${hasSpace ? ' ' : ''}${line(text)}`;
    };
    const before = spaced(excerpt.slice(0, start), 'before');
    return `${before}${this.#style.bold(line(excerpt.slice(start, end)))}${spaced(excerpt.slice(end), 'behind')}`;
  }
}

function toJson({ session: { key, start, sessionId }, title, time, ...hit }: SearchHit): object {
  return {
    id: key,
    ...(sessionId !== undefined && { sessionId }),
    agent: start.agent,
    cwd: start.cwd,
    ...(title !== undefined && { title }),
    time: new Date(time).toISOString(),
    ...hit,
  };
}
