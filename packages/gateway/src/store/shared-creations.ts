import type { SharedDocument } from '@parley/workspace';
import type { SharedHeads } from './application-heads.ts';

/** Listed sessions: a process that missed more of them reads all heads. */
const mostListed = 100;

/**
 * Creates sessions one after another, among all processes that share a store, each with what those before have created. A document has the ids of the
 * last ones: the notifications about them may arrive later.
 */
export class SharedCreations {
  readonly #document: SharedDocument;
  readonly #heads: SharedHeads;
  /** The last listed session whose head was read here. */
  #last = '';
  #creating: Promise<unknown> = Promise.resolve();

  constructor(document: SharedDocument, heads: SharedHeads) {
    this.#document = document;
    this.#heads = heads;
  }

  /** Settles as `create` does, which returns the id of a session. */
  run(create: () => Promise<string>): Promise<string> {
    // Each holds a connection to the database, and needs others: together they could hold all.
    const created = this.#creating.then(() => this.#run(create));
    this.#creating = created.catch(() => undefined);
    return created;
  }

  async #run(create: () => Promise<string>): Promise<string> {
    let created = '';
    await this.#document.change(async (text = '') => {
      const ids = text.split(' ');
      const at = ids.lastIndexOf(this.#last);
      await this.#heads.read(at === -1 ? undefined : ids.slice(at + 1));
      created = await create();
      const listed = ids.includes(created) ? ids : [...ids, created].slice(-mostListed);
      this.#last = listed.at(-1) ?? '';
      return listed.join(' ');
    });
    return created;
  }
}
