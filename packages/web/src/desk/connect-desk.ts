import type { AgentRequests } from '@parley/acp/unstable';
import {
  deskMethods,
  type AnswersResult,
  type AttendResult,
  type DeskFrame,
  type DeskNews,
  type EventsNote,
  type FramesNote,
  type LogNote,
  type TerminalNote,
} from '@parley/host/desk';
import {
  RpcError,
  systemClock,
  WireError,
  webSocketTransport,
  type Connection,
  type Transport,
} from '@parley/wire';
import type { DeskClient } from './desk-client.ts';
import { DeskError } from './desk-error.ts';
import { unknownDesk, withAttendance, withNews, type DeskState } from './desk-state.ts';
import { fromDesk } from './from-desk.ts';
import { Link, type LinkOptions } from './link.ts';
import { SessionFeeds } from './session-feeds.ts';
import { Store } from './store.ts';

/** Where a desk is, and how it is found out whether it knows us. */
export type ConnectDeskOptions = Pick<LinkOptions, 'open' | 'isSignedIn'> &
  Partial<Pick<LinkOptions, 'clock' | 'random'>> & { readonly signal?: AbortSignal };

/** A desk, and the way to look after its connection. */
export interface ConnectedDesk {
  readonly client: DeskClient;
  /** Finds out whether the connection still lives; for when the machine may have slept. */
  check(): Promise<void>;
}

/** Connects to a desk, and again whenever the connection is lost. */
export function connectDesk(options: ConnectDeskOptions): ConnectedDesk {
  const desk = new Desk(options);
  void desk.link.run(options.signal);
  return { client: desk.client, check: () => desk.link.check() };
}

/** Connects to the desk of the server that this page came from. */
export function connectOwnDesk(): DeskClient {
  const { client, check } = connectDesk({ open: openSocket, isSignedIn: asksServer });
  addEventListener('online', () => void check());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void check();
  });
  return client;
}

