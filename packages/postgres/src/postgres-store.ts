import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  HostError,
  isSessionKey,
  type EventLog,
  type EventPart,
  type FollowEventsOptions,
  type ListSessionsOptions,
  type LoggedEvent,
  type OpenEventLogOptions,
  type ReadEventsOptions,
  type Replicas,
  type SessionColumns,
  type SessionHead,
  type SessionIndex,
  type SessionOwner,
  type SessionStore,
} from '@parley/host';
import { followEvents, LiveFeed, openStoredEventLog } from '@parley/host/records';
import type { LostRecords, SharedDocument } from '@parley/workspace';
import type { Sql } from 'postgres';
import { connect, nameOf, type Connections } from './connect.ts';
import { Documents } from './documents.ts';
import { Leases, millisecondsNow, thisProcess } from './leases.ts';
import { isRefusal } from './passing-error.ts';
import { PostgresIndex } from './postgres-index.ts';
import { Appender } from './records/appender.ts';
import { followRecords, whileReachable, type FollowRecordsOptions } from './records/follow-records.ts';
import { HeadNotes } from './records/head-notes.ts';
import { headFields, toHead } from './records/heads.ts';
import { pagesAfter, readEvents } from './records/read-records.ts';
import { RecordWriter } from './records/record-writer.ts';
import { restoreRecords } from './records/restore-records.ts';
import type { CommandSeal } from './replicas/commands.ts';
import { PostgresReplicas } from './replicas/postgres-replicas.ts';
import { migrate } from './schema/migrate.ts';
import { channel, WakeUps } from './wake-ups.ts';
import { whenReachable } from './when-reachable.ts';

/** A store of sessions in a database. Several processes, on several machines, may share it. */
export interface PostgresStore extends SessionStore, AsyncDisposable {
  /** What the store is called in messages: its URL without password. */
  readonly name: string;
  /** Creates or migrates the schema. Every other method does it first. @throws {HostError} It is newer. */
  ready(): Promise<void>;
  /** A text that all processes share. */
  document(name: string): SharedDocument;
  /** The processes that serve its sessions together. */
  readonly replicas: Replicas;
  /** Why the database cannot be used now; undefined while it can. Never rejects. */
  unreachable(): Promise<string | undefined>;
}

/** Which database, and how leases are held. */
export interface PostgresStoreOptions {
  /** `postgres://USER@HOST:PORT/DATABASE`; libpq's variables say the rest. */
  readonly url: string;
  /** After how long without a sign of life a process loses its sessions. @default 10,000 */
  readonly leaseMs?: number;
  /** What other processes call this one. @default by machine and process number */
  readonly replica?: string;
  /** The machine, for folders that only it has. @default its host name */
  readonly host?: string;
  /** Where files about sessions are, such as recorded frames: on this machine only. */
  readonly folder: string;
  /** Called when records were stored, with the milliseconds that the statement took. @default ignored */
  readonly onStored?: (ms: number) => void;
  /** Encrypts what replicas send to each other, with a key that all of them have. @default it is stored in plain until it is done, and what may contain a secret is refused */
  readonly seal?: CommandSeal;
  /** @default the variables of this process */
  readonly env?: NodeJS.ProcessEnv;
}

/** Opens the store of sessions in a PostgreSQL database, 15 or newer. Connections are made when they are needed. */
export function postgresStore(options: PostgresStoreOptions): PostgresStore {
  return new DatabaseSessions(options);
}

const defaultLeaseMs = 10_000;

/** How long the database may take to answer a check. */
const reachMs = 2000;

class DatabaseSessions implements PostgresStore {
  readonly name: string;
  readonly #folder: string;
  readonly #connections: Connections;
  readonly #leases: Leases;
  readonly #replicas: PostgresReplicas;
  readonly #wakeUps: WakeUps;
  readonly #appender: Appender;
  readonly #documents: Documents;
  /** Of the sessions that have an owner or a follower here. */
  readonly #feeds = new Map<string, LiveFeed>();
  #ready: Promise<void> | undefined;

