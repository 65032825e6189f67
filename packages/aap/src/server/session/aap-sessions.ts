import { maySee, type Access } from '../access.ts';
import { RequestError } from '../request-error.ts';
import type { RunStop } from '../served-agent.ts';
import type { ServerContext } from '../server-context.ts';
import { unknownOutcomeText } from '../turn/run-outcome.ts';
import { parseHead, toHead, type AapSessionHead } from './aap-session-head.ts';
import { parseAapSessionRecord, type SessionCreated, type AapSessionRecord } from './aap-session-record.ts';
import { AapSessionState } from './aap-session-state.ts';
import { AapSession, storeFailed } from './aap-session.ts';
import { expectSameBody, type Idempotency } from './idempotency.ts';

interface Loaded {
  readonly session: Promise<AapSession>;
  /** Who works with it right now. */
  uses: number;
}

interface Created {
  readonly idempotency: Idempotency;
  readonly sessionId: Promise<string>;
}

/** A session that the store failed, as far as it matters when it is read again. */
interface Failed {
  readonly turnId: string | undefined;
  /** Settles when its run has ended. */
  readonly ended: Promise<void>;
}

/** The sessions of a server: those in memory, and how the others get there. */
export class AapSessions {
  readonly #context: ServerContext;
  /** By their ids, those used last at the end. */
  readonly #loaded = new Map<string, Loaded>();
  /** Those that the store failed, until they are read again, and while the end of their turn is not stored. */
  readonly #failed = new Map<string, Failed>();
  #recovery: Promise<void> | undefined;
  /** What requests with a key made, oldest first. */
  #created: Promise<Map<string, Created>> | undefined;

  constructor(context: ServerContext) {
    this.#context = context;
  }

