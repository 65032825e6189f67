import { setTimeout as delay } from 'node:timers/promises';
import { AapError, createAapClient, type AapClient, type ReceivedTurnEvent } from '@parley/aap';
import type { Choices } from './chaos-options.ts';
import type { ChaosReplica } from './chaos-replica.ts';
import type { ChaosUser, ChaosUserOptions, SentPrompt } from './chaos-user.ts';

/** What an application received of a turn. */
export interface ReceivedTurn {
  readonly id: string;
  text: string;
  readonly stops: string[];
}

/** A user of an application that speaks AAP: turns are streamed, from another replica where one ended. */
export class ApplicationUser implements ChaosUser {
  readonly prompts: SentPrompt[] = [];
  readonly turns: ReceivedTurn[] = [];
  readonly #options: ChaosUserOptions;
  readonly #client: AapClient;
  readonly #requests = new Map<ChaosReplica, AbortController>();
  readonly #keys: string[] = [];
  /** Its last request about each session, for reports. */
  readonly lastRequests = new Map<string, string>();

  constructor(options: ChaosUserOptions) {
    this.#options = options;
    this.#client = createAapClient({
      baseUrl: `${origin}/aap`,
      apiKey: options.token,
      limits: { maxReconnects: 1000, maxReconnectMs: 200 },
      fetch: (url, init) => this.#fetch(url, init),
    });
  }

  get keys(): readonly string[] {
    return this.#keys;
  }

  leave(replica: ChaosReplica): void {
    this.#requests.get(replica)?.abort();
    this.#requests.delete(replica);
  }

  async begin(): Promise<void> {
    for (let count = 0; count < this.#options.sessions; count += 1) {
      const { sessionId } = await this.#client.createSession({ agent: { name: 'numbered' } });
      this.#keys.push(sessionId);
    }
  }

  async work(isOver: () => boolean, choices: Choices): Promise<void> {
    await Promise.all(
      this.#keys.map(async (key) => {
        while (!isOver()) await this.#turn(key, choices.count(2, 5));
      }),
    );
  }

  end(): Promise<void> {
    for (const request of this.#requests.values()) request.abort();
    return Promise.resolve();
  }

  async #fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const replica = this.#options.choose();
    const left = this.#requests.get(replica) ?? new AbortController();
    this.#requests.set(replica, left);
    const signal =
      init.signal instanceof AbortSignal ? AbortSignal.any([init.signal, left.signal]) : left.signal;
    const key = /\/sessions\/([\w-]+)/u.exec(url)?.[1] ?? '';
    const lastEventId = new Headers(init.headers).get('last-event-id') ?? 'none';
    const text = `${init.method ?? 'GET'} ${url} to ${replica.name}, last event ${lastEventId}`;
    this.lastRequests.set(key, `${text}, without a response`);
    const response = await fetch(url.replace(origin, replica.url), { ...init, signal });
    this.lastRequests.set(key, `${text}, ${String(response.status)}`);
    return response;
  }

  /** With the same idempotency key until it has an answer. */
  async #turn(key: string, steps: number): Promise<void> {
    const id = crypto.randomUUID();
    const sent: SentPrompt = { id, key, steps };
    this.prompts.push(sent);
    const turn: ReceivedTurn = { id, text: '', stops: [] };
    this.turns.push(turn);
    const request = {
      stream: 'delta' as const,
      messages: [{ role: 'user' as const, content: `${id} ${String(steps)}` }],
    };
    for (;;) {
      try {
        const stream = await this.#client.streamTurn(key, request, { idempotencyKey: id });
        for await (const event of stream) take(turn, event);
        sent.outcome = 'ended';
        return;
      } catch (error) {
        const isRefused = error instanceof AapError && error.status < 500;
        if (isRefused || turn.text !== '') {
          sent.outcome = error instanceof Error ? error.message : String(error);
          return;
        }
        await delay(pauseMs);
      }
    }
  }
}

/** Replaced by the URL of the chosen replica. */
const origin = 'http://replica.invalid';

/** Pause between attempts. */
const pauseMs = 100;

function take(turn: ReceivedTurn, event: ReceivedTurnEvent): void {
  if (event.event === 'text_delta') turn.text += event.delta;
  if (event.event === 'turn_stop') turn.stops.push(event.stopReason);
}
