import { unknownSession } from '@parley/acp';
import {
  type Replica,
  type ReplicaCommand,
  type Replicas,
  type ReplicaWorkspace,
  type SessionLocation,
  type SharedElsewhere,
  type SilentReplica,
  type TakenCommand,
} from '@parley/host';
import type { HandOverParams, MachinesResult } from '@parley/host/hub';
import { RpcError } from '@parley/wire';
import { isInside } from '../../acp/opening-rules.ts';
import { ownedByApplication } from '../application-sessions.ts';
import type { HubListeners } from '../hub-listeners.ts';
import type { SteeredSessions } from '../sessions/steered-sessions.ts';
import {
  belongsToParent,
  endForHandOver,
  hasFolder,
  hasRoom,
  resumedElsewhere,
  targetOf,
} from './hand-over.ts';
import { SessionUses } from './session-uses.ts';
import { toShared } from './shared-question.ts';
import { appendRemark, takeOver, toContinue, type ReplicatedHub } from './take-over.ts';
import { toOutcome } from './to-outcome.ts';

/** The processes that serve the same sessions. */
export interface HubReplicasOptions {
  readonly replicas: Replicas;
  readonly workspaces: readonly ReplicaWorkspace[];
  /** Agent processes that this process may run. */
  readonly slots: number;
  /** Agent processes in use. */
  readonly taken: () => number;
}

/** Does a command of another replica here. */
export type PerformCommand = (command: TakenCommand) => Promise<unknown>;

/** The replicas of a hub: which of them has a session, commands to it, and sessions that this one takes over. */
export class HubReplicas {
  readonly #table: ReplicatedHub;
  readonly #options: HubReplicasOptions;
  readonly #listeners: HubListeners;
  /** Sessions that are reserved for this process. */
  readonly #reserved = new Set<string>();
  /** Folders of sessions that are elsewhere on the machine that began them. */
  readonly #folders = new Map<string, string>();
  /** Sessions whose event log says that no machine has their folder. */
  readonly #waiting = new Set<string>();
  /** Sessions that this process owns only to append that. */
  readonly #appending = new Set<string>();
  /** Sessions that are being looked at. */
  readonly #looking = new Set<string>();
  /** Sessions that are neither released nor read again, because something is done with them here. */
  readonly #used = new SessionUses();
  readonly #finding = new Map<string, Promise<boolean>>();
  #isLeaving = false;

  constructor(table: ReplicatedHub, options: HubReplicasOptions, listeners: HubListeners) {
    this.#table = table;
    this.#options = options;
    this.#listeners = listeners;
  }

  get all(): readonly Replica[] {
    return this.#replicas.all;
  }

  get silent(): readonly SilentReplica[] {
    return this.#replicas.silent;
  }

  get counts(): Replicas['counts'] {
    return this.#replicas.counts;
  }

  /** The name of this one. */
  get name(): string | undefined {
    return this.#replicas.all.find(({ isThis }) => isThis)?.name;
  }

  /** What others show of the sessions that they run. */
  get shared(): ReadonlyMap<string, SharedElsewhere> {
    return this.#replicas.shared;
  }

