import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '@parley/workspace';
import type { ChangesEvent, ChangesOperationEvent } from '../event/changes-event.ts';
import type { DiagnosticEvent } from '../event/diagnostic-event.ts';
import type { LoggedEntry } from '../event/logged-event.ts';
import { parseLoggedEvent } from '../event/parse-logged-event.ts';

/** What happened to the changes of a session in a process that does not own it. */
export type PendingEvent = ChangesEvent | ChangesOperationEvent | DiagnosticEvent;

/** The last delivery of this process into each session, by its folder: two at once would append an event twice. */
const deliveries = new Map<string, Promise<void>>();

/**
 * Events that wait for the owner of their session, one file each. They survive if the process that changed the files
 * is killed, or if another process owns the session.
 */
export class PendingEvents {
  readonly #folder: string;

  /** @param folder Shared by all processes. It need not exist. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Stores an event, until the owner of the session has appended it. */
  async add(key: string, event: PendingEvent): Promise<void> {
    const folder = this.#folderOf(key);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${String(Date.now()).padStart(15, '0')}-${crypto.randomUUID()}.json`;
    await replaceFile(path.join(folder, name), JSON.stringify(event));
  }

  /** The events that wait, the oldest first. */
  async read(key: string): Promise<readonly PendingEvent[]> {
    const read = await Promise.all((await this.#names(key)).map((name) => this.#readOne(key, name)));
    return read.filter((event) => event !== undefined);
  }

  /** Whether no event of a session waits. */
  async isEmpty(key: string): Promise<boolean> {
    return (await this.#names(key)).length === 0;
  }

  /** Appends what waits to the session's event log, by its owner. Deliveries of a session run one after another. */
  async deliver(
    key: string,
    append: (event: PendingEvent & LoggedEntry) => void | Promise<void>,
  ): Promise<void> {
    const folder = this.#folderOf(key);
    const delivering = (deliveries.get(folder) ?? Promise.resolve()).then(() => this.#deliver(key, append));
    const settled = delivering.catch(() => undefined);
    deliveries.set(folder, settled);
    try {
      await delivering;
    } finally {
      if (deliveries.get(folder) === settled) deliveries.delete(folder);
    }
  }

  async #deliver(key: string, append: Parameters<PendingEvents['deliver']>[1]): Promise<void> {
    for (const name of await this.#names(key)) {
      const event = await this.#readOne(key, name);
      if (event !== undefined) await append(event);
      await rm(path.join(this.#folderOf(key), name), { force: true });
    }
  }

  #folderOf(key: string): string {
    return path.join(this.#folder, 'pending', key);
  }

  async #names(key: string): Promise<readonly string[]> {
    const names = await readdir(this.#folderOf(key)).catch(() => []);
    return names.filter((name) => name.endsWith('.json')).toSorted();
  }

  async #readOne(key: string, name: string): Promise<PendingEvent | undefined> {
    try {
      const value: unknown = JSON.parse(await readFile(path.join(this.#folderOf(key), name), 'utf8'));
      const event = parseLoggedEvent({ ...Object(value), seq: 1, time: 1 });
      if (event === undefined) return undefined;
      switch (event.type) {
        case 'changes':
        case 'changes-undone':
        case 'changes-redone':
        case 'hunks-kept':
        case 'hunks-reverted':
        case 'changes-committed':
        case 'diagnostic': {
          const { seq: _seq, time: _time, ...entry } = event;
          return entry;
        }
        default:
          return undefined;
      }
    } catch {
      // Another process has just appended it.
      return undefined;
    }
  }
}
