import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TestPostgres } from '@parley/conformance';
import { runSql } from '../postgres.ts';
import { Choices, type ChaosOptions } from './chaos-options.ts';
import { ChaosReplica, leaseSeconds, type SharedPlaces } from './chaos-replica.ts';

/** What is done to replicas, or to their database. */
export const faults = [
  'kill',
  'freeze',
  'silent',
  'slow',
  'refuse',
  'half-close',
  'restart-database',
  'kill-database',
] as const;

/** One of {@link faults}. */
export type Fault = (typeof faults)[number];

const agent = fileURLToPath(new URL('../agents/numbered.mjs', import.meta.url));

/** The process of an agent. */
export interface ChaosAgent {
  readonly pid: number;
  /** The name of the replica that started it. */
  readonly replica: string;
  readonly sessionIds: readonly string[];
}

/** Replicas over one database, which are disturbed. */
export class ChaosStage implements AsyncDisposable {
  readonly places: SharedPlaces;
  readonly replicas: ChaosReplica[] = [];
  readonly options: ChaosOptions;
  /** Called with a replica that clients have to leave. */
  onLeave: (replica: ChaosReplica) => void = () => {};
  /** Agents of a frozen replica that did not end when it continued. */
  left: readonly ChaosAgent[] = [];
  /** What was done, and how long the next owners took. */
  readonly #done: string[] = [];
  readonly #server: TestPostgres;
  readonly #choices: Choices;

  constructor(
    server: TestPostgres,
    options: ChaosOptions,
    { root, database }: { readonly root: string; readonly database: string },
  ) {
    this.#server = server;
    this.options = options;
    this.#choices = new Choices(options.seed);
    // With more sessions, each does less at a time.
    const pauseMs = Math.max(60, options.sessions * 8);
    const files = [path.join(root, 'effects'), String(pauseMs), path.join(root, 'processes')];
    this.places = {
      root,
      database,
      token: crypto.randomUUID(),
      agent: [process.execPath, agent, ...files],
    };
  }

  async open(): Promise<void> {
    for (let number = 1; number <= this.options.replicas; number += 1) {
      this.replicas.push(await ChaosReplica.open(`r${String(number)}`, this.places));
    }
  }

  get cwd(): string {
    return path.join(this.places.root, 'shared');
  }

  /** The replica for a client to connect to. */
  choose(choices: Choices): ChaosReplica {
    const serving = this.replicas.filter(({ isServing }) => isServing);
    return choices.of(serving.length > 0 ? serving : this.replicas);
  }

  /** What the agents did, a line for each side effect. */
  get effects(): readonly string[] {
    return linesIn(path.join(this.places.root, 'effects'));
  }

  /** The processes of agents that run, the replicas that started them, and what they call their sessions. */
  get agents(): readonly ChaosAgent[] {
    const agents = new Map<number, { pid: number; replica: string; sessionIds: string[] }>();
    for (const line of linesIn(path.join(this.places.root, 'processes'))) {
      const [pid, replica = '', sessionId] = line.split(' ');
      const started = agents.get(Number(pid)) ?? { pid: Number(pid), replica, sessionIds: [] };
      agents.set(started.pid, started);
      if (sessionId !== undefined) started.sessionIds.push(sessionId);
    }
    return [...agents.values()].filter(({ pid }) => runs(pid));
  }

