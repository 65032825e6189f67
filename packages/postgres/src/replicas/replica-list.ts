import type { Replica, SilentReplica } from '@parley/host';
import type { Sql } from 'postgres';
import type { Leases } from '../leases.ts';
import type { MachineFolders } from './session-folder.ts';

/** A replica, and the folders of its machine. */
export interface KnownReplica {
  readonly replica: Replica;
  readonly folders: MachineFolders;
}

/** Where they are stored, and which one is this. */
export interface ReplicaListOptions {
  readonly sql: Sql;
  readonly leases: Pick<Leases, 'isOwn'>;
}

/** The replicas that are alive. */
export class ReplicaList {
  readonly #options: ReplicaListOptions;
  #known: readonly KnownReplica[] = [];
  #silent: readonly SilentReplica[] = [];
  #text = '';

  constructor(options: ReplicaListOptions) {
    this.#options = options;
  }

  get known(): readonly KnownReplica[] {
    return this.#known;
  }

  get own(): KnownReplica | undefined {
    return this.#known.find(({ replica }) => replica.isThis);
  }

  /** This one first. */
  get all(): readonly Replica[] {
    return this.#known
      .map(({ replica }) => replica)
      .toSorted(
        (left, right) => Number(right.isThis) - Number(left.isThis) || left.name.localeCompare(right.name),
      );
  }

  /** Those that were alive during the last day; one with the name of a live one has come back. */
  get silent(): readonly SilentReplica[] {
    const names = new Set(this.#known.map(({ replica }) => replica.name));
    return this.#silent.filter(({ name }) => !names.has(name));
  }

  /** Forgets those that ended before that. */
  async prune(): Promise<void> {
    const { sql } = this.#options;
    await sql`delete from parley.replicas where alive_until < ${listedSince(sql)}`;
  }

  /** Reads them again; returns what has changed: which ones are alive, or only what they say of themselves. */
  async look(): Promise<'nothing' | 'load' | 'members'> {
    const { sql } = this.#options;
    const rows = await sql`
      select id, name, workspaces, slots, taken, ${milliseconds(sql, 'since')} as since,
        case when alive_until > clock_timestamp() then null else ${milliseconds(sql, 'alive_until')} end as silent_since
      from parley.replicas
      where is_serving and alive_until > ${listedSince(sql)} order by id`;
    const text = JSON.stringify(rows);
    if (text === this.#text) return 'nothing';
    this.#text = text;
    const before = idsOf(this.#known);
    const isAlive = (row: Readonly<Record<string, unknown>>): boolean => row['silent_since'] === null;
    this.#known = rows.filter(isAlive).map((row) => this.#toKnown(row));
    this.#silent = rows
      .filter((row) => !isAlive(row))
      .map((row) => ({ ...this.#toKnown(row).replica, silentSince: Number(row['silent_since']) }));
    return idsOf(this.#known) === before ? 'load' : 'members';
  }

  #toKnown(row: Readonly<Record<string, unknown>>): KnownReplica {
    const id = String(row['id']);
    const folders = parseFolders(String(row['workspaces']));
    const replica: Replica = {
      id,
      name: String(row['name']),
      isThis: this.#options.leases.isOwn(id),
      workspaces: folders.workspaces,
      slots: Number(row['slots']),
      taken: Number(row['taken']),
      since: Number(row['since']),
    };
    return { replica, folders };
  }
}

function idsOf(known: readonly KnownReplica[]): string {
  return known.map(({ replica }) => replica.id).join();
}

/** How long a replica that left without saying so is listed. */
const listedMs = 86_400_000;

function listedSince(sql: Sql): ReturnType<Sql['unsafe']> {
  return sql`clock_timestamp() - ${listedMs} * interval '1 millisecond'`;
}

function milliseconds(sql: Sql, column: 'since' | 'alive_until'): ReturnType<Sql['unsafe']> {
  return sql.unsafe(`(extract(epoch from ${column}) * 1000)::bigint`);
}

function parseFolders(json: string): MachineFolders {
  const value: unknown = JSON.parse(json);
  const { host, folders } = isJsonObject(value) ? value : {};
  const list: readonly unknown[] = Array.isArray(folders) ? folders : [];
  return {
    host: typeof host === 'string' ? host : '',
    workspaces: list.flatMap((each) => {
      if (!isJsonObject(each) || typeof each['folder'] !== 'string') return [];
      const { name, folder } = each;
      return [{ folder, ...(typeof name === 'string' && { name }) }];
    }),
  };
}

function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
