import type { HubListeners } from './hub-listeners.ts';

/** Tracks which users are looking at a page: it is visible, and they used it recently. */
export class Presence {
  readonly #lookMs: number;
  readonly #listeners: Pick<HubListeners, 'presence'>;
  /** By client. */
  readonly #looking = new Map<object, { readonly tokenId: string; readonly timer: NodeJS.Timeout }>();

  /**
   * @param lookMs How long a user counts as looking without using the page.
   *
   * @param listeners Notified when a client stops looking.
   */
  constructor(lookMs: number, listeners: Pick<HubListeners, 'presence'>) {
    this.#lookMs = lookMs;
    this.#listeners = listeners;
  }

  /** Whether a client with this token is looking. */
  looks(tokenId: string): boolean {
    return [...this.#looking.values()].some((client) => client.tokenId === tokenId);
  }

  /** The user of a client does something on a visible page. */
  look(client: object, tokenId: string): void {
    clearTimeout(this.#looking.get(client)?.timer);
    const timer = setTimeout(() => {
      this.leave(client);
    }, this.#lookMs).unref();
    this.#looking.set(client, { tokenId, timer });
  }

  /** The page of a client is hidden, or the client has disconnected. */
  leave(client: object): void {
    clearTimeout(this.#looking.get(client)?.timer);
    if (this.#looking.delete(client)) this.#listeners.presence();
  }
}
