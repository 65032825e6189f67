import { hostname } from 'node:os';
import { HostError, type SessionOwner } from '@parley/host';
import type { Sql } from 'postgres';
import type { Connections } from './connect.ts';
import { OwnerLookup } from './owner-lookup.ts';
import { whenReachable } from './when-reachable.ts';
import { within } from './within.ts';
import { WorkByKey } from './work-by-key.ts';

/** This process, as others see it in the store. */
export interface ProcessName {
  readonly id: string;
  /** For messages. */
  readonly name: string;
}

/** A process that calls itself by machine and number. */
export function thisProcess(name = `${hostname()}, process ${String(process.pid)}`): ProcessName {
  return { id: crypto.randomUUID(), name };
}

/** What a process that serves clients says of itself with each sign of life. */
export interface ServingProcess {
  /** Columns of its row. */
  readonly row: () => { readonly workspaces: string; readonly slots: number; readonly taken: number };
  /** Called after each sign of life. Must not throw. */
  readonly onBeat: () => void;
  /** Another process has taken a session of this one over. */
  readonly onLost: (key: string) => void;
}

/** The folder of a session, as columns. */
export interface FolderColumns {
  readonly workspace: string | null;
  readonly folder: string | null;
}

/**
 * The leases of a process. A session belongs to the process in its row while that process says regularly that it is alive: one
 * statement for all of its sessions.
 */
export class Leases implements AsyncDisposable {
  readonly #sql: Sql;
  /** A connection for signs of life alone: they never wait for other statements. */
  readonly #signs: Sql;
  readonly #process: ProcessName;
  readonly #leaseMs: number;
  readonly #owners: OwnerLookup;
  /** The fences of the event logs that are open here. */
  readonly #open = new Map<string, bigint>();
  /** Statements about one session are executed in the order in which they are sent: a reservation that ends must not end the lease that follows it. */
  readonly #statements = new WorkByKey();
  /** Sessions that another process has taken over. Until they are reserved again, parts of this process may not know it yet. */
  readonly #lost = new Set<string>();
  #serving: ServingProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #changes = 0;
  /** Whether sessions may have been lost unnoticed: until the answer to a sign of life excludes it, or they have been looked at. */
  #mustFindLost = false;
  #isEnded = false;

  constructor({ sql, signs }: Pick<Connections, 'sql' | 'signs'>, name: ProcessName, leaseMs: number) {
    this.#sql = sql;
    this.#signs = signs;
    this.#process = name;
    this.#leaseMs = leaseMs;
    this.#owners = new OwnerLookup(sql, (id) => this.isOwn(id));
  }

  get id(): string {
    return this.#process.id;
  }

  /** Leases that this process took from others, or lost to them. */
  get changes(): number {
    return this.#changes;
  }

  /** Says from now on that this process serves clients. */
  async serve(serving: ServingProcess): Promise<void> {
    this.#serving = serving;
    await this.beat();
    this.#beatRegularly();
  }

  /** Takes the lease of a session that has no other live owner, and is not open here; a new session begins. @throws {HostError} `already-open` */
  async take(key: string, columns: FolderColumns): Promise<bigint> {
    if (this.#timer === undefined) {
      await this.beat();
      this.#beatRegularly();
    }
    return this.#statements.run(key, () => whenReachable(() => this.#take(key, columns)));
  }

