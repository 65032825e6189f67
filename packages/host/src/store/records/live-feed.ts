import type { LoggedEvent } from '../../event/logged-event.ts';

/** Characters of JSON that wait in memory for one follower; beyond that, it reads from the file. */
const followerLength = 1024 * 1024;

/**
 * Sends the events of a session that this process owns to its followers, from memory, once they are stored. Events
 * that a follower misses here are in the file.
 */
export class LiveFeed {
  readonly #followers = new Set<FeedFollower>();
  readonly #onIdle: () => void;
  #owner: FeedOwner | undefined;

  /** @param onIdle Called when the session has no owner here and no followers any more. */
  constructor(onIdle: () => void) {
    this.#onIdle = onIdle;
  }

  /** Whether the session has its owner here. */
  get isLive(): boolean {
    return this.#owner !== undefined;
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  begin(owner: FeedOwner): void {
    this.#owner = owner;
  }

  end(): void {
    this.#owner = undefined;
    for (const follower of this.#followers) follower.wake();
    this.#rest();
  }

  /** Events were stored. */
  push(events: readonly StoredEvent[]): void {
    for (const follower of this.#followers) follower.push(events);
  }

  /** Requires followers to continue from the file. */
  reread(): void {
    for (const follower of this.#followers) follower.fallBehind();
  }

  /** Adds a follower. It receives all events that are appended from now on, after earlier ones are stored. */
  async join(): Promise<FeedFollower> {
    const follower = new FeedFollower(() => {
      this.#followers.delete(follower);
      this.#rest();
    });
    this.#followers.add(follower);
    const owner = this.#owner;
    const last = owner?.last();
    try {
      await owner?.flush();
      if (this.#owner === owner) follower.joinedAt = last;
    } catch {
      // All followers read the file once it can be stored.
    }
    return follower;
  }

  #rest(): void {
    if (!this.isLive && !this.isFollowed) this.#onIdle();
  }
}

/** What a feed reads from the owner of its session. */
export interface FeedOwner {
  /** The number of the last event that was appended. */
  last(): number;
  /** Stores what was appended and is not stored yet. */
  flush(): Promise<void>;
}

/** An event, and how long it is as JSON, in characters. */
export interface StoredEvent {
  readonly event: LoggedEvent;
  readonly length: number;
}

/** One that follows a feed. */
export class FeedFollower {
  readonly #leave: () => void;
  #events: LoggedEvent[] = [];
  #length = 0;
  #isBehind = false;
  #wake: () => void = () => {};
  /** The last event that was stored before those that it receives; undefined if that is unknown. */
  joinedAt: number | undefined;

  constructor(leave: () => void) {
    this.#leave = leave;
  }

  /** It missed events that are in the file. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  push(events: readonly StoredEvent[]): void {
    if (this.#isBehind) return;
    for (const { event, length } of events) {
      this.#events.push(event);
      this.#length += length;
    }
    if (this.#length > followerLength) this.fallBehind();
    else this.#wake();
  }

  fallBehind(): void {
    this.#isBehind = true;
    this.#events = [];
    this.#length = 0;
    this.#wake();
  }

  /** Nothing that is stored from now on is missed again. */
  catchUp(): void {
    this.#isBehind = false;
    this.#events = [];
    this.#length = 0;
  }

  take(): readonly LoggedEvent[] {
    const events = this.#events;
    this.#events = [];
    this.#length = 0;
    return events;
  }

  /** Settles with the next thing that happens to it. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake();
  }

  leave(): void {
    this.#leave();
  }
}