  /** Makes a session, or finds the one that the same request made before. Returns its id. */
  async create(
    { tenant }: Access,
    idempotency: Idempotency | undefined,
    toRecord: () => Promise<SessionCreated>,
  ): Promise<string> {
    if (idempotency === undefined) return this.#make(await toRecord());
    const name = JSON.stringify([tenant ?? null, idempotency.key]);
    this.#created ??= this.#readKeys().catch((error: unknown) => {
      this.#created = undefined;
      throw error;
    });
    const keys = await this.#created;
    const before = keys.get(name);
    if (before !== undefined) {
      expectSameBody(before.idempotency, idempotency);
      return before.sessionId;
    }
    const sessionId = this.#makeOnce({ name, idempotency }, async () => this.#make(await toRecord()));
    keys.set(name, { idempotency, sessionId });
    sessionId.catch(() => keys.delete(name));
    forgetOldest(keys, this.#context.limits.createdKeys);
    return sessionId;
  }

  /**
   * Works with a session, which stays in memory meanwhile.
   *
   * @throws {RequestError} There is no such session, or it belongs to another owner.
   */
  async use<T>(sessionId: string, access: Access, work: (session: AapSession) => Promise<T>): Promise<T> {
    // Before it is read: the time that takes would reveal that another tenant has such a session.
    if (!this.#isListedFor(access, sessionId)) throw unknownSession();
    const loaded = this.#take(sessionId);
    loaded.uses += 1;
    try {
      const session = await loaded.session;
      if (session.isBroken) {
        this.#fail(sessionId, loaded, session);
        return await this.use(sessionId, access, work);
      }
      if (session.isDeleted || !maySee(access, session.state.tenant)) throw unknownSession();
      await session.expireLeftCalls();
      return await work(session);
    } finally {
      loaded.uses -= 1;
      await this.#dropUnlessWhole(sessionId, loaded);
      await this.#makeRoom();
    }
  }

  /** Reads a session again when it is needed. What runs for it is ended, and stores nothing. */
  forget(sessionId: string): void {
    const loaded = this.#loaded.get(sessionId);
    this.#loaded.delete(sessionId);
    loaded?.session.then(
      (session) => session.abandon(),
      () => undefined,
    );
    // Its agent may run although no turn does.
    for (const agent of this.#context.agents()) void agent.release?.(sessionId);
  }

  /** Deletes a session, and ends its run. */
  async delete(sessionId: string, access: Access): Promise<void> {
    await this.use(sessionId, access, async (session) => {
      await session.markDeleted();
      await this.#context.store.remove(sessionId);
      this.#loaded.delete(sessionId);
      const agent = this.#context.agents().find(({ info }) => info.name === session.state.agent.name);
      await agent?.forget?.(sessionId, session.state.remembered);
    });
  }

  /** The head of each session that the caller may see. */
  async *heads(
    access: Access,
  ): AsyncGenerator<{ readonly sessionId: string; readonly head: AapSessionHead }> {
    this.#recovery ??= this.#recover().catch((error: unknown) => {
      this.#recovery = undefined;
      throw error;
    });
    await this.#recovery;
    for await (const { sessionId, head: value } of this.#context.store.list()) {
      const head = parseHead(value);
      if (head === undefined || !maySee(access, head.tenant)) continue;
      const isRunning = head.status === 'running' && this.#context.store.isElsewhere?.(sessionId) !== true;
      yield { sessionId, head: isRunning ? await this.#headOf(sessionId, head) : head };
    }
  }

  /** The store knows a turn as running until its end is stored. */
  async #headOf(sessionId: string, stored: AapSessionHead): Promise<AapSessionHead> {
    const session = await this.#loaded.get(sessionId)?.session.catch(() => undefined);
    if (session?.isBroken === true || this.#failed.has(sessionId)) {
      return this.use(sessionId, { seesAll: true }, ({ state }) => Promise.resolve(toHead(state)));
    }
    return session === undefined || session.owed.length === 0 ? stored : toHead(session.state);
  }

  /** Loaded sessions with a run. */
  async active(): Promise<readonly AapSession[]> {
    const sessions = await Promise.allSettled([...this.#loaded.values()].map(({ session }) => session));
    return sessions.flatMap((each) =>
      each.status === 'fulfilled' && !each.value.isIdle ? [each.value] : [],
    );
  }

  /** Ends all runs. */
  async stopAll(reason: RunStop): Promise<void> {
    await Promise.all([
      ...(await this.active()).map((session) => session.stop(reason)),
      ...Array.from(this.#failed.values(), ({ ended }) => ended),
    ]);
  }

  #isListedFor(access: Access, sessionId: string): boolean {
    if (access.seesAll === true) return true;
    const head = parseHead(this.#context.store.head(sessionId));
    return head !== undefined && maySee(access, head.tenant);
  }

  #take(sessionId: string): Loaded {
    const known = this.#loaded.get(sessionId);
    this.#loaded.delete(sessionId);
    const loaded = known ?? { session: this.#load(sessionId), uses: 0 };
    this.#loaded.set(sessionId, loaded);
    return loaded;
  }

  async #load(sessionId: string): Promise<AapSession> {
    if (!/^[\w-]{1,128}$/.test(sessionId)) throw unknownSession();
    const state = new AapSessionState();
    const exists = await this.#context.store.read(sessionId, (value) => {
      const record = parseAapSessionRecord(value);
      if (record !== undefined) state.apply(record);
    });
    if (!exists || state.createdAt === '') throw unknownSession();
    const session = this.#toSession(sessionId, state, this.#failed.get(sessionId)?.ended);
    await this.#closeTurn(session);
    return session;
  }

  async #make(record: SessionCreated): Promise<string> {
    const sessionId = this.#context.newId();
    const session = this.#toSession(sessionId, new AapSessionState());
    await session.record(record);
    this.#loaded.set(sessionId, { session: Promise.resolve(session), uses: 0 });
    await this.#makeRoom();
    return sessionId;
  }

  /** In a shared store, the same request may have arrived at another process meanwhile. */
  async #makeOnce(
    { name, idempotency }: { readonly name: string; readonly idempotency: Idempotency },
    make: () => Promise<string>,
  ): Promise<string> {
    const { store } = this.#context;
    if (store.createAlone === undefined) return make();
    return store.createAlone(async () => {
      const before = (await this.#readKeys()).get(name);
      if (before === undefined) return make();
      expectSameBody(before.idempotency, idempotency);
      return before.sessionId;
    });
  }

  async #readKeys(): Promise<Map<string, Created>> {
    const created: (Created & { readonly name: string; readonly createdAt: string })[] = [];
    for await (const { sessionId, head: value } of this.#context.store.list()) {
      const head = parseHead(value);
      if (head?.idempotency === undefined) continue;
      const { createdAt, idempotency, tenant } = head;
      const name = JSON.stringify([tenant ?? null, idempotency.key]);
      created.push({ name, createdAt, idempotency, sessionId: Promise.resolve(sessionId) });
    }
    const keys = new Map(
      created
        .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
        .map(({ name, ...each }) => [name, each]),
    );
    forgetOldest(keys, this.#context.limits.createdKeys);
    return keys;
  }

  #toSession(sessionId: string, state: AapSessionState, after?: Promise<void>): AapSession {
    return new AapSession(sessionId, state, {
      context: this.#context,
      ...(after !== undefined && { after }),
      current: async (work) => {
        try {
          await this.use(sessionId, { seesAll: true }, work);
        } catch (error) {
          // What an agent says of a session that was deleted is discarded.
          if (!(error instanceof RequestError && error.code === 'unknown_session')) throw error;
        }
      },
    });
  }

  /**
   * A turn that has no end in the store is over: the store failed, or the server was ended before. What its calls did is
   * unknown. Where its end cannot be stored now, the session can be read all the same.
   */
  async #closeTurn(session: AapSession): Promise<void> {
    const { running: turnId, openCalls, lastSeq } = session.state;
    const failed = this.#failed.get(session.sessionId);
    if (turnId === undefined) {
      this.#failed.delete(session.sessionId);
      return;
    }
    const calls = [...openCalls.values()].flatMap(({ call, asks }) => (asks === undefined ? [call] : []));
    const events = calls.map(
      ({ toolCallId }) =>
        ({ event: 'tool_result', toolCallId, content: unknownOutcomeText, isError: true }) as const,
    );
    const stop: AapSessionRecord = {
      type: 'turn-stop',
      turnId,
      time: this.#context.today().toISOString(),
      seq: lastSeq + events.length + 1,
      stopReason: 'error',
      ...(failed?.turnId === turnId ? { error: storeFailed } : { error: interrupted, detail: 'interrupted' }),
    };
    session.owe([
      ...(events.length > 0 ? [{ type: 'events', turnId, from: lastSeq + 1, events } as const] : []),
      stop,
    ]);
    await this.#storeOwed(session);
  }

  /** Stores what a session owes, if that works now. */
  async #storeOwed(session: AapSession): Promise<void> {
    const { sessionId, state, owed } = session;
    try {
      await this.#context.store.append(sessionId, owed, { durable: true, head: toHead(state) });
      session.paid();
      this.#failed.delete(sessionId);
    } catch (cause) {
      this.#context.observe({
        type: 'fault',
        message: `session ${sessionId}: its turn's end is not stored`,
        cause,
      });
    }
  }

  /** Sessions that the last server left running are checked before they are listed as running. */
  async #recover(): Promise<void> {
    const running: string[] = [];
    for await (const { sessionId, head } of this.#context.store.list()) {
      const isOwn = !this.#loaded.has(sessionId) && this.#context.store.isElsewhere?.(sessionId) !== true;
      if (isOwn && parseHead(head)?.status === 'running') running.push(sessionId);
    }
    for (const sessionId of running) {
      try {
        await this.#take(sessionId).session;
      } catch (cause) {
        this.#loaded.delete(sessionId);
        this.#context.observe({ type: 'fault', message: `session ${sessionId} cannot be read`, cause });
      }
      await this.#makeRoom();
    }
  }

  async #dropUnlessWhole(sessionId: string, loaded: Loaded): Promise<void> {
    const session = await loaded.session.catch(() => undefined);
    if (session?.isBroken === true) {
      this.#fail(sessionId, loaded, session);
      return;
    }
    const isWhole = session !== undefined && !session.isDeleted;
    if (!isWhole && loaded.uses === 0) this.#forget(sessionId, loaded);
  }

  /** The store failed it: it is read again, and its turns wait for the run that is ended. */
  #fail(sessionId: string, loaded: Loaded, session: AapSession): void {
    if (this.#loaded.get(sessionId) !== loaded) return;
    this.#loaded.delete(sessionId);
    const ended = session.ended();
    this.#failed.set(sessionId, { turnId: session.failedTurn ?? this.#failed.get(sessionId)?.turnId, ended });
    forgetOldest(this.#failed, this.#context.limits.createdKeys);
  }

  /** Unless it was read again meanwhile. */
  #forget(sessionId: string, loaded: Loaded): void {
    if (this.#loaded.get(sessionId) === loaded) this.#loaded.delete(sessionId);
  }

  async #makeRoom(): Promise<void> {
    for (const [sessionId, loaded] of this.#loaded) {
      if (this.#loaded.size <= this.#context.limits.loadedSessions) return;
      if (loaded.uses > 0) continue;
      const session = await loaded.session.catch(() => undefined);
      if (loaded.uses === 0 && session?.isIdle !== false) this.#loaded.delete(sessionId);
    }
  }
}

function forgetOldest(keys: Map<string, unknown>, limit: number): void {
  for (const name of keys.keys()) {
    if (keys.size <= limit) return;
    keys.delete(name);
  }
}

const interrupted = {
  code: 'interrupted',
  message: 'The server stopped before the end of the turn was stored.',
} as const;

function unknownSession(): RequestError {
  return new RequestError(404, 'unknown_session', 'the session does not exist');
}
