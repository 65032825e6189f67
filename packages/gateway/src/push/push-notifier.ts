import type { HubSession } from '@parley/host/hub';
import type { HubSessions } from '../hub/sessions/hub-sessions.ts';
import type { PushKind } from './push-device.ts';
import type { PushMessage } from './send-push.ts';

/** A device that may be notified now, and what its token may see. */
export interface PushRecipient {
  readonly id: string;
  readonly kinds: readonly PushKind[];
  /** The id of its token. */
  readonly tokenId: string;
  /** Whether its token may answer in a session, or see it. */
  may(use: 'answer' | 'see', session: string): boolean;
}

/** What a notifier works with. */
export interface PushNotifierOptions {
  readonly table: HubSessions;
  /** The devices that may be notified now. */
  readonly recipients: () => Promise<readonly PushRecipient[]>;
  readonly send: (device: string, message: PushMessage) => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Decides which devices to notify. A device is not notified while its user is looking at any page of the same token.
 * If a session still needs its user when the user stops looking, it is announced then; a turn that ended while the
 * user was looking is not.
 */
export class PushNotifier {
  readonly #options: PushNotifierOptions;
  /** The sessions whose open questions a device was notified of, by device. */
  readonly #announced = new Map<string, Set<string>>();
  /** Sessions that did something when they were looked at last. */
  readonly #busy = new Set<string>();
  /** Sessions that changed since. */
  readonly #changed = new Set<string>();
  readonly #unlisten: () => void;
  #state: 'idle' | 'scanning' | 'again' = 'idle';

  constructor(options: PushNotifierOptions) {
    this.#options = options;
    const { table } = options;
    for (const session of table.sessions) if (isBusy(session)) this.#busy.add(session.key);
    this.#unlisten = table.listen({
      session: (key) => {
        this.#changed.add(key);
        this.#begin();
      },
      questions: () => {
        this.#begin();
      },
      presence: () => {
        this.#begin();
      },
    });
  }

  close(): void {
    this.#unlisten();
  }

  #begin(): void {
    if (this.#state === 'idle') void this.#scanAll();
    else this.#state = 'again';
  }

  async #scanAll(): Promise<void> {
    do {
      this.#state = 'scanning';
      try {
        await this.#scan();
      } catch (error) {
        this.#options.onFault(error);
      }
      // Another event may have come meanwhile.
    } while (this.#isWantedAgain());
    this.#state = 'idle';
  }

  #isWantedAgain(): boolean {
    return this.#state === 'again';
  }

  async #scan(): Promise<void> {
    const { table, recipients, send } = this.#options;
    // What changes together is looked at together: between two queued prompts, a session is ready for a moment.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    const devices = await recipients();
    const finished = this.#takeFinished();
    const asking = new Set(table.questions.map(({ key }) => key));
    for (const { id, kinds, tokenId, may } of devices) {
      const announced = this.#announced.get(id) ?? new Set();
      this.#announced.set(id, announced);
      for (const session of announced) if (!asking.has(session)) announced.delete(session);
      if (table.presence.looks(tokenId)) continue;
      for (const session of asking) {
        if (!kinds.includes('question') || announced.has(session) || !may('answer', session)) continue;
        announced.add(session);
        send(id, { kind: 'question', session });
      }
      for (const session of finished) {
        if (kinds.includes('finished') && may('see', session)) send(id, { kind: 'finished', session });
      }
    }
    const known = new Set(devices.map(({ id }) => id));
    for (const id of this.#announced.keys()) if (!known.has(id)) this.#announced.delete(id);
  }

  /** The sessions that ended a turn since the last call and are idle. */
  #takeFinished(): readonly string[] {
    const { table } = this.#options;
    const finished: string[] = [];
    for (const key of this.#changed) {
      const session = table.session(key);
      if (session === undefined) this.#busy.delete(key);
      else if (isBusy(session)) this.#busy.add(key);
      // An agent that is restarted has not ended its turn yet.
      else if (session.state !== 'starting' && this.#busy.delete(key)) finished.push(key);
    }
    this.#changed.clear();
    return finished;
  }
}

/** Whether a turn is running or another one is about to start. Sessions of applications are left out. */
function isBusy({ state, origin, queue, isQueueHeld }: HubSession): boolean {
  if (origin === 'aap') return false;
  switch (state) {
    case 'running':
    case 'waiting':
    case 'stopping':
      return true;
    case 'ready':
      return queue.length > 0 && isQueueHeld !== true;
    case 'kept':
    case 'elsewhere':
    case 'starting':
    case 'failed':
      return false;
  }
}
