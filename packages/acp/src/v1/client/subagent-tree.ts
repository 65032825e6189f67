import { mayCancelAfter } from './may-cancel.ts';

/** The number of child sessions that one connection may announce; further announcements are ignored. */
const maxSubagents = 4096;

/** The child sessions that an agent announced on a connection, each below its parent. */
export class SubagentTree {
  #children: Map<string, Child> = noChildren;
  /** The order that messages about a child keep, from its announcement on: that of the session at the top. */
  #lanes: Map<string, string> = noLanes;
  readonly #isOpen: (sessionId: string) => boolean;

  /** @param isOpen Whether a session is open on the connection. */
  constructor(isOpen: (sessionId: string) => boolean) {
    this.#isOpen = isOpen;
  }

  /** The lane of a message: a child shares that of the session that it belongs to. */
  laneOf(method: string, params: unknown): string | undefined {
    const sessionId = textAt(params, 'sessionId');
    if (sessionId === undefined) return undefined;
    const lane = this.#lanes.size === 0 ? sessionId : (this.#lanes.get(sessionId) ?? sessionId);
    if (method === 'session/update') this.#foresee(params, lane);
    return lane;
  }

  has(sessionId: string): boolean {
    return this.#children.has(sessionId);
  }

  /** Whether the newest capabilities of a child let the client cancel it. */
  mayCancel(sessionId: string): boolean {
    return this.#children.get(sessionId)?.mayCancel === true;
  }

  /** The session at the top of the tree that a session is in. */
  rootOf(sessionId: string): string {
    let id = sessionId;
    for (let child = this.#children.get(id); child !== undefined; child = this.#children.get(id)) {
      id = child.parentId;
    }
    return id;
  }

  /**
   * Takes a `subagent_update` of an open session.
   *
   * @param isHistory Whether it is replayed: then its capabilities allow nothing.
   * @returns why it is ignored, if it is
   */
  take(
    parentId: string,
    update: { readonly sessionId: string; readonly capabilities?: unknown },
    isHistory: boolean,
  ): string | undefined {
    const { sessionId } = update;
    if (sessionId === parentId) return `session ${sessionId} announced itself`;
    const child = this.#children.get(sessionId);
    if (child === undefined) {
      // An ancestor is either a child, which has another parent, or the session at the top, which is open.
      if (this.#isOpen(sessionId)) return `session ${sessionId} is open, and no sub-agent of ${parentId}`;
      if (this.#children.size >= maxSubagents) {
        return `session ${sessionId} is not accepted: there are ${maxSubagents} sub-agents already`;
      }
      if (this.#children === noChildren) this.#children = new Map();
      this.#children.set(sessionId, { parentId, mayCancel: mayCancelAfter(false, update, isHistory) });
      // Not foreseen where no lane was held: the handler of this update may hold the lane of the parent now.
      this.#setLane(sessionId, this.#lanes.get(parentId) ?? parentId);
      return undefined;
    }
    if (child.parentId !== parentId) {
      return `session ${sessionId} is a sub-agent of another session than ${parentId}`;
    }
    child.mayCancel = mayCancelAfter(child.mayCancel, update, isHistory);
    return undefined;
  }

  /** What was said of the children below a session is history: it allows nothing. */
  beginHistory(sessionId: string): void {
    for (const [, child] of this.#below(sessionId)) child.mayCancel = false;
  }

  /** Forgets the children below a session, and returns their ids. */
  drop(sessionId: string): readonly string[] {
    const ids = this.#below(sessionId).map(([id]) => id);
    for (const id of ids) {
      this.#children.delete(id);
      this.#lanes.delete(id);
    }
    return ids;
  }

  #below(sessionId: string): readonly (readonly [string, Child])[] {
    const found = new Set([sessionId]);
    // A child is announced after its parent.
    return [...this.#children].filter(([id, { parentId }]) => {
      const isBelow = found.has(parentId);
      if (isBelow) found.add(id);
      return isBelow;
    });
  }

  /** An announcement has arrived, and is handled when its lane is free: what follows about the child waits behind it. */
  #foresee(params: unknown, lane: string): void {
    const update: unknown =
      typeof params === 'object' && params !== null ? Reflect.get(params, 'update') : undefined;
    if (textAt(update, 'sessionUpdate') !== 'subagent_update') return;
    const sessionId = textAt(update, 'sessionId');
    if (sessionId === undefined || this.#lanes.has(sessionId) || this.#isOpen(sessionId)) return;
    this.#setLane(sessionId, lane);
  }

  #setLane(sessionId: string, lane: string): void {
    if (this.#lanes === noLanes || this.#lanes.size >= 2 * maxSubagents) this.#lanes = new Map();
    this.#lanes.set(sessionId, lane);
  }
}

/** Shared by connections without sub-agents: most of them. */
const noChildren: Map<string, Child> = new Map();
const noLanes: Map<string, string> = new Map();

interface Child {
  readonly parentId: string;
  mayCancel: boolean;
}

function textAt(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const field: unknown = Reflect.get(value, name);
  return typeof field === 'string' ? field : undefined;
}
