/** The part of `SessionStore` of `@parley/host` that the contract uses. */
export interface CheckedSessionStore {
  list(): Promise<readonly HeadOfEventLog[]>;
  head(key: string): Promise<HeadOfEventLog | undefined>;
  owner(key: string): Promise<{ readonly isThis: boolean } | undefined>;
  open(key: string, options: OpenedAs): Promise<OwnedEventLog>;
  read(
    key: string,
    read: (event: NumberedEvent) => void | Promise<void>,
    options?: { readonly after?: number },
  ): Promise<{ readonly tailBytes: number }>;
  follow(
    key: string,
    options: { readonly signal: AbortSignal; readonly after?: number },
  ): AsyncIterable<{ readonly events: readonly NumberedEvent[]; readonly isAtEnd: boolean }>;
  remove(key: string): Promise<{ readonly owner?: object }>;
  columns(key: string): Promise<object>;
  setColumns(key: string, columns: Readonly<Record<string, unknown>>): Promise<void>;
}

/** A session in the list of a store. */
export interface HeadOfEventLog {
  readonly key: string;
  readonly sessionId?: string;
  readonly start: { readonly key: string; readonly agent: string; readonly cwd: string };
}

/** An event that is stored. */
export interface NumberedEvent {
  readonly seq: number;
  readonly type: string;
}

/** What the contract opens an event log with. */
export interface OpenedAs {
  readonly start: { readonly agent: string; readonly cwd: string; readonly program: string };
  readonly onFailure: (error: Error) => void;
  readonly onRecovery?: () => void;
}

/** An event log that is open for appending. */
export interface OwnedEventLog {
  append(entry: ContractEntry, updateText?: string): NumberedEvent;
  stored(): Promise<void> | undefined;
  close(): Promise<void>;
}

/** The events that the contract appends. */
export type ContractEntry =
  | { readonly type: 'update'; readonly update: unknown }
  | { readonly type: 'session'; readonly sessionId: string; readonly cwd: string; readonly origin: 'new' }
  | {
      readonly type: 'session-end';
      readonly sessionId: string;
      readonly reason: 'closed';
    };

export function own(
  store: CheckedSessionStore,
  key: string,
  options: { readonly onFailure?: () => void; readonly onRecovery?: () => void } = {},
): Promise<OwnedEventLog> {
  const start = { agent: 'test', cwd: '/project', program: 'contract' };
  return store.open(key, { start, onFailure: () => undefined, ...options });
}

/** Appends a chunk of a message. */
export function say(log: OwnedEventLog, text: string | undefined): void {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  log.append({ type: 'update', update }, JSON.stringify(update));
}

export async function eventsOf(
  store: CheckedSessionStore,
  key: string,
  after = 0,
): Promise<readonly NumberedEvent[]> {
  const events: NumberedEvent[] = [];
  await store.read(key, (event) => void events.push(event), { after });
  return events;
}

export async function numbersOf(
  store: CheckedSessionStore,
  key: string,
  after?: number,
): Promise<readonly number[]> {
  return (await eventsOf(store, key, after)).map(({ seq }) => seq);
}

/** The texts of the updates among events. */
export function textsIn(events: readonly NumberedEvent[]): readonly unknown[] {
  return events.flatMap((event) => {
    const text: unknown = fieldOf(fieldOf(fieldOf(event, 'update'), 'content'), 'text');
    return text === undefined ? [] : [text];
  });
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

export function pick(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}

/** What is followed. */
export interface FollowedAs {
  readonly after: number;
  /** The number after which it ends. */
  readonly last: number;
  /** Waits between two parts. */
  readonly pause?: () => Promise<void> | undefined;
}

/** The numbers of the events that a follower sees. */
export async function follow(
  store: CheckedSessionStore,
  key: string,
  { after, last, pause }: FollowedAs,
): Promise<readonly number[]> {
  const numbers: number[] = [];
  const enough = new AbortController();
  for await (const { events } of store.follow(key, { after, signal: enough.signal })) {
    numbers.push(...events.map(({ seq }) => seq));
    if ((numbers.at(-1) ?? 0) >= last) break;
    await pause?.();
  }
  enough.abort();
  return numbers;
}

/** The code that something fails with; `none` for an error without, undefined when it does not fail. */
export async function codeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return fieldOf(error, 'code') ?? 'none';
  }
}

export function summaryOf({ key, start: { agent, cwd }, sessionId }: HeadOfEventLog): string {
  return [key, agent, cwd, sessionId].join(' ');
}

export function equal(actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`expected ${should}, got ${is}`);
}
