import type { AgentRequests } from '@parley/acp/unstable';
import {
  attends,
  hubMethods,
  type AttendResult,
  type HubFrame,
  type HubChanges,
  type EventsNote,
  type FramesNote,
  type LogNote,
  type TerminalNote,
} from '@parley/host/hub';
import {
  RpcError,
  systemClock,
  WireError,
  webSocketTransport,
  type Connection,
  type Transport,
} from '@parley/wire';
import { fromHub } from './from-hub.ts';
import type { HubClient, HubHearer } from './hub-client.ts';
import { HubConnection, type HubConnectionOptions } from './hub-connection.ts';
import { HubError } from './hub-error.ts';
import { unknownHub, withAttendance, withChanges, type HubState } from './hub-state.ts';
import { SessionFeeds } from './session-feeds.ts';
import { Store } from './store.ts';

/** The address of a hub, and how to check the sign-in. */
export type ConnectHubOptions = Pick<HubConnectionOptions, 'open' | 'isSignedIn'> &
  Partial<Pick<HubConnectionOptions, 'clock' | 'random'>> & { readonly signal?: AbortSignal };

/** A hub, and the way to look after its connection. */
export interface ConnectedHub {
  readonly client: HubClient;
  /** Finds out whether the connection still lives; for when the machine may have slept. */
  check(): Promise<void>;
}

/** Connects to a hub, and again whenever the connection is lost. */
export function connectHub(options: ConnectHubOptions): ConnectedHub {
  const hub = new Hub(options);
  void hub.connection.run(options.signal);
  return { client: hub.client, check: () => hub.connection.check() };
}

/** Connects to the hub of the server that this page came from. */
export function connectOwnHub(): HubClient {
  const { client, check } = connectHub({ open: openSocket, isSignedIn: asksServer });
  addEventListener('online', () => void check());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void check();
  });
  return client;
}

class Hub {
  readonly connection: HubConnection;
  /** The connection over which sessions are watched: before it is open, because the server keeps the order of requests. */
  #introduced: Connection | undefined;
  readonly #state = new Store<HubState>(unknownHub);
  readonly #hearers = new Set<HubHearer>();
  readonly #frames = new Map<string, Set<(frames: readonly HubFrame[]) => void>>();
  readonly #feeds = new SessionFeeds({
    begin: (key, after) => void sendIfOpen(this.#introduced, hubMethods.watch, { sessionId: key, after }),
    end: (key) => void sendIfOpen(this.#introduced, hubMethods.unwatch, { sessionId: key }),
    loadWriter: async () => (await import('./feed-writer.ts')).FeedWriter,
    onFailure: () => this.#state.set({ ...this.#state.get(), isOutdated: true }),
  });

  readonly client: HubClient = {
    state: this.#state,
    watch: (key, listener) => this.#feeds.watch(key, listener),
    feed: (key) => this.#feeds.feed(key),
    watchFrames: (key, onFrames) => this.#watchFrames(key, onFrames),
    newSession: async (cwd, meta) => {
      const { sessionId } = await this.#request('session/new', { cwd, mcpServers: [], _meta: { ...meta } });
      return sessionId;
    },
    resume: async (key) => {
      await this.#request('session/resume', { sessionId: key, cwd: this.#cwdOf(key), mcpServers: [] });
    },
    prompt: (key, blocks) => this.#request('session/prompt', { sessionId: key, prompt: blocks }),
    cancel: (key, graceMs) =>
      this.#ask(hubMethods.cancel, { sessionId: key, ...(graceMs !== undefined && { graceMs }) }),
    setMode: async (key, modeId) => {
      await this.#request('session/set_mode', { sessionId: key, modeId });
    },
    setOption: async (key, id, value) => {
      const params = { sessionId: key, configId: id };
      await this.#request(
        'session/set_config_option',
        typeof value === 'boolean' ? { ...params, type: 'boolean', value } : { ...params, value },
      );
    },
    answer: (key, requestId, answer) => this.#ask(hubMethods.answer, { sessionId: key, requestId, answer }),
    changeQueue: (key, change) => this.#ask(hubMethods.queue, { sessionId: key, change }),
    rename: (key, title) =>
      this.#ask(hubMethods.rename, { sessionId: key, ...(title !== undefined && { title }) }),
    close: async (key) => {
      await this.#request('session/close', { sessionId: key });
    },
    ask: async (method, params) => fromHub(await this.#send(method, params)),
    hear: (listener) => {
      this.#hearers.add(listener);
      return () => this.#hearers.delete(listener);
    },
    reconnect: () => this.connection.hurry(),
  };

