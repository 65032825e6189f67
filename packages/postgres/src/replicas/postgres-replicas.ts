import { existsSync } from 'node:fs';
import type {
  CommandOutcome,
  Replica,
  ReplicaCommand,
  ReplicaMember,
  Replicas,
  SessionLocation,
  SharedElsewhere,
  SharedSession,
  SilentReplica,
} from '@parley/host';
import type { Sql } from 'postgres';
import type { FolderColumns, Leases } from '../leases.ts';
import { whenReachable } from '../when-reachable.ts';
import { within } from '../within.ts';
import { Commands, type CommandSeal } from './commands.ts';
import { Notices } from './notices.ts';
import { ReplicaList, type KnownReplica } from './replica-list.ts';
import { reportFault } from './report-fault.ts';
import { folderName, folderOn, fromColumn, toColumn, toSessionFolder } from './session-folder.ts';
import { SharedSessions } from './shared-sessions.ts';

/** What the replicas of a store need of it. */
export interface PostgresReplicasOptions {
  readonly sql: Sql;
  readonly ready: () => Promise<void>;
  readonly leases: Leases;
  /** The machine, for folders that only it has. */
  readonly host: string;
  /** Encrypts commands. @default they are stored in plain, and those that may contain a secret are refused */
  readonly seal?: CommandSeal;
}

/** The replicas of a store in PostgreSQL. One connection listens for all of them; each sign of life also looks for what was missed. */
export class PostgresReplicas implements Replicas, AsyncDisposable {
  readonly #options: PostgresReplicasOptions;
  readonly #notices: Notices;
  readonly #list: ReplicaList;
  readonly #commands: Commands;
  readonly #shared: SharedSessions;
  #member: ReplicaMember | undefined;
  #looking: Promise<void> | undefined;
  #nextLook: Promise<void> | undefined;
  #isEnding = false;

  constructor(options: PostgresReplicasOptions) {
    const { sql, leases } = options;
    this.#options = options;
    this.#notices = new Notices(sql);
    this.#list = new ReplicaList(options);
    this.#commands = new Commands({ ...options, notices: this.#notices });
    this.#shared = new SharedSessions({ sql, owner: leases.id, notices: this.#notices });
  }

  /** Whether this process serves together with others. */
  get isServing(): boolean {
    return this.#member !== undefined;
  }

  get all(): readonly Replica[] {
    return this.#list.all;
  }

  get silent(): readonly SilentReplica[] {
    return this.#list.silent;
  }

