import { setTimeout as delay } from 'node:timers/promises';
import { HostError, type CommandOutcome, type ReplicaCommand, type ReplicaMember } from '@parley/host';
import type { Sql } from 'postgres';
import type { Leases } from '../leases.ts';
import { whenReachable } from '../when-reachable.ts';
import { within } from '../within.ts';
import { Notices } from './notices.ts';
import { reportFault } from './report-fault.ts';

/** What the commands of a store need. */
export interface CommandsOptions {
  readonly sql: Sql;
  readonly leases: Leases;
  readonly notices: Notices;
  /** @default commands are stored in plain, and those that may contain a secret are refused */
  readonly seal?: CommandSeal;
}

/** How long the outcome of a command stays in the store, if its sender does not read it. */
const storedMs = 60_000;

/** Encrypts what commands between replicas contain: keys that a user typed may be among it. */
export interface CommandSeal {
  seal(plain: string): Promise<string>;
  /** Undefined where it was sealed with another key. */
  open(sealed: string): Promise<string | undefined>;
}

/** Commands from one replica to another: stored, taken once by the owner of their session, in order, and answered. */
export class Commands {
  readonly #options: CommandsOptions;
  /** Those that were sent from here and are not done. */
  readonly #sent = new Map<string, (outcome: CommandOutcome) => void>();
  /** Those that are done here, by id, until their outcome is stored. */
  readonly #running = new Map<string, RunningCommand>();
  /** Outcomes that are not stored yet. */
  readonly #finishing = new Set<Promise<void>>();
  /** One look at the commands of a session at a time. */
  readonly #taking = new Map<string, Promise<void>>();
  #member: ReplicaMember | undefined;
  #waiting = 0;

  constructor(options: CommandsOptions) {
    this.#options = options;
  }

  /** Commands of all replicas that wait for an owner, when it was looked last. */
  get waiting(): number {
    return this.#waiting;
  }

  serve(member: ReplicaMember | undefined): void {
    this.#member = member;
  }