class Desk {
  readonly link: Link;
  readonly #state = new Store<DeskState>(unknownDesk);
  readonly #frames = new Map<string, Set<(frames: readonly DeskFrame[]) => void>>();
  readonly #feeds = new SessionFeeds({
    begin: (key, after) => void this.#tell(deskMethods.watch, { sessionId: key, after }),
    end: (key) => void this.#tell(deskMethods.unwatch, { sessionId: key }),
    loadWriter: async () => (await import('./feed-writer.ts')).FeedWriter,
    onFailure: () => this.#state.set({ ...this.#state.get(), isOutdated: true }),
  });

  readonly client: DeskClient = {
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
      this.#ask(deskMethods.cancel, { sessionId: key, ...(graceMs !== undefined && { graceMs }) }),
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
    answer: (key, requestId, answer) => this.#ask(deskMethods.answer, { sessionId: key, requestId, answer }),
    answers: async () => {
      const { answers } = fromDesk<AnswersResult>(await this.#send(deskMethods.answers, {}));
      return answers;
    },
    revoke: (id) => this.#ask(deskMethods.revoke, { id }),
    changeQueue: (key, change) => this.#ask(deskMethods.queue, { sessionId: key, change }),
    rename: (key, title) =>
      this.#ask(deskMethods.rename, { sessionId: key, ...(title !== undefined && { title }) }),
    restart: (key) => this.#ask(deskMethods.restart, { sessionId: key }),
    close: async (key) => {
      await this.#request('session/close', { sessionId: key });
    },
    remove: async (key) => {
      await this.#request('session/delete', { sessionId: key });
    },
    fork: async (key) => {
      const params = { sessionId: key, cwd: this.#cwdOf(key), mcpServers: [] };
      const { sessionId } = await this.#request('session/fork', params);
      return sessionId;
    },
    signIn: (agent, methodId, values) =>
      this.#ask(deskMethods.signIn, { agent, methodId, ...(values !== undefined && { values }) }),
    reconnect: () => this.link.hurry(),
  };

  constructor({ open, isSignedIn, clock = systemClock, random = Math.random }: ConnectDeskOptions) {
    this.link = new Link({
      open,
      isSignedIn,
      clock,
      random,
      greet: (connection) => this.#greet(connection),
      probe: (connection) => this.#attend(connection),
      onNotification: (method, params) => this.#take(method, params),
      onState: (connection) => {
        this.#state.set({ ...this.#state.get(), connection });
        if (connection.state === 'open') this.#beginAgain();
      },
    });
  }

  async #greet(connection: Connection): Promise<void> {
    await connection.request('initialize', {
      protocolVersion: 1,
      clientInfo: { name: 'parley-web', title: 'Parley', version: '0.1.0' },
      // Settings that are on or off are shown as such.
      clientCapabilities: { session: { configOptions: { boolean: {} } } },
    });
    await this.#attend(connection);
  }

  async #attend(connection: Connection): Promise<void> {
    await connection.request(
      deskMethods.attend,
      {},
      {
        // News that come right behind the answer are about what it says.
        read: (known) => this.#state.set(withAttendance(this.#state.get(), fromDesk<AttendResult>(known))),
      },
    );
  }

  #take(method: string, params: unknown): void {
    switch (method) {
      case deskMethods.news:
        this.#state.set(withNews(this.#state.get(), fromDesk<DeskNews>(params)));
        return;
      case deskMethods.events:
        this.#feeds.takeEvents(fromDesk<EventsNote>(params));
        return;
      case deskMethods.terminal:
        this.#feeds.takeTerminal(fromDesk<TerminalNote>(params));
        return;
      case deskMethods.log:
        this.#feeds.takeLog(fromDesk<LogNote>(params));
        return;
      case deskMethods.frames: {
        const { sessionId, frames } = fromDesk<FramesNote>(params);
        for (const onFrames of this.#frames.get(sessionId) ?? []) onFrames(frames);
        return;
      }
      // What else there may be is for other clients: `session/update` tells what the events tell.
      default:
    }
  }

  #beginAgain(): void {
    this.#feeds.beginAgain();
    for (const key of this.#frames.keys()) void this.#tell(deskMethods.watchFrames, { sessionId: key });
  }

  #watchFrames(key: string, onFrames: (frames: readonly DeskFrame[]) => void): () => void {
    const listeners = this.#frames.get(key) ?? new Set();
    listeners.add(onFrames);
    this.#frames.set(key, listeners);
    void this.#tell(deskMethods.watchFrames, { sessionId: key });
    return () => {
      listeners.delete(onFrames);
      if (listeners.size > 0) return;
      this.#frames.delete(key);
      void this.#tell(deskMethods.unwatchFrames, { sessionId: key });
    };
  }

  async #request<Method extends keyof AgentRequests>(
    method: Method,
    params: AgentRequests[Method]['params'],
  ): Promise<AgentRequests[Method]['result']> {
    return fromDesk(await this.#send(method, params));
  }

  async #ask(method: string, params: object): Promise<void> {
    await this.#send(method, params);
  }

  async #send(method: string, params: object): Promise<unknown> {
    const connection = await this.link.ready();
    try {
      return await connection.request(method, params);
    } catch (error) {
      throw toDeskError(error);
    }
  }

  /** What is said again with the next connection, should there be none now. */
  async #tell(method: string, params: object): Promise<void> {
    try {
      await this.link.connection?.request(method, params);
    } catch {
      // The connection is lost, or the session gone: the news tell of both.
    }
  }

  #cwdOf(key: string): string {
    return this.#state.get().sessions.get(key)?.cwd ?? '/';
  }
}

function toDeskError(error: unknown): unknown {
  if (error instanceof RpcError) {
    return new DeskError('refused', error.message, { cause: error, rpcCode: error.code });
  }
  if (error instanceof WireError) return new DeskError('lost', error.message, { cause: error });
  return error;
}

function openSocket(): Transport {
  const url = new URL('/desk', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return webSocketTransport(new WebSocket(url));
}

async function asksServer(): Promise<boolean> {
  try {
    const { status } = await fetch('/api/desk', { method: 'HEAD' });
    return status !== 401;
  } catch {
    return true;
  }
}