  async #take(key: string, { workspace, folder }: FolderColumns): Promise<bigint> {
    const { id } = this.#process;
    const row = this.#open.has(key)
      ? undefined
      : (
          await this.#sql`
            insert into parley.sessions as s (key, fence, owner, updated_at, workspace, folder)
            values (${key}, 1, ${id}, ${millisecondsNow(this.#sql)}, ${workspace}, ${folder})
            on conflict (key) do update set fence = s.fence + 1, owner = excluded.owner,
              workspace = case when s.last_seq = 0 then excluded.workspace else s.workspace end,
              folder = case when s.last_seq = 0 then excluded.folder else s.folder end
            where ${this.mayTake(key)}
            returning fence`
        )[0];
    if (row === undefined) {
      // It was reserved here, perhaps, and taken over since: what was asked of it here is done by its owner.
      if (!this.#open.has(key)) this.#serving?.onLost(key);
      const owner = await this.ownerOf(key);
      throw new HostError(
        'already-open',
        `open session ${JSON.stringify(key)}: ${owner?.name ?? 'another process'} is writing to it`,
      );
    }
    const fence = BigInt(String(row['fence']));
    this.#open.set(key, fence);
    return fence;
  }

  /** Releases it, unless it was lost. */
  async release(key: string, fence: bigint): Promise<void> {
    await this.#statements.run(key, async () => {
      if (this.#open.get(key) === fence) this.#open.delete(key);
      await this.#sql`update parley.sessions set owner = null where key = ${key} and fence = ${String(fence)} and owner = ${this.id}`;
    });
  }

  /** Makes this process the owner of a session without a live one, before its event log is opened. The owner before can append nothing more. */
  reserve(key: string): Promise<boolean> {
    return this.#statements.run(key, () => whenReachable(() => this.#reserve(key)));
  }

  async #reserve(key: string): Promise<boolean> {
    const { id } = this.#process;
    const [row] = await this.#sql`
      with before as (select owner from parley.sessions where key = ${key} for update)
      update parley.sessions s set owner = ${id},
        fence = case when s.owner = ${id} then s.fence else s.fence + 1 end
      from before
      where s.key = ${key} and (s.owner is null or s.owner = ${id} or ${hasDeadOwner(this.#sql)})
      returning before.owner as before`;
    if (row === undefined) return false;
    this.#lost.delete(key);
    if (row['before'] !== null && row['before'] !== id) this.#changes += 1;
    return true;
  }

  /** Ends the reservation of a session, unless its event log is open. */
  unreserve(key: string): Promise<boolean> {
    return this.#statements.run(key, async () => {
      if (this.#open.has(key)) return false;
      const rows = await whenReachable(
        () => this.#sql`
          update parley.sessions set owner = null where key = ${key} and owner = ${this.id} returning key`,
      );
      return rows.length > 0;
    });
  }

  /** Whether this process may be the owner of the session `s`: not while parts of it may not know yet that another one took it over. */
  mayTake(key: string): ReturnType<Sql['unsafe']> {
    const isOwn = this.#sql`s.owner = ${this.id}`;
    return this.#lost.has(key)
      ? isOwn
      : this.#sql`(s.owner is null or ${isOwn} or ${hasDeadOwner(this.#sql)})`;
  }

  /** Makes another process the owner of a session that has no third one, and whose event log is not open here. */
  handTo(key: string, owner: string): Promise<boolean> {
    return this.#statements.run(key, async () => {
      if (this.#open.has(key)) return false;
      const rows = await this.#sql`
        update parley.sessions s set owner = ${owner}, fence = s.fence + 1
        where s.key = ${key} and (s.owner is null or s.owner = ${this.id}) returning key`;
      return rows.length > 0;
    });
  }

  /** Whether a session has an owner that did not release it, alive or not. */
  async isLeft(key: string): Promise<boolean> {
    const rows = await this.#sql`select from parley.sessions where key = ${key} and owner is not null`;
    return rows.length > 0;
  }

  /** Whether an owner is this process. */
  isOwn(id: string): boolean {
    return id === this.#process.id;
  }

  /** The process that holds the lease of a session. */
  ownerOf(key: string): Promise<SessionOwner | undefined> {
    return this.#owners.of(key);
  }

  /** Says that this process is alive, now, unless it has ended its leases. */
  async beat(): Promise<void> {
    if (this.#isEnded) return;
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = undefined;
    });
    await this.#beating;
  }

  /** Ends all leases, once: other processes may have the sessions. */
  async [Symbol.asyncDispose](): Promise<void> {
    // A sign of life after the deletion would be a replica that nothing ends.
    this.#isEnded = true;
    const beating = this.#beating;
    if (this.#timer === undefined && beating === undefined) return;
    clearInterval(this.#timer);
    await within(lastStatementsMs, [beating]);
    // Over the connection of the signs: after the last of them, also if that is late.
    await within(lastStatementsMs, [this.#signs`delete from parley.replicas where id = ${this.id}`]);
  }

  #beatRegularly(): void {
    if (this.#isEnded) return;
    this.#timer ??= setInterval(() => {
      // While the database cannot be reached, appends fail and say so.
      this.beat().catch(() => undefined);
    }, this.#leaseMs / 3).unref();
  }

  async #beat(): Promise<void> {
    const { id, name } = this.#process;
    const { workspaces = '[]', slots = 0, taken = 0 } = this.#serving?.row() ?? {};
    const isServing = this.#serving !== undefined;
    const signs = this.#signs;
    const isUnsure = this.#mustFindLost;
    // The sign may be stored although its answer is lost: the next one would find a lease that was never interrupted.
    this.#mustFindLost = true;
    const [row] = await signs`
      with before as (select alive_until > clock_timestamp() as was_alive from parley.replicas where id = ${id})
      insert into parley.replicas (id, name, alive_until, is_serving, workspaces, slots, taken)
      values (${id}, ${name}, clock_timestamp() + ${this.#leaseMs} * interval '1 millisecond', ${isServing}, ${workspaces}, ${slots}, ${taken})
      on conflict (id) do update set alive_until = excluded.alive_until, is_serving = excluded.is_serving,
        workspaces = excluded.workspaces, slots = excluded.slots, taken = excluded.taken
      returning (select was_alive from before) as was_alive`;
    // It was frozen, or cut off from the database, for longer than its leases last.
    if (isUnsure || row?.['was_alive'] !== true) await this.#findLost();
    this.#mustFindLost = false;
    if (!this.#isEnded) this.#serving?.onBeat();
  }

  /** Over the connection that has just answered: the others may still wait for answers that never come. */
  async #findLost(): Promise<void> {
    if (this.#open.size === 0) return;
    const asked = [...this.#open];
    const rows = await this.#signs`
      select key, fence from parley.sessions where key = any(${asked.map(([key]) => key)}) and owner = ${this.id}`;
    // This process may be the owner again, of a session that another one has written to since.
    const fences = new Map(rows.map((row) => [String(row['key']), BigInt(String(row['fence']))]));
    for (const [key, fence] of asked) {
      if (fences.get(key) !== fence && this.#open.get(key) === fence) this.lose(key);
    }
  }

  /** Another process has taken a session over. */
  lose(key: string): void {
    if (!this.#open.delete(key)) return;
    this.#lost.add(key);
    this.#changes += 1;
    this.#serving?.onLost(key);
  }
}

/** How long the last sign of life, and its removal, may take when the process ends. */
const lastStatementsMs = 1000;

/** Whether the owner of the session `s` has ended without releasing it. */
function hasDeadOwner(sql: Sql): ReturnType<Sql['unsafe']> {
  return sql.unsafe(
    'not exists (select from parley.replicas r where r.id = s.owner and r.alive_until > clock_timestamp())',
  );
}

/** By the clock of the database: those of machines differ. */
export function millisecondsNow(sql: Sql): ReturnType<Sql['unsafe']> {
  return sql.unsafe('(extract(epoch from clock_timestamp()) * 1000)::bigint');
}