  /** Does the next thing, and undoes it. */
  async disturb(fault: Fault): Promise<void> {
    const replica = this.#choices.of(this.replicas);
    this.note(`${fault} ${replica.name}`);
    switch (fault) {
      case 'kill':
        return this.#kill(replica);
      case 'freeze':
        return this.#freeze(replica);
      case 'silent':
      case 'slow':
      case 'refuse':
        replica.proxy.mode = fault;
        await this.#pass(this.#choices.count(1, 4) / 2);
        replica.proxy.mode = 'pass';
        return undefined;
      case 'half-close':
        replica.proxy.halfClose(this.#choices.of(['client', 'server'] as const));
        return undefined;
      case 'restart-database':
      case 'kill-database':
        this.#server.server?.kill(fault === 'kill-database' ? 'SIGKILL' : 'SIGINT');
        await this.#pass(this.#choices.next());
        await this.#server.server?.restart();
    }
  }

  /** For the log of a run. */
  note(text: string): void {
    this.#done.push(text);
    if (process.env['PARLEY_CHAOS'] !== undefined) process.stdout.write(`${text}\n`);
  }

  /** What happened. */
  get report(): string {
    return this.#done.join(', ');
  }

  /** Settles when each replica answers that it is ready. */
  async ready(): Promise<void> {
    const since = performance.now();
    for (const replica of this.replicas) {
      while ((await fetch(`${replica.url}/readyz`).catch(() => undefined))?.ok !== true) {
        if (replica.failure !== undefined) throw replica.failure;
        await delay(pollMs);
      }
    }
    this.note(`all were ready after ${inSeconds(performance.now() - since)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const replica of this.replicas) {
      await replica.end('SIGKILL');
      await replica.proxy[Symbol.asyncDispose]();
    }
  }

  async #kill(replica: ChaosReplica): Promise<void> {
    const [row] = await runSql(
      this.places.database,
      `select id from parley.replicas where name = '${replica.name}' and alive_until > clock_timestamp()`,
    );
    const since = performance.now();
    await replica.end('SIGKILL');
    this.onLeave(replica);
    if (this.replicas.length > 1 && row !== undefined) await this.#expectTakenOver(String(row['id']), since);
    await replica.start();
  }

  /** Its agents are not stopped: others take their sessions over, and they have to end when it goes on. */
  async #freeze(replica: ChaosReplica): Promise<void> {
    replica.isServing = false;
    const frozen = performance.now();
    replica.signal('SIGSTOP');
    const before = this.agents.filter((started) => started.replica === replica.name);
    this.onLeave(replica);
    const [row] = await runSql(
      this.places.database,
      `select id from parley.replicas where name = '${replica.name}' order by alive_until desc limit 1`,
    );
    if (row !== undefined) await this.#expectTakenOver(String(row['id']), frozen);
    const since = performance.now();
    replica.signal('SIGCONT');
    await this.#until(() => {
      this.left = before.filter(({ pid }) => runs(pid));
      return this.left.length === 0;
    });
    this.#judge(`the agents of ${replica.name} ended`, { since, limitMs: endMs });
    replica.isServing = true;
  }

  async #expectTakenOver(id: string, since: number): Promise<void> {
    await this.#until(async () => {
      const rows = await runSql(
        this.places.database,
        `select from parley.sessions where owner = '${id}' and start is not null`,
      );
      return rows.length === 0;
    });
    this.#judge('taken over', { since, limitMs: recoveryMs });
  }

  /** Counts looks, not seconds: where the machine is busy, both take longer. @throws {Error} Far more than in two leases. */
  async #until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (let looks = 0; !(await isSo()); looks += 1) {
      if (looks > mostLooks) throw new Error(`not within ${String(mostLooks)} looks: ${this.report}`);
      await delay(pollMs);
    }
  }

  /** Notes how long something took. @throws {Error} Longer than the contract says, in a strict run. */
  #judge(what: string, { since, limitMs }: { readonly since: number; readonly limitMs: number }): void {
    const ms = performance.now() - since;
    this.note(`${what} after ${inSeconds(ms)}`);
    if (this.options.isStrict && ms > limitMs) {
      throw new Error(`${what} after ${inSeconds(ms)}, not within ${inSeconds(limitMs)}: ${this.report}`);
    }
  }

  /** So many leases. */
  async #pass(leases: number): Promise<void> {
    await delay(leases * leaseSeconds * 1000);
  }
}

/** Pause between looks. */
const pollMs = 100;

/** Looks after which something will not happen any more, in twice the lease and much more: a busy machine is no defect. */
const mostLooks = (10 * 2 * leaseSeconds * 1000) / pollMs;

/** Sessions of a replica that was killed, or frozen, have another owner. */
const recoveryMs = 2 * leaseSeconds * 1000;

/** The agents of a replica that goes on after it was frozen for longer than its lease have ended. */
const endMs = 5000;

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function linesIn(file: string): readonly string[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended, and that its parent has not noticed yet.
    return (
      !existsSync('/proc/self') || !/^State:\s+Z/mu.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))
    );
  } catch {
    return false;
  }
}
