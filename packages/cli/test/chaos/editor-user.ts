import { eventNumber, type ReceivedUpdates } from '@parley/host/hub';
import { isJsonObject, RpcError, type Connection } from '@parley/wire';
import type { Choices } from './chaos-options.ts';
import type { ChaosUser, ChaosUserOptions, SentPrompt } from './chaos-user.ts';
import { MovingConnection } from './moving-connection.ts';
import { textIn, type StoredLogs } from './stored-logs.ts';

/** A user of an editor that speaks ACP: one prompt at a time. What was sent when a connection ended is not sent again. */
export class EditorUser implements ChaosUser {
  readonly prompts: SentPrompt[] = [];
  /** What the agents of its sessions said, in the order in which it arrived. */
  readonly said = new Map<string, string>();
  readonly #options: ChaosUserOptions;
  readonly #connection: MovingConnection;
  readonly #received = new Map<string, ReceivedUpdates>();

  constructor(options: ChaosUserOptions) {
    this.#options = options;
    this.#connection = new MovingConnection({
      token: options.token,
      choose: options.choose,
      begin: (connection) => this.#introduce(connection),
      onNotification: (method, params) => {
        if (method === 'session/update' && isJsonObject(params)) this.#take(params);
      },
    });
  }

  leave: MovingConnection['leave'] = (replica) => {
    this.#connection.leave(replica);
  };

  async begin(): Promise<void> {
    const { cwd, sessions } = this.#options;
    const begun = { cwd, mcpServers: [], _meta: { 'parley/agent': 'numbered' } };
    for (let count = 0; count < sessions; count += 1) {
      const { sessionId } = await this.#connection.ask('session/new', begun);
      this.said.set(String(sessionId), '');
    }
  }

  async work(isOver: () => boolean, choices: Choices): Promise<void> {
    await Promise.all(
      [...this.said.keys()].map(async (key) => {
        while (!isOver()) await this.#prompt(key, choices.count(2, 5));
      }),
    );
  }

  /** Whether it has received as much as is stored. */
  hasReceived(logs: StoredLogs): boolean {
    return [...this.said].every(([key, text]) => text.length >= textIn(logs.get(key) ?? []).length);
  }

  end(): Promise<void> {
    return this.#connection.end();
  }

  async #introduce(connection: Connection): Promise<void> {
    const clientCapabilities = { _meta: { [eventNumber]: true } };
    await connection.request('initialize', { protocolVersion: 1, clientCapabilities });
    const own = this.prompts.map(({ id }) => id).slice(-100);
    for (const sessionId of this.said.keys()) {
      const received = this.#received.get(sessionId) ?? { event: 0, updates: 0 };
      await connection.request('session/resume', {
        sessionId,
        cwd: this.#options.cwd,
        mcpServers: [],
        _meta: { 'parley/received': received, 'parley/ownPrompts': own },
      });
    }
  }

  async #prompt(sessionId: string, steps: number): Promise<void> {
    const id = crypto.randomUUID();
    const sent: SentPrompt = { id, key: sessionId, steps };
    this.prompts.push(sent);
    try {
      const prompt = [{ type: 'text', text: `${id} ${String(steps)}` }];
      await this.#connection.ask('session/prompt', { sessionId, prompt }, { isRepeated: false });
      sent.outcome = 'ended';
    } catch (error) {
      sent.outcome = error instanceof RpcError ? error.message : 'the connection ended';
    }
  }

  #take({ sessionId, update, _meta }: Readonly<Record<string, unknown>>): void {
    const key = String(sessionId);
    const { [eventNumber]: event } = isJsonObject(_meta) ? _meta : {};
    const before = this.#received.get(key) ?? { event: 0, updates: 0 };
    this.#received.set(
      key,
      typeof event === 'number' ? { event, updates: 0 } : { ...before, updates: before.updates + 1 },
    );
    const { sessionUpdate, content } = isJsonObject(update) ? update : {};
    if (sessionUpdate !== 'agent_message_chunk' || !isJsonObject(content)) return;
    this.said.set(key, `${this.said.get(key) ?? ''}${String(content['text'])}`);
  }
}