  constructor(options: PostgresStoreOptions) {
    const { url, leaseMs = defaultLeaseMs, env = process.env, folder, onStored } = options;
    this.name = nameOf(url);
    this.#folder = folder;
    this.#connections = connect(url, env);
    const { id, name } = thisProcess();
    this.#leases = new Leases(this.#connections, { id, name: options.replica ?? name }, leaseMs);
    this.#wakeUps = new WakeUps(this.#connections);
    this.#documents = new Documents(
      () => this.#sql,
      () => this.ready(),
    );
    this.#replicas = new PostgresReplicas({
      sql: this.#sql,
      ready: () => this.ready(),
      leases: this.#leases,
      host: options.host ?? hostname(),
      ...(options.seal !== undefined && { seal: options.seal }),
    });
    this.#appender = new Appender(this.#sql, ({ keys, ms }) => {
      this.#wakeUps.wake(keys);
      onStored?.(ms);
    });
  }

  get replicas(): Replicas {
    return this.#replicas;
  }

  ready(): Promise<void> {
    this.#ready ??= this.#prepare().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  async #prepare(): Promise<void> {
    try {
      await migrate(this.#sql);
      await this.#wakeUps.listen();
    } catch (error) {
      if (!isRefusal(error) && !(error instanceof HostError)) throw error;
      throw new HostError('failed', `open the store ${this.name}: ${messageOf(error)}`, { cause: error });
    }
  }

  get #sql(): Sql {
    return this.#connections.sql;
  }

  document(name: string): SharedDocument {
    return this.#documents.of(name);
  }

  async unreachable(): Promise<string | undefined> {
    try {
      const answer = this.ready().then(() => this.#sql`select 1`);
      const isLate = await Promise.race([answer.then(() => false), delay(reachMs, true)]);
      return isLate ? `the store does not answer within ${String(reachMs)} ms` : undefined;
    } catch (error) {
      return `the store cannot be reached: ${codeOf(error) ?? messageOf(error)}`;
    }
  }

  folderOf(key: string): string {
    if (!isSessionKey(key)) throw notKey(key);
    return join(this.#folder, key);
  }

  async list(_options?: ListSessionsOptions): Promise<readonly SessionHead[]> {
    await this.ready();
    const rows = await whenReachable(
      () => this.#sql`
        select ${headFields(this.#sql)} from parley.sessions where start is not null order by updated_at desc, key desc`,
    );
    return rows.map(toHead);
  }

  async head(key: string): Promise<SessionHead | undefined> {
    await this.ready();
    const [row] = await whenReachable(
      () => this.#sql`
        select ${headFields(this.#sql)} from parley.sessions where key = ${key} and start is not null`,
    );
    return row === undefined ? undefined : toHead(row);
  }

  index(onChange: (key: string) => void): SessionIndex {
    return new PostgresIndex({
      sql: this.#sql,
      ready: () => this.ready(),
      wakeUps: this.#wakeUps,
      isOwn: (owner) => this.#leases.isOwn(owner),
      onChange,
    });
  }

  async owner(key: string): Promise<SessionOwner | undefined> {
    await this.ready();
    return this.#leases.ownerOf(key);
  }

  async open(key: string, options: OpenEventLogOptions): Promise<EventLog> {
    if (!isSessionKey(key)) throw notKey(key);
    await this.ready();
    const fence = await this.#leases.take(key, this.#replicas.folderColumns(options.start.cwd));
    const feed = this.#feedOf(key);
    const head = new HeadNotes();
    return openStoredEventLog(
      {
        open: async ({ read, onTrouble }) => {
          for await (const page of pagesAfter(this.#sql, key, 0)) {
            for (const { record } of page) read(JSON.parse(record));
          }
          const log = new RecordWriter({
            key,
            fence,
            appender: this.#appender,
            onTrouble,
            // Followers read what the next owner stores.
            onLost: () => {
              feed.end();
              this.#leases.lose(key);
            },
            takeHead: () => head.take(),
          });
          return { log, sharesRecords: true };
        },
        discard: async () => {
          await this.#sql`delete from parley.sessions where key = ${key} and fence = ${String(fence)} and last_seq = 0`;
        },
        release: async () => {
          await this.#leases.release(key, fence);
          await this.#notify(key);
        },
      },
      {
        ...options,
        key,
        feed,
        onEvent: (event, isOmitted) => {
          head.note(event);
          options.onEvent?.(event, isOmitted);
        },
      },
    );
  }

  async read(
    key: string,
    read: (event: LoggedEvent) => void | Promise<void>,
    options?: ReadEventsOptions,
  ): Promise<LostRecords> {
    await this.ready();
    await readEvents(this.#sql, key, read, options);
    return { tailBytes: 0, damagedLines: 0 };
  }

  follow(key: string, options: FollowEventsOptions): AsyncGenerator<EventPart, void, undefined> {
    return whileReachable((again) => this.#follow(key, again), options);
  }

  async *#follow(key: string, options: FollowEventsOptions): AsyncGenerator<EventPart, void, undefined> {
    await this.ready();
    const stored = {
      owner: async () => (await this.owner(key)) ?? (await this.#nextOwner(key)),
      follow: (part: FollowRecordsOptions) =>
        followRecords({ sql: this.#sql, wakeUps: this.#wakeUps }, key, part),
    };
    yield* followEvents(stored, this.#feedOf(key), options);
  }

  async remove(key: string): Promise<{ readonly owner?: SessionOwner }> {
    await this.ready();
    const removed = await this.#sql`
      with gone as (
        delete from parley.sessions s where key = ${key}
          and not exists (select from parley.replicas r where r.id = s.owner and r.alive_until > clock_timestamp())
        returning key
      ), records as (delete from parley.records where key in (select key from gone))
      select key from gone`;
    if (removed.length > 0) {
      await rm(this.folderOf(key), { recursive: true, force: true });
      await this.#notify(key);
      return {};
    }
    const owner = await this.#leases.ownerOf(key);
    return owner === undefined ? {} : { owner };
  }

  async restore(
    key: string,
    write: (append: (event: LoggedEvent) => Promise<void> | undefined) => Promise<void>,
  ): Promise<void> {
    if (!isSessionKey(key)) throw notKey(key);
    await this.ready();
    await restoreRecords(this.#sql, key, write);
    await this.#notify(key);
  }

  async columns(key: string): Promise<SessionColumns> {
    await this.ready();
    const [row] = await whenReachable(
      () => this.#sql`select columns from parley.sessions where key = ${key}`,
    );
    return toColumns(row?.['columns']);
  }

  async setColumns(key: string, columns: SessionColumns): Promise<void> {
    await this.ready();
    const text = JSON.stringify(columns);
    const rows = await whenReachable(
      () => this.#sql`
        insert into parley.sessions as s (key, fence, updated_at, columns)
        values (${key}, 0, ${millisecondsNow(this.#sql)}, ${text})
        on conflict (key) do update set columns = excluded.columns
        where ${this.#leases.mayTake(key)}
        returning key`,
    );
    if (rows.length === 0) {
      throw new HostError(
        'already-open',
        `store the columns of session ${JSON.stringify(key)}: another process owns it`,
      );
    }
    await this.#notify(key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#wakeUps.close();
    await this.#replicas[Symbol.asyncDispose]();
    await this.#connections.end();
  }

  /** Who stores the end of a turn whose owner has ended: in a process that serves, itself or another replica. Its number may be another event until then. */
  async #nextOwner(key: string): Promise<SessionOwner | undefined> {
    if (!this.#replicas.isServing || !(await this.#leases.isLeft(key))) return undefined;
    return { name: 'next owner', isThis: false };
  }

  async #notify(key: string): Promise<void> {
    this.#wakeUps.wake([key]);
    await whenReachable(() => this.#sql.notify(channel, key));
  }

  #feedOf(key: string): LiveFeed {
    const known = this.#feeds.get(key);
    if (known !== undefined) return known;
    const feed = new LiveFeed(() => this.#feeds.delete(key));
    this.#feeds.set(key, feed);
    return feed;
  }
}

function notKey(key: string): TypeError {
  return new TypeError(`${JSON.stringify(key)} cannot be the key of a session`);
}

/** For what anyone may read: an address is in the message only. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toColumns(text: unknown): SessionColumns {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Most sessions have none.
    return {};
  }
}
