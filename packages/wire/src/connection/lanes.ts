/** The lane of a message. Messages of one lane are handled in order. */
export type LaneKey = string | undefined;

/**
 * What happens in a lane, one after another. A step that returns a promise holds the lane until it settles;
 * it must not reject.
 */
export type Step = () => void | Promise<void>;

/** The connection, as its lanes see it. */
export interface LanesOwner {
  /** A handler is done. */
  onProgress(): void;
}

/**
 * Keeps the order of a connection's messages, lane by lane.
 *
 * A step runs at once when its lane is free, so a connection whose handlers are synchronous queues nothing.
 *
 * An answer is a step as well: it comes after the notifications that arrived before it. Where a notification
 * handler was running when the request was sent, and still runs when the answer is here, it may be waiting for
 * that very answer. The lane then stops waiting for that one handler: the steps behind it run, still in order,
 * and the answer at its place among them. So no handler can block the answer to its own request.
 */
export class Lanes {
  #lanes: Map<LaneKey, Lane> = noLanes;
  readonly #owner: LanesOwner;
  #started = 0;
  #queuedSteps = 0;
  #queuedBytes = 0;

  constructor(owner: LanesOwner) {
    this.#owner = owner;
  }

  /** Steps that wait for an earlier one. */
  get queuedSteps(): number {
    return this.#queuedSteps;
  }

  /** Bytes of the messages of those steps. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Whether no lane is held by a running step. */
  get isFree(): boolean {
    return this.#lanes.size === 0;
  }

  /** The moment, for `isHeldSince` and `answer`: how many steps have started so far. */
  get moment(): number {
    return this.#started;
  }

  /** Whether a running step holds a lane. */
  isHeld(key: LaneKey): boolean {
    return this.#lanes.size > 0 && this.#lanes.has(key);
  }

  /** Counts a step that the caller runs itself, because its lane is free. Returns its moment, for `hold`. */
  begin(): number {
    return ++this.#started;
  }

  /** Whether a handler that ran at that moment still holds a lane. */
  isHeldSince(moment: number): boolean {
    for (const lane of this.#lanes.values()) if (lane.runningSince <= moment) return true;
    return false;
  }

  /** Runs a step when its lane is free. */
  run(key: LaneKey, step: Step, bytes: number): void {
    const lane = this.#lanes.get(key);
    if (lane === undefined) this.#start(key, step);
    else this.#enqueue(lane, step, bytes, false);
  }

  /** Holds the lane of a step that the caller began itself, and that turned out to take time. */
  hold(key: LaneKey, since: number, running: Promise<void>): void {
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = { runningSince: since, steps: [], next: 0 };
      if (this.#lanes === noLanes) this.#lanes = new Map();
      this.#lanes.set(key, lane);
    }
    this.#wait(key, lane, running, since);
  }

  /**
   * Runs a step after all that arrived earlier in its lane; without a lane, after all that arrived earlier.
   *
   * @param sentAt The moment at which the request was sent.
   */
  answer(key: LaneKey, sentAt: number, step: () => void): void {
    if (this.#lanes.size === 0) return step();
    if (key !== undefined) {
      const lane = this.#lanes.get(key);
      if (lane === undefined) return step();
      this.#enqueue(lane, step, 0, true);
      if (lane.runningSince <= sentAt) this.#advance(key, lane);
      return;
    }
    const lanes = [...this.#lanes];
    let left = lanes.length;
    for (const [, lane] of lanes) {
      this.#enqueue(
        lane,
        () => {
          if (--left === 0) step();
        },
        0,
        true,
      );
    }
    for (const [laneKey, lane] of lanes) {
      if (this.#lanes.get(laneKey) === lane && lane.runningSince <= sentAt) this.#advance(laneKey, lane);
    }
  }

  /** Forgets the messages that wait, and releases the answers among them. Returns how many messages that were. */
  clear(): number {
    const waiting = [...this.#lanes.values()].flatMap((lane) => lane.steps.slice(lane.next));
    this.#lanes.clear();
    this.#queuedSteps = 0;
    this.#queuedBytes = 0;
    const answers = waiting.filter((queued) => queued.isAnswer);
    for (const { step } of answers) void step();
    return waiting.length - answers.length;
  }

  #enqueue(lane: Lane, step: Step, bytes: number, isAnswer: boolean): void {
    lane.steps.push({ step, bytes, isAnswer });
    this.#queuedSteps++;
    this.#queuedBytes += bytes;
  }

  #start(key: LaneKey, step: Step): void {
    const since = this.begin();
    const running = step();
    if (running !== undefined) this.hold(key, since, running);
  }

  #wait(key: LaneKey, lane: Lane, running: Promise<void>, since: number): void {
    lane.runningSince = since;
    void running.then(() => {
      if (lane.runningSince === since && this.#lanes.get(key) === lane) this.#advance(key, lane);
    });
  }

  /** Runs what waits, until a step holds the lane or nothing is left. */
  #advance(key: LaneKey, lane: Lane): void {
    while (lane.next < lane.steps.length) {
      const queued = lane.steps[lane.next++];
      if (queued === undefined) break;
      this.#queuedSteps--;
      this.#queuedBytes -= queued.bytes;
      const since = ++this.#started;
      lane.runningSince = since;
      const running = queued.step();
      if (this.#lanes.get(key) !== lane) return;
      if (running !== undefined) {
        if (lane.next > 64) {
          lane.steps.splice(0, lane.next);
          lane.next = 0;
        }
        this.#wait(key, lane, running, since);
        this.#owner.onProgress();
        return;
      }
    }
    this.#lanes.delete(key);
    this.#owner.onProgress();
  }
}

/** Replaces the lanes of a connection whose handlers have all been synchronous so far: most idle ones. */
const noLanes: Map<LaneKey, Lane> = new Map();

interface QueuedStep {
  readonly step: Step;
  readonly bytes: number;
  readonly isAnswer: boolean;
}

interface Lane {
  /** When the step that holds the lane was started. */
  runningSince: number;
  readonly steps: QueuedStep[];
  next: number;
}
