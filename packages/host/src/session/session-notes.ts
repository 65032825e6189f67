import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { QueuedPrompt } from '../hub/hub-session.ts';
import { parsePromptBlocks } from './queued-content.ts';

/** What the hub keeps of a session besides its event log. */
export interface SessionNotes {
  /** What the person calls it. */
  readonly title?: string;
  readonly queue: readonly QueuedPrompt[];
}

/** Nothing is kept. */
export const noNotes: SessionNotes = { queue: [] };

/** Reads the notes in a session's folder. What is damaged is as good as none: nothing depends on it. */
export async function readNotes(folder: string): Promise<SessionNotes> {
  try {
    const value: unknown = JSON.parse(await readFile(notesFile(folder), 'utf8'));
    return toNotes(value);
  } catch {
    // Most sessions have none.
    return noNotes;
  }
}

/** Writes the notes of one session, the last ones that were given. */
export class NotesWriter {
  readonly #folder: string;
  readonly #onFault: (error: unknown) => void;
  #next: SessionNotes | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** What is stored, as JSON. */
  #stored: string;

  /** @param stored What the folder has. */
  constructor(folder: string, stored: SessionNotes, onFault: (error: unknown) => void) {
    this.#folder = folder;
    this.#stored = JSON.stringify(stored);
    this.#onFault = onFault;
  }

  /** Settles when these, or later ones, are written, or could not be. Never rejects. */
  write(notes: SessionNotes): Promise<void> {
    this.#next = notes;
    this.#writing = this.#writing.then(() => this.#writeNext());
    return this.#writing;
  }

  async #writeNext(): Promise<void> {
    const notes = this.#next;
    this.#next = undefined;
    if (notes === undefined) return;
    const json = JSON.stringify(notes);
    if (json === this.#stored) return;
    const file = notesFile(this.#folder);
    const beside = `${file}.${randomUUID()}`;
    try {
      await writeFile(beside, JSON.stringify({ version: 1, ...notes }), { mode: 0o600, flag: 'wx' });
      await rename(beside, file);
      this.#stored = json;
    } catch (error) {
      await rm(beside, { force: true }).catch(() => undefined);
      this.#onFault(error);
    }
  }
}

function notesFile(folder: string): string {
  return path.join(folder, 'desk.json');
}

function toNotes(value: unknown): SessionNotes {
  if (typeof value !== 'object' || value === null) return noNotes;
  const title = 'title' in value && typeof value.title === 'string' ? value.title : undefined;
  const queue: readonly unknown[] = 'queue' in value && Array.isArray(value.queue) ? value.queue : [];
  return { queue: queue.map(toPrompt), ...(title !== undefined && { title }) };
}

/** @throws {RpcError} It is none. */
function toPrompt(value: unknown): QueuedPrompt {
  const isPrompt = typeof value === 'object' && value !== null && 'id' in value && 'blocks' in value;
  if (!isPrompt || typeof value.id !== 'string') throw new TypeError('not a prompt');
  return { id: value.id, blocks: parsePromptBlocks(value.blocks, 'queued') };
}
