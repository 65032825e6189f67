import type { LoggedEvent } from '@parley/host';
import { attends, hubMethods, type EventsNote, type HubChanges, type HubSession } from '@parley/host/hub';
import { RpcError } from '@parley/wire';
import type { Choices } from './chaos-options.ts';
import type { ChaosUser, ChaosUserOptions, SentPrompt } from './chaos-user.ts';
import { MovingConnection } from './moving-connection.ts';
import type { StoredLogs } from './stored-logs.ts';

/** A user of the page: watches its sessions, and sends prompts, several at once, again where the connection ended before the response. */
export class PageUser implements ChaosUser {
  readonly received = new Map<string, LoggedEvent[]>();
  readonly prompts: SentPrompt[] = [];
  /** How often a queue was on hold, which the user resumed. */
  resumed = 0;
  readonly #options: ChaosUserOptions;
  readonly #connection: MovingConnection;
  readonly #sessions = new Map<string, HubSession>();

  constructor(options: ChaosUserOptions) {
    this.#options = options;
    this.#connection = new MovingConnection({
      token: options.token,
      choose: options.choose,
      begin: async (connection) => {
        const capabilities = { _meta: { [attends]: true } };
        await connection.request('initialize', { protocolVersion: 1, clientCapabilities: capabilities });
        const all = await connection.request(hubMethods.attend, {});
        this.#take(hubMethods.update, all);
        for (const [sessionId, events] of this.received) {
          await connection.request(hubMethods.watch, { sessionId, after: events.at(-1)?.seq ?? 0 });
        }
      },
      onNotification: (method, params) => {
        this.#take(method, params);
      },
    });
  }

  get keys(): readonly string[] {
    return [...this.received.keys()];
  }

  leave: MovingConnection['leave'] = (replica) => {
    this.#connection.leave(replica);
  };

  async begin(): Promise<void> {
    const { cwd, sessions } = this.#options;
    const begun = { cwd, mcpServers: [], _meta: { 'parley/agent': 'numbered' } };
    for (let count = 0; count < sessions; count += 1) {
      const { sessionId } = await this.#connection.ask('session/new', begun);
      const key = String(sessionId);
      this.received.set(key, []);
      await this.#connection.ask(hubMethods.watch, { sessionId: key });
    }
  }

  async work(isOver: () => boolean, choices: Choices): Promise<void> {
    await Promise.all(
      this.keys.map(async (key) => {
        while (!isOver()) {
          const prompts = Array.from({ length: choices.count(1, 3) }, () =>
            this.#prompt(key, choices.count(2, 5)),
          );
          await Promise.all(prompts);
        }
      }),
    );
  }

  /** What it shows of a session: whether anything is still to happen. */
  isAtRest(key: string): boolean {
    const session = this.#sessions.get(key);
    return session?.queue.length === 0 && session.state !== 'running';
  }

  /** Whether it has received as much as is stored. */
  hasReceived(logs: StoredLogs): boolean {
    return this.keys.every((key) => (this.received.get(key)?.length ?? 0) >= (logs.get(key)?.length ?? 0));
  }

  end(): Promise<void> {
    return this.#connection.end();
  }

  async #prompt(sessionId: string, steps: number): Promise<void> {
    const id = crypto.randomUUID();
    const sent: SentPrompt = { id, key: sessionId, steps };
    this.prompts.push(sent);
    try {
      await this.#connection.ask('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text: `${id} ${String(steps)}` }],
        _meta: { 'parley/promptId': id },
      });
      sent.outcome = 'ended';
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      sent.outcome = error.message;
    }
  }

  #take(method: string, params: unknown): void {
    if (method === hubMethods.update) {
      const { sessions = [], removed = [] }: HubChanges = { ...(params as HubChanges) };
      for (const session of sessions) {
        this.#sessions.set(session.key, session);
        this.#resume(session);
      }
      for (const key of removed) this.#sessions.delete(key);
    } else if (method === hubMethods.events) {
      const { sessionId, events } = params as EventsNote;
      this.received.get(sessionId)?.push(...events);
    }
  }

  /** A queue waits for the user when the turn before it failed. */
  #resume({ key, isQueueHeld, queue }: HubSession): void {
    if (isQueueHeld !== true || queue.length === 0 || !this.received.has(key)) return;
    this.resumed += 1;
    const change = { kind: 'go-on' };
    this.#connection.ask(hubMethods.queue, { sessionId: key, change }).catch(() => undefined);
  }
}