  constructor({ open, isSignedIn, clock = systemClock, random = Math.random }: ConnectHubOptions) {
    this.connection = new HubConnection({
      open,
      isSignedIn,
      clock,
      random,
      greet: (connection) => this.#greet(connection),
      probe: (connection) => this.#attend(connection),
      onNotification: (method, params) => this.#take(method, params),
      onState: (connection) => {
        this.#state.set({ ...this.#state.get(), connection });
        if (connection.state === 'open') this.#watchFramesAgain();
      },
    });
  }

  async #greet(connection: Connection): Promise<void> {
    const introduced = connection.request('initialize', {
      protocolVersion: 1,
      clientInfo: { name: 'parley-web', title: 'Parley', version: '0.1.0' },
      // Settings that are on or off are shown as such.
      clientCapabilities: { session: { configOptions: { boolean: {} } }, _meta: { [attends]: true } },
    });
    const attended = this.#attend(connection);
    this.#introduced = connection;
    this.#feeds.beginAgain();
    await Promise.all([introduced, attended]);
  }

  async #attend(connection: Connection): Promise<void> {
    await connection.request(
      hubMethods.attend,
      {},
      {
        // Changes right after the answer are relative to it.
        read: (known) => this.#state.set(withAttendance(this.#state.get(), fromHub<AttendResult>(known))),
      },
    );
  }

  #take(method: string, params: unknown): void {
    switch (method) {
      case hubMethods.update:
        this.#state.set(withChanges(this.#state.get(), fromHub<HubChanges>(params)));
        return;
      case hubMethods.events:
        this.#feeds.takeEvents(fromHub<EventsNote>(params));
        return;
      case hubMethods.terminal:
        this.#feeds.takeTerminal(fromHub<TerminalNote>(params));
        return;
      case hubMethods.log:
        this.#feeds.takeLog(fromHub<LogNote>(params));
        return;
      case hubMethods.frames: {
        const { sessionId, frames } = fromHub<FramesNote>(params);
        for (const onFrames of this.#frames.get(sessionId) ?? []) onFrames(frames);
        return;
      }
      // `session/update` repeats the events; what else there may be is for a part of the page.
      default:
        for (const hear of this.#hearers) hear(method, params);
    }
  }

  #watchFramesAgain(): void {
    for (const key of this.#frames.keys()) this.#askFrames(hubMethods.watchFrames, key);
  }

  #askFrames(method: string, key: string): void {
    void sendIfOpen(this.connection.current, method, { sessionId: key });
  }

  #watchFrames(key: string, onFrames: (frames: readonly HubFrame[]) => void): () => void {
    const listeners = this.#frames.get(key) ?? new Set();
    listeners.add(onFrames);
    this.#frames.set(key, listeners);
    this.#askFrames(hubMethods.watchFrames, key);
    return () => {
      listeners.delete(onFrames);
      if (listeners.size > 0) return;
      this.#frames.delete(key);
      this.#askFrames(hubMethods.unwatchFrames, key);
    };
  }

  async #request<Method extends keyof AgentRequests>(
    method: Method,
    params: AgentRequests[Method]['params'],
  ): Promise<AgentRequests[Method]['result']> {
    return fromHub(await this.#send(method, params));
  }

  async #ask(method: string, params: object): Promise<void> {
    await this.#send(method, params);
  }

  async #send(method: string, params: object): Promise<unknown> {
    const connection = await this.connection.ready();
    try {
      return await connection.request(method, params);
    } catch (error) {
      throw toHubError(error);
    }
  }

  #cwdOf(key: string): string {
    return this.#state.get().sessions.get(key)?.cwd ?? '/';
  }
}

/** Sends a request if there is a connection; otherwise the next connection sends it. */
async function sendIfOpen(connection: Connection | undefined, method: string, params: object): Promise<void> {
  try {
    await connection?.request(method, params);
  } catch {
    // The connection is lost, or the session gone: the changes report both.
  }
}

function toHubError(error: unknown): unknown {
  if (error instanceof RpcError) {
    const { code, data } = error;
    const { code: reason } = fromHub<{ readonly code?: unknown } | undefined>(data) ?? {};
    return new HubError('refused', error.message, {
      cause: error,
      rpcCode: code,
      ...(typeof reason === 'string' && { reason }),
    });
  }
  if (error instanceof WireError) return new HubError('lost', error.message, { cause: error });
  return error;
}

function openSocket(): Transport {
  const url = new URL('/acp', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return webSocketTransport(new WebSocket(url));
}

async function asksServer(): Promise<boolean> {
  try {
    const { status } = await fetch('/api/hub', { method: 'HEAD' });
    return status !== 401;
  } catch {
    return true;
  }
}
