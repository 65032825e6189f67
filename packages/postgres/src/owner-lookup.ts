import type { SessionOwner } from '@parley/host';
import type { Sql } from 'postgres';
import { whenReachable } from './when-reachable.ts';

/**
 * Looks up which processes own sessions. What is asked while a statement runs is asked with the next one: thousands of followers of
 * turns elsewhere check their owners with few statements.
 */
export class OwnerLookup {
  readonly #sql: Sql;
  readonly #isOwn: (id: string) => boolean;
  #waiting = new Map<string, Asked[]>();
  #isRunning = false;

  constructor(sql: Sql, isOwn: (id: string) => boolean) {
    this.#sql = sql;
    this.#isOwn = isOwn;
  }

  /** The process that holds the lease of a session. */
  of(key: string): Promise<SessionOwner | undefined> {
    return new Promise((resolve, reject) => {
      const asked = this.#waiting.get(key) ?? [];
      this.#waiting.set(key, asked);
      asked.push({ resolve, reject });
      void this.#run();
    });
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      const waiting = this.#waiting;
      this.#waiting = new Map();
      try {
        const owners = await whenReachable(() => this.#read([...waiting.keys()]));
        for (const [key, asked] of waiting) for (const { resolve } of asked) resolve(owners.get(key));
      } catch (error) {
        for (const { reject } of [...waiting.values()].flat()) reject(error);
      }
    }
    this.#isRunning = false;
  }

  async #read(keys: readonly string[]): Promise<ReadonlyMap<string, SessionOwner>> {
    const sql = this.#sql;
    const rows = await sql`
      select s.key, r.id, r.name from parley.sessions s join parley.replicas r on r.id = s.owner
      where s.key = any(${[...keys]}) and r.alive_until > clock_timestamp()`;
    return new Map(
      rows.map((row) => [
        String(row['key']),
        { name: String(row['name']), isThis: this.#isOwn(String(row['id'])) },
      ]),
    );
  }
}

interface Asked {
  resolve(owner: SessionOwner | undefined): void;
  reject(error: unknown): void;
}
