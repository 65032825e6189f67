import { isSessionKey } from '@parley/host';
import type { MarkedSessions, SessionMark } from '@parley/host/hub';
import { stateList, type StateList } from '@parley/workspace';
import type { HubListeners } from '../hub-listeners.ts';
import type { HubOptions } from '../hub-options.ts';

/** Sessions that are marked, over all tokens. The oldest mark goes first. */
const mostMarks = 20_000;

/** Where marks are stored. */
type MarksOptions = Pick<HubOptions, 'marksFile' | 'onFault'>;

/** The mark of one session. */
interface MarkEntry {
  /** The id of the token. */
  readonly token: string;
  readonly session: string;
  readonly mark: SessionMark;
}

/** The sessions that the user of each token pinned or archived: the same in each of their browsers. */
export class TokenMarks {
  readonly #list: StateList<MarkEntry> | undefined;
  readonly #onFault: (error: unknown) => void;
  readonly #listeners: Pick<HubListeners, 'marks'>;
  #entries: readonly MarkEntry[] = [];
  #loading: Promise<void> | undefined;

  constructor({ marksFile, onFault = () => {} }: MarksOptions, listeners: Pick<HubListeners, 'marks'>) {
    this.#list =
      marksFile === undefined ? undefined : stateList(marksFile, parseEntry, { skipsUnknown: true });
    this.#onFault = onFault;
    this.#listeners = listeners;
    if (marksFile !== undefined && typeof marksFile !== 'string') {
      marksFile.listen(() => void this.#reload());
    }
  }

  /** Reads the stored marks, once. If that fails, there are no marks, and the next call tries again. */
  load(): Promise<void> {
    this.#loading ??= this.#read().catch((error: unknown) => {
      this.#loading = undefined;
      this.#onFault(error);
    });
    return this.#loading;
  }

  /** The loaded marks of a token. */
  of(token: string): MarkedSessions {
    const keys = (wanted: SessionMark): readonly string[] =>
      this.#entries
        .filter((entry) => entry.token === token && entry.mark === wanted)
        .map(({ session }) => session);
    return { pinned: keys('pinned'), archived: keys('archived') };
  }

  /** Marks sessions for a token; without a mark, their marks are removed. */
  async set(token: string, sessions: ReadonlySet<string>, mark: SessionMark | undefined): Promise<void> {
    const added = mark === undefined ? [] : Array.from(sessions, (session) => ({ token, session, mark }));
    await this.#change((entries) => [
      ...entries.filter((entry) => entry.token !== token || !sessions.has(entry.session)),
      ...added,
    ]);
    this.#listeners.marks(token);
  }

  /** Removes the marks of a deleted session. */
  async forget(session: string): Promise<void> {
    if (!this.#entries.some((entry) => entry.session === session)) return;
    await this.#change((entries) => entries.filter((entry) => entry.session !== session)).catch(
      this.#onFault,
    );
  }

  /** Another server has changed them. Never rejects. */
  async #reload(): Promise<void> {
    const before = this.#entries;
    this.#loading = undefined;
    await this.load();
    const tokens = new Set([...before, ...this.#entries].map(({ token }) => token));
    for (const token of tokens) this.#listeners.marks(token);
  }

  async #read(): Promise<void> {
    this.#entries = (await this.#list?.read()) ?? [];
  }

  async #change(change: (entries: readonly MarkEntry[]) => readonly MarkEntry[]): Promise<void> {
    await this.load();
    const bounded = (entries: readonly MarkEntry[]): readonly MarkEntry[] =>
      change(entries).slice(-mostMarks);
    this.#entries = (await this.#list?.change(bounded)) ?? bounded(this.#entries);
  }
}

function parseEntry(value: unknown): MarkEntry | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('token' in value && 'session' in value && 'mark' in value)) return undefined;
  const { token, session, mark } = value;
  if (typeof token !== 'string' || typeof session !== 'string' || !isSessionKey(session)) return undefined;
  return mark === 'pinned' || mark === 'archived' ? { token, session, mark } : undefined;
}