  /** Settles when the outcomes of what was done here are stored, or after a while. */
  async settled(): Promise<void> {
    await within(lastOutcomesMs, [...this.#finishing]);
  }

  /** Stores a command, unless it is stored already. @throws {HostError} `failed`: it may contain a secret, and there is no key. */
  async store(command: ReplicaCommand): Promise<void> {
    this.#check(command);
    const { id, key, target, body } = command;
    const { sql } = this.#options;
    const text = await this.#sealed(JSON.stringify(body));
    const notice =
      target === undefined
        ? Notices.sql(sql, 'command', sql`${key}::text`)
        : Notices.sql(sql, 'target', sql`${target}::text`);
    await whenReachable(
      () => sql`
        with stored as (
          insert into parley.commands (id, key, target, body)
          values (${id}, ${key}, ${target ?? null}, ${text})
          on conflict (id) do nothing
        )
        select ${notice}`,
    );
  }

  async send(command: ReplicaCommand, signal: AbortSignal): Promise<CommandOutcome> {
    this.#check(command);
    const { sql } = this.#options;
    const { id } = command;
    const outcome = new Promise<CommandOutcome>((resolve) => {
      this.#sent.set(id, resolve);
    });
    const onAbort = (): void => {
      sql`
        with cancelled as (update parley.commands set is_cancelled = true where id = ${id} and done_at is null)
        select ${Notices.sql(sql, 'cancel', sql`${id}::text`)}`.catch((error: unknown) => {
        reportFault(this.#member, error);
      });
    };
    try {
      await this.store(command);
      // It may have been done before, when it was sent first.
      await whenReachable(() => this.onOutcome(id));
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      return await outcome;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#sent.delete(id);
      // What is not deleted here is deleted soon.
      sql`delete from parley.commands where id = ${id} and done_at is not null`.catch(() => undefined);
    }
  }

  #check({ hasSecret }: ReplicaCommand): void {
    if (hasSecret && this.#options.seal === undefined) throw new HostError('failed', noKey);
  }

  /** Commands wait for the owner of a session. */
  async onCommand(key: string): Promise<void> {
    await this.#onWaiting(key, { isLeft: false });
  }

  /** @param isLeft Whether this replica took some of them, and lost the session before they were done: its owner may not know. */
  async #onWaiting(key: string, { isLeft }: { readonly isLeft: boolean }): Promise<void> {
    const { sql, leases, notices } = this.#options;
    const [row] = await sql`
      select s.owner, coalesce(r.alive_until > clock_timestamp(), false) as is_alive from parley.sessions s
      left join parley.replicas r on r.id = s.owner where s.key = ${key}`;
    if (row === undefined) return;
    const { owner, is_alive: isAlive } = row;
    if (typeof owner === 'string' && leases.isOwn(owner)) await this.take(key);
    else if (isAlive === true) {
      if (isLeft) await notices.send('command', key);
    } else if (await this.#hasWaiting(key)) this.#member?.isWanted(key);
  }

  /** Does the commands of a session that this process owns; for an empty key, those for this process. */
  take(key: string): Promise<void> {
    const before = this.#taking.get(key) ?? Promise.resolve();
    const taken = before.catch(() => undefined).then(() => this.#take(key));
    this.#taking.set(key, taken);
    return taken.finally(() => {
      if (this.#taking.get(key) === taken) this.#taking.delete(key);
    });
  }

  async onOutcome(id: string): Promise<void> {
    if (this.#sent.has(id)) await this.#readOutcomes([id]);
  }

  cancel(id: string): void {
    this.#running.get(id)?.abort.abort();
  }

  /** A session was lost: its commands are done by its next owner, save those that only have to be stored. */
  drop(key: string): void {
    for (const [id, running] of this.#running) {
      if (running.key !== key || running.isDone) continue;
      this.#running.delete(id);
      running.abort.abort();
    }
  }

  /** Looks for what was missed. */
  async look(): Promise<void> {
    const { sql, leases } = this.#options;
    if (this.#sent.size > 0) {
      await this.#endUnanswered();
      await this.#readOutcomes([...this.#sent.keys()]);
    }
    // Also those that another owner left, or this replica before it lost the session for a while.
    const rows = await sql`
      select c.key, count(*) as waiting, coalesce(bool_or(c.taken_by = ${leases.id}), false) as is_left
      from parley.commands c
      where c.done_at is null and (c.taken_by is null
        or c.taken_by = ${leases.id} and c.id <> all(${[...this.#running.keys()]})
        or not exists (select from parley.replicas r where r.id = c.taken_by and r.alive_until > clock_timestamp()))
      group by c.key`;
    this.#waiting = rows.reduce((sum, row) => sum + Number(row['waiting']), 0);
    for (const row of rows) {
      const key = String(row['key']);
      await (key === '' ? this.take('') : this.#onWaiting(key, { isLeft: row['is_left'] === true }));
    }
    await sql`delete from parley.commands where done_at < clock_timestamp() - ${storedMs} * interval '1 millisecond'`;
  }

  /** A command to one replica, which has ended, is done by no other. */
  async #endUnanswered(): Promise<void> {
    const { sql } = this.#options;
    const message = 'the machine that was asked has ended; whether it was done is unknown';
    const outcome: CommandOutcome = { error: { code: -32_603, message } };
    await sql`
      update parley.commands c set outcome = ${await this.#toText(outcome)}, done_at = clock_timestamp()
      where c.id = any(${[...this.#sent.keys()]}) and c.target is not null and c.done_at is null
        and not exists (select from parley.replicas r where r.id = c.target and r.alive_until > clock_timestamp())`;
  }

  async #hasWaiting(key: string): Promise<boolean> {
    const { sql } = this.#options;
    const [row] = await sql`
      select from parley.commands where key = ${key} and done_at is null limit 1`;
    return row !== undefined;
  }

  /** Settles when they are begun, in order. */
  async #take(key: string): Promise<void> {
    const { sql, leases } = this.#options;
    const member = this.#member;
    if (member === undefined || member.isRunnable?.(key) === false) return;
    const { id: own } = leases;
    const isMine =
      key === ''
        ? sql`c.target = ${own}`
        : sql`exists (select from parley.sessions s where s.key = c.key and s.owner = ${own})`;
    const rows = await sql`
      with open as (
        select c.n, c.taken_by is not null as is_retaken from parley.commands c
        where c.key = ${key} and c.done_at is null and ${isMine}
          and (c.taken_by is distinct from ${own} or c.id <> all(${[...this.#running.keys()]}))
        order by c.n for update
      ), taken as (
        update parley.commands c set taken_by = ${own} from open where c.n = open.n
        returning c.n, c.id, c.body, c.is_cancelled, open.is_retaken
      )
      select * from taken order by n`;
    const taken = rows.map((row) => {
      const id = String(row['id']);
      const abort = new AbortController();
      if (row['is_cancelled'] === true) abort.abort();
      // Another replica had it in between.
      this.#running.get(id)?.abort.abort();
      const running: RunningCommand = { key, abort, isDone: false };
      this.#running.set(id, running);
      return { id, running, isRetaken: row['is_retaken'] === true, text: String(row['body']) };
    });
    const bodies = await Promise.all(taken.map(({ text }) => this.#read(text)));
    // Begun in order; each may take as long as a turn.
    for (const [index, { id, running, isRetaken }] of taken.entries()) {
      const body = bodies[index];
      const performing =
        body === undefined
          ? Promise.resolve({ error: otherKey })
          : member.perform({ id, key, body, isRetaken, signal: running.abort.signal });
      const finishing = this.#finish(id, running, performing).finally(() => {
        this.#finishing.delete(finishing);
      });
      this.#finishing.add(finishing);
    }
  }

  #sealed(json: string): Promise<string> {
    const { seal } = this.#options;
    return seal === undefined ? Promise.resolve(json) : seal.seal(json);
  }

  /** What a row holds; undefined where this replica has another key, or none. Never rejects. */
  async #read(text: string): Promise<unknown> {
    try {
      const { seal } = this.#options;
      const json = seal === undefined ? text : await seal.open(text);
      return json === undefined ? undefined : JSON.parse(json);
    } catch {
      return undefined;
    }
  }

  /** Never rejects. */
  async #finish(id: string, running: RunningCommand, performing: Promise<CommandOutcome>): Promise<void> {
    const outcome = await performing.catch((error: unknown) => {
      reportFault(this.#member, error);
      return { error: failed };
    });
    // Dropped, and perhaps begun again.
    if (this.#running.get(id) !== running) return;
    running.isDone = true;
    await this.#storeOutcome(id, await this.#toText(outcome));
    if (this.#running.get(id) === running) this.#running.delete(id);
  }

  /** An outcome as it is stored: empty where it cannot be. Never rejects. */
  async #toText(outcome: CommandOutcome): Promise<string> {
    try {
      const json = JSON.stringify(outcome);
      return await this.#sealed(json);
    } catch (error) {
      reportFault(this.#member, error);
      return '';
    }
  }

  /** Never rejects. */
  async #storeOutcome(id: string, text: string): Promise<void> {
    const { sql, leases } = this.#options;
    for (let attempt = 0; ; attempt += 1) {
      try {
        await sql`
          with done as (
            update parley.commands set outcome = ${text}, body = '', done_at = clock_timestamp()
            where id = ${id} and done_at is null and taken_by = ${leases.id}
          )
          select ${Notices.sql(sql, 'outcome', sql`${id}::text`)}`;
        return;
      } catch (error) {
        // The database cannot be reached: the sender waits as well.
        if (this.#member === undefined || attempt === mostAttempts) {
          reportFault(this.#member, error);
          return;
        }
        await delay(retryMs);
      }
    }
  }

  async #readOutcomes(ids: readonly string[]): Promise<void> {
    const rows = await this.#options.sql`
      select id, outcome from parley.commands where id = any(${[...ids]}) and done_at is not null`;
    for (const row of rows) {
      const text = String(row['outcome']);
      const outcome = text === '' ? { error: failed } : ((await this.#read(text)) ?? { error: otherKey });
      if (isOutcome(outcome)) this.#sent.get(String(row['id']))?.(outcome);
    }
  }
}

/** An outcome as `#finish` stored it; a result of nothing is left out by JSON. */
function isOutcome(value: unknown): value is CommandOutcome {
  return typeof value === 'object' && value !== null;
}

/** A command that is done here. */
interface RunningCommand {
  readonly key: string;
  readonly abort: AbortController;
  /** Whether only its outcome has to be stored. */
  isDone: boolean;
}

const failed = {
  code: -32603,
  message:
    'the result could not be passed on; whether it was done is unknown: see the log of the machine that was asked',
};

const noKey =
  'not sent to the machine that has to do it, because it may contain a secret, which the database would store in plain: ' +
  'start all replicas with the same --secrets-key, or connect to that machine';

const otherKey = {
  code: -32603,
  message: 'a replica has another key of --secrets-key, or none: give all replicas the same key',
};

/** How long commands may take to end when the process ends: another replica does what is left of them. */
const lastOutcomesMs = 500;

/** Pause between attempts to store an outcome. */
const retryMs = 500;

/** Attempts to store an outcome: for ten minutes. */
const mostAttempts = 1200;
