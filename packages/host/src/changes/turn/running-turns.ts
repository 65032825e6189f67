import { readdir, readFile, realpath, rm, utimes, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { awaitLock, lockHolder, replaceFile, takeLock, type HeldLock } from '@parley/workspace';
import { HostError } from '../../host-error.ts';

/** A turn that runs in a folder, as other processes see it. */
export interface RunningTurn {
  /** The real path of the folder. */
  readonly workspace: string;
  /** The session's key. */
  readonly key: string;
  /** What the agent calls the session. */
  readonly sessionId: string;
  readonly turnId: string;
  /** The number of the turn in its session. */
  readonly turn: number;
  readonly startedAt: number;
  /** The checkpoint before the turn, once it exists. */
  readonly before?: string;
}

/** A turn whose process was killed. */
export interface UnfinishedTurn extends RunningTurn {
  /** When it was last known to run. */
  readonly aliveAt: number;
  /** Forgets it. */
  done(): Promise<void>;
}

/** The turns that run on this machine, and the one restore that may run: no files are restored below a turn, by any process. */
export class RunningTurns {
  readonly #folder: string;

  /** @param folder Shared by all processes. It need not exist. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Marks a turn as running, until it ends or this process does. Waits while files are being restored. */
  async begin(turn: RunningTurn): Promise<TurnMark> {
    const file = path.join(this.#folder, `${crypto.randomUUID()}.json`);
    const attempt = await takeLock(lockOf(file));
    if (!attempt.isTaken) throw new HostError('failed', `${lockOf(file)} is taken`);
    await replaceFile(file, JSON.stringify(turn));
    // The mark comes first, and a restore looks for marks once it has its lock: one of the two sees the other.
    while ((await lockHolder(this.#restoreLock)) !== undefined) await delay(lookMs);
    return new TurnMark(file, turn, attempt);
  }

  /**
   * Restores files while no turn runs in the folder, in one that contains it, or in one that it contains.
   *
   * @throws {HostError} `turn-running`
   */
  async restore<T>(workspace: string, work: () => Promise<T>): Promise<T> {
    return this.alone(async () => {
      const running = (await this.#all()).find(
        (turn) => turn.isAlive && isRelated(turn.workspace, workspace),
      );
      if (running === undefined) return work();
      throw new HostError(
        'turn-running',
        `a turn of session ${running.key} runs in ${JSON.stringify(running.workspace)}; wait for its end, or cancel it`,
      );
    });
  }

  /** Works while no other process restores files, or closes turns. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const attempt = await awaitLock(this.#restoreLock, restoreWaitMs);
    if (!attempt.isTaken) {
      const by = `process ${String(attempt.holder.pid)}`;
      throw new HostError('turn-running', `${by} restores files; try again when it has finished`);
    }
    try {
      return await work();
    } finally {
      await attempt.release();
    }
  }

  /** The turns in a folder whose processes were killed. */
  async unfinished(workspace: string): Promise<readonly UnfinishedTurn[]> {
    const all = await this.#all();
    return all
      .filter((turn) => !turn.isAlive && turn.workspace === workspace)
      .toSorted((left, right) => left.startedAt - right.startedAt);
  }

  get #restoreLock(): string {
    return path.join(this.#folder, 'restore.lock');
  }

  async #all(): Promise<readonly (UnfinishedTurn & { readonly isAlive: boolean })[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const read = names.filter((name) => name.endsWith('.json')).map((name) => this.#read(name));
    return (await Promise.all(read)).filter((turn) => turn !== undefined);
  }

  async #read(name: string): Promise<(UnfinishedTurn & { readonly isAlive: boolean }) | undefined> {
    const file = path.join(this.#folder, name);
    try {
      const [text, { mtimeMs: aliveAt }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
      const turn = parseTurn(JSON.parse(text));
      if (turn === undefined) return undefined;
      const isAlive = (await lockHolder(lockOf(file))) !== undefined;
      return { ...turn, aliveAt, isAlive, done: () => removeMark(file) };
    } catch {
      // It has just ended, or was damaged: it says nothing.
      return undefined;
    }
  }
}

/** The mark of a turn that runs in this process. */
export class TurnMark {
  readonly #file: string;
  readonly #lock: HeldLock;
  readonly #timer: NodeJS.Timeout;
  #turn: RunningTurn;

  constructor(file: string, turn: RunningTurn, lock: HeldLock) {
    this.#file = file;
    this.#turn = turn;
    this.#lock = lock;
    this.#timer = setInterval(() => {
      const now = new Date();
      utimes(file, now, now).catch(() => undefined);
    }, aliveMs).unref();
  }

  /** The checkpoint before the turn is taken: from now on, the turn can be undone even if this process is killed. */
  async checkpointed(before: string): Promise<void> {
    this.#turn = { ...this.#turn, before };
    await replaceFile(this.#file, JSON.stringify(this.#turn));
  }

  /** The turn has ended. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await rm(this.#file, { force: true });
    await this.#lock.release();
  }
}

/** The real path of a folder, or its given path if it no longer exists. */
export async function realFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => path.resolve(folder));
}

/** Interval of checks whether files are still being restored before a turn starts. */
const lookMs = 10;

/** How long a restore waits for another one. */
const restoreWaitMs = 10_000;

/** Interval at which a running turn records its activity. */
const aliveMs = 5000;

function lockOf(file: string): string {
  return `${file}.lock`;
}

async function removeMark(file: string): Promise<void> {
  await rm(file, { force: true });
  await rm(lockOf(file), { force: true });
}

function isRelated(left: string, right: string): boolean {
  return left === right || isBelow(left, right) || isBelow(right, left);
}

function isBelow(inner: string, outer: string): boolean {
  return inner.startsWith(outer.endsWith(path.sep) ? outer : outer + path.sep);
}

function parseTurn(value: unknown): RunningTurn | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const { workspace, key, sessionId, turnId, turn, startedAt, before } = fields;
  if (typeof workspace !== 'string' || typeof key !== 'string' || typeof sessionId !== 'string') {
    return undefined;
  }
  if (typeof turnId !== 'string' || typeof turn !== 'number' || typeof startedAt !== 'number') {
    return undefined;
  }
  return {
    workspace,
    key,
    sessionId,
    turnId,
    turn,
    startedAt,
    ...(typeof before === 'string' && { before }),
  };
}