  /** Begins to serve together with the others. */
  async join(perform: PerformCommand): Promise<void> {
    const { workspaces, slots, taken } = this.#options;
    const { onFault = () => undefined } = this.#table.options;
    this.#listeners.add({
      session: (key) => {
        this.#share(key);
      },
      questions: (settled) => {
        for (const { key } of this.#steered.questions) this.#share(key);
        if (settled !== undefined) this.#share(settled.key);
      },
    });
    await this.#replicas.join({
      workspaces,
      slots,
      taken,
      isRunnable: (key) => !this.#appending.has(key),
      perform: (command) => toOutcome(this.#perform(command, perform), onFault),
      isWanted: (key) => {
        this.#look(key).catch(onFault);
      },
      isLost: (key) => {
        this.#reserved.delete(key);
        void this.#table.options.eventLogs.lose(key);
        this.#steered.lose(key);
        this.#table.options.applications?.lose(key);
        this.#listeners.session(key);
        this.#listeners.questions();
      },
      onChange: (key) => {
        if (key === undefined) {
          this.#listeners.machines();
          return;
        }
        if (this.shared.has(key) && !this.#isUsed(key)) this.#steered.delete(key);
        void this.#table.find(key).then(() => {
          this.#listeners.session(key);
          this.#listeners.questions();
        });
      },
      onFault,
    });
  }

  /** Where a session is on this machine, if that differs from where it began. */
  folderOf(key: string): string | undefined {
    return this.#folders.get(key);
  }

  /** Whether the folder belongs to a workspace of any replica. */
  has(folder: string): boolean {
    return this.all.some((replica) => hasFolder(replica, folder));
  }

  /** The replica that can begin a session in a folder that this machine does not have. */
  async replicaFor(folder: string): Promise<Replica | undefined> {
    if (await isInside(folder, this.#table.options.workspaces)) return undefined;
    const others = this.all.filter((replica) => !replica.isThis && hasFolder(replica, folder));
    return others.find(hasRoom) ?? others[0];
  }

  /** Whether what is asked of a session is for another replica to do. If it is for this one, the session is reserved for it. */
  async #isElsewhere(key: string): Promise<boolean> {
    if (this.#steered.isActive(key)) return false;
    const location = await this.#replicas.locate(key);
    if (location === undefined) return false;
    if (location.owner === undefined) return !(await this.#reserve(key, location));
    if (!location.owner.isThis || this.#appending.has(key)) return true;
    // Another replica may have handed it over; a session of an application stays until its turn has ended.
    if (!(await this.#table.isOfApplication(key))) this.#adopt(key, location);
    return false;
  }

  /**
   * Has the owner of a session do something, or the next one.
   *
   * @throws {RpcError} What the owner rejects it with.
   * @throws {HostError} `failed`: it may contain a secret, and would be stored in plain.
   */
  async send(
    command: Pick<ReplicaCommand, 'key' | 'target' | 'hasSecret'> & { readonly body: object },
    signal: AbortSignal,
  ): Promise<object> {
    const outcome = await this.#replicas.send({ id: crypto.randomUUID(), ...command }, { signal });
    if ('error' in outcome) {
      const { code, message, data } = outcome.error;
      throw new RpcError(code, message, data);
    }
    return typeof outcome.result === 'object' && outcome.result !== null ? outcome.result : {};
  }

  /**
   * Does something with a session if that is for this process to do; gives undefined if it is for another replica. Afterwards any
   * replica may have the session next, unless its agent runs.
   */
  async here<Result>(
    key: string,
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined> {
    return this.#use(key, async () =>
      (await this.#isElsewhere(key)) ? undefined : { result: await work() },
    );
  }

  /** The live replicas that can run a session. @throws {RpcError} -32002 */
  async machinesFor(key: string): Promise<MachinesResult> {
    const { replicas, folderName } = await this.#expect(key);
    return { machines: replicas.map(({ name }) => name), folder: folderName };
  }

  /** The id of the other replica that runs a session, if one does. */
  async ownerElsewhere(key: string): Promise<string | undefined> {
    const { owner } = await this.#expect(key);
    return owner?.isThis === false ? owner.id : undefined;
  }

  /**
   * Ends the agent of a session that no other replica runs, and lets another replica resume it. Settles when it has resumed.
   *
   * @throws {RpcError} No such replica has its folder and room, a turn runs, or its agent does not start there.
   */
  async handOver(
    { sessionId: key, machine, stopsTurn = false }: HandOverParams,
    signal: AbortSignal,
  ): Promise<void> {
    if (await this.#table.isOfApplication(key)) throw ownedByApplication();
    if (this.#table.session(key)?.parent !== undefined) throw belongsToParent();
    const target = targetOf(await this.#expect(key), machine, this.all);
    const session = this.#steered.get(key);
    if (session !== undefined) await endForHandOver(session, stopsTurn);
    this.#reserved.delete(key);
    if (!(await this.#replicas.handTo(key, target.id))) throw resumedElsewhere();
    this.#steered.delete(key);
    await session?.leave();
    await this.send({ key, body: toContinue(key), hasSecret: false }, signal);
  }

  /** Lets another replica resume a session that was ended here during a turn. */
  async passOn(key: string): Promise<void> {
    this.#reserved.delete(key);
    await this.#replicas.release(key);
    await this.#replicas.post({
      id: crypto.randomUUID(),
      key,
      body: toContinue(key),
      hasSecret: false,
    });
  }

  /** Takes no commands any more, and no sessions. */
  stop(): void {
    this.#isLeaving = true;
    this.#replicas.stop();
  }

  /** Ends the reservation of a session whose event log is not open here. */
  async release(key: string): Promise<void> {
    if (this.#reserved.delete(key)) await this.#replicas.release(key);
  }

  get #steered(): SteeredSessions {
    return this.#table.steered;
  }

  get #replicas(): Replicas {
    return this.#options.replicas;
  }

  async #expect(key: string): Promise<SessionLocation> {
    const location = await this.#replicas.locate(key);
    if (location === undefined) throw unknownSession(key);
    return location;
  }

  async #perform(command: TakenCommand, perform: PerformCommand): Promise<unknown> {
    const { key } = command;
    if (key === '') return perform(command);
    return this.#use(key, async () => {
      if (!this.#reserved.has(key) && !this.#steered.isActive(key)) await this.#findOwn(key);
      return perform(command);
    });
  }

  async #use<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#used.during(key, work);
    } finally {
      // What was done is the outcome, also where the session cannot be released now.
      await this.#settle(key).catch(this.#table.options.onFault);
    }
  }

  /** Whether something is done here with a session, or its agent runs: a session object that is dropped meanwhile would run unseen. */
  #isUsed(key: string): boolean {
    return this.#used.has(key) || this.#steered.isActive(key);
  }

  /** Nothing is done with a session here any more: unless its agent runs, any replica may have it next. */
  async #settle(key: string): Promise<void> {
    if (this.#isUsed(key)) return;
    await this.#steered.write(key);
    if (this.#isUsed(key)) return;
    this.#steered.rest(key);
    if (this.#reserved.delete(key)) await this.#replicas.release(key);
  }

  /** Finds where a session is that this process owns. Commands that wait for it are begun in order. */
  async #findOwn(key: string): Promise<void> {
    const finding = this.#finding.get(key) ?? this.#isElsewhere(key).finally(() => this.#finding.delete(key));
    this.#finding.set(key, finding);
    await finding;
  }

  /** A session has no live owner, and something to do. */
  async #look(key: string): Promise<void> {
    if (this.#isLeaving || this.#looking.has(key)) return;
    this.#looking.add(key);
    try {
      const location = await this.#replicas.locate(key);
      if (location?.owner !== undefined || location === undefined) {
        if (location?.owner?.isThis === true) await this.#replicas.take(key);
        return;
      }
      if (location.folder === undefined) {
        if (location.replicas.length === 0) await this.#sayThatItWaits(key, location);
        return;
      }
      this.#waiting.delete(key);
      await this.#use(key, async () => {
        if (!(await this.#reserve(key, location))) return;
        if (location.isOrphaned) await this.#takeOver(key);
        await this.#replicas.take(key);
      });
    } finally {
      this.#looking.delete(key);
    }
  }

  /** Whether this process has the session now. */
  async #reserve(key: string, location: SessionLocation): Promise<boolean> {
    const { folder, replicas } = location;
    if (folder === undefined) return false;
    const own = replicas.find(({ isThis }) => isThis);
    const isFull = own !== undefined && this.#options.taken() >= own.slots;
    if (isFull && replicas.some((replica) => !replica.isThis && hasRoom(replica))) return false;
    if (!(await this.#replicas.reserve(key))) return false;
    this.#adopt(key, location);
    // Another replica may have had it since.
    this.#table.options.applications?.lose(key);
    return true;
  }

  /** This process has the session from now on. */
  #adopt(key: string, { folder }: SessionLocation): void {
    this.#reserved.add(key);
    if (folder !== undefined) this.#folders.set(key, folder);
  }

  /** The owner has ended during a turn: the turn ends, the agent session is resumed, and the queue continues. */
  async #takeOver(key: string): Promise<void> {
    try {
      await takeOver(this.#table, key);
    } catch (error) {
      this.#table.options.onFault?.(error);
    }
  }

  /** Once, until a machine has its folder; it also ends the turn of an owner that has ended. */
  async #sayThatItWaits(key: string, { folderName, isOrphaned }: SessionLocation): Promise<void> {
    if (this.#waiting.has(key) && !isOrphaned) return;
    this.#appending.add(key);
    try {
      if (!(await this.#replicas.reserve(key))) return;
      const { applications } = this.#table.options;
      if (isOrphaned && applications !== undefined && (await this.#table.isOfApplication(key))) {
        // The application waits for the end of its turn.
        await applications.takeOver(key);
        applications.lose(key);
      }
      await appendRemark(
        this.#table,
        key,
        `No machine of this hub has the folder of the session, ${folderName}. The session resumes when parley serve runs with it as a --workspace.`,
      );
      this.#waiting.add(key);
      await this.#replicas.release(key);
    } finally {
      this.#appending.delete(key);
    }
  }

  #share(key: string): void {
    const session = this.#steered.get(key);
    const shown = session === undefined ? undefined : this.#table.session(key);
    const isShared = session !== undefined && shown !== undefined && this.#steered.isActive(key);
    this.#replicas.share(
      key,
      isShared ? { session: shown, questions: session.questions.map(toShared) } : undefined,
    );
    if (!isShared && session !== undefined) void this.#settle(key).catch(this.#table.options.onFault);
  }
}