  get counts(): Replicas['counts'] {
    return { leaseChanges: this.#options.leases.changes, commandsWaiting: this.#commands.waiting };
  }

  get shared(): ReadonlyMap<string, SharedElsewhere> {
    return this.#shared.all;
  }

  /** The columns of a new session in a folder. */
  folderColumns(cwd: string): FolderColumns {
    const member = this.#member;
    if (member === undefined) return { workspace: null, folder: null };
    const { host } = this.#options;
    const stored = toSessionFolder(cwd, { host, workspaces: member.workspaces });
    return { workspace: toColumn(stored), folder: stored.folder };
  }

  async join(member: ReplicaMember): Promise<void> {
    const { ready, leases, host } = this.#options;
    await ready();
    this.#member = member;
    this.#commands.serve(member);
    this.#shared.serve((key) => {
      member.onChange(key);
    });
    await this.#list.prune();
    const workspaces = JSON.stringify({ host, folders: member.workspaces });
    await leases.serve({
      row: () => ({ workspaces, slots: member.slots, taken: member.taken() }),
      onBeat: () => {
        // What cannot be looked at now is looked at with the next sign of life.
        this.#look(member).catch(() => undefined);
      },
      onLost: (key) => {
        this.#shared.share(key, undefined);
        this.#commands.drop(key);
        member.isLost(key);
      },
    });
    await this.#look(member);
    await this.#notices.listen({
      command: (key) => this.#commands.onCommand(key),
      target: (id) => (id === leases.id ? this.#commands.take('') : undefined),
      outcome: (id) => this.#commands.onOutcome(id),
      cancel: (id) => {
        this.#commands.cancel(id);
      },
      shared: (keys) => this.#shared.read(keys),
      replicas: () => this.#look(member),
      missed: async () => {
        await this.#shared.read(undefined);
        await this.#look(member);
      },
      onFault: (error) => {
        reportFault(member, error);
      },
    });
    await this.#notices.send('replicas', '');
  }

  async locate(key: string): Promise<SessionLocation | undefined> {
    const { sql, ready, leases } = this.#options;
    await ready();
    const [row] = await whenReachable(
      () => sql`
        select s.owner, s.workspace, s.folder, s.start, r.name, coalesce(r.alive_until > clock_timestamp(), false) as is_alive
        from parley.sessions s left join parley.replicas r on r.id = s.owner where s.key = ${key}`,
    );
    const start: unknown = typeof row?.['start'] === 'string' ? JSON.parse(row['start']) : undefined;
    if (row === undefined || !hasFolder(start)) return undefined;
    const stored = fromColumn(row['workspace'], String(row['folder'] ?? start.cwd));
    const isOn = (replica: KnownReplica): boolean =>
      folderOn(replica.folders, stored) !== undefined || isWorktreeOf(replica.folders.host, row, start);
    const own = this.#list.own;
    const isWorktreeHere =
      own !== undefined && isWorktreeOf(own.folders.host, row, start) && existsSync(start.cwd);
    const folder = own && (folderOn(own.folders, stored) ?? (isWorktreeHere ? start.cwd : undefined));
    const { owner, name, is_alive: isAlive } = row;
    return {
      ...(typeof owner === 'string' &&
        isAlive === true && { owner: { id: owner, name: String(name), isThis: leases.isOwn(owner) } }),
      ...(folder !== undefined && { folder }),
      replicas: this.#list.known.filter(isOn).map(({ replica }) => replica),
      folderName: folderName(stored),
      isOrphaned: owner !== null && isAlive !== true,
    };
  }

  async reserve(key: string): Promise<boolean> {
    await this.#options.ready();
    return this.#options.leases.reserve(key);
  }

  async release(key: string): Promise<void> {
    if (await this.#options.leases.unreserve(key)) await this.#notices.send('command', key);
  }

  async handTo(key: string, replica: string): Promise<boolean> {
    await this.#options.ready();
    if (!(await this.#options.leases.handTo(key, replica))) return false;
    this.#commands.drop(key);
    return true;
  }

  async send(command: ReplicaCommand, { signal }: { readonly signal: AbortSignal }): Promise<CommandOutcome> {
    await this.#options.ready();
    return this.#commands.send(command, signal);
  }

  async post(command: ReplicaCommand): Promise<void> {
    await this.#options.ready();
    await this.#commands.store(command);
  }

  take(key: string): Promise<void> {
    return this.#commands.take(key);
  }

  share(key: string, shared: SharedSession | undefined): void {
    this.#shared.share(key, shared);
  }

  sharedOf(key: string): SharedElsewhere | undefined {
    return this.#shared.all.get(key);
  }

  stop(): void {
    this.#commands.serve(undefined);
  }

  /** Ends with the process: other replicas may have its sessions. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { leases } = this.#options;
    this.#isEnding = true;
    if (this.#member === undefined) return leases[Symbol.asyncDispose]();
    this.stop();
    await Promise.all([this.#commands.settled(), this.#shared.end()]);
    // It must not wake itself, nor look at what it has left.
    await within(lastLooksMs, [this.#notices.close(), this.#looking, this.#nextLook]);
    await leases[Symbol.asyncDispose]();
    await within(lastLooksMs, [this.#notices.send('replicas', '')]);
  }

  /** Looks which replicas there are, and for work that was missed. Settles when all is seen that was there when it was called. */
  async #look(member: ReplicaMember): Promise<void> {
    if (this.#isEnding) return;
    // One look at a time; all that are wanted meanwhile are one more.
    this.#nextLook ??= (this.#looking ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        this.#looking = this.#nextLook;
        this.#nextLook = undefined;
        return this.#lookForAll(member);
      });
    await this.#nextLook;
  }

  /** Sessions whose owner has ended, and commands that wait. */
  async #lookForAll(member: ReplicaMember): Promise<void> {
    const { sql, leases } = this.#options;
    const isEnding = (): boolean => this.#isEnding;
    if (isEnding()) return;
    const changed = await this.#list.look();
    if (isEnding()) return;
    if (changed !== 'nothing') member.onChange();
    // A replica that was killed cannot say that it shows nothing any more.
    if (changed === 'members') await this.#shared.read(undefined);
    if (isEnding()) return;
    if (this.#list.own === undefined) {
      // It was frozen, or cut off, and the others may have its sessions.
      leases.beat().catch(() => undefined);
      return;
    }
    const orphaned = await sql`
      select s.key from parley.sessions s left join parley.replicas r on r.id = s.owner
      where s.owner is not null and (r.id is null or r.alive_until <= clock_timestamp())`;
    if (isEnding()) return;
    for (const row of orphaned) member.isWanted(String(row['key']));
    await this.#commands.look();
  }
}

/** How long what was begun may take when the process ends. */
const lastLooksMs = 500;

interface StartOfSession {
  readonly cwd: string;
  readonly worktree?: unknown;
}

function hasFolder(start: unknown): start is StartOfSession {
  return typeof start === 'object' && start !== null && 'cwd' in start && typeof start.cwd === 'string';
}

/** Worktrees are in the state folder of a machine, outside its workspaces. */
function isWorktreeOf(host: string, row: Readonly<Record<string, unknown>>, start: StartOfSession): boolean {
  return start.worktree !== undefined && row['workspace'] === `:${host}`;
}
