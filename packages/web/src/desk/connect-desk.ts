import { createClient, type ClientConnection } from '@parley/acp/unstable';
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
import { webSocketTransport } from '@parley/wire';
import type { DeskClient } from './desk-client.ts';
import { unknownDesk, withNews, type DeskState } from './desk-state.ts';
import { fromDesk } from './from-desk.ts';
import { emptyFeed, FeedWriter } from './session-feed.ts';
import { Store } from './store.ts';

/** The longest time between two attempts. */
const longestDelayMs = 15_000;

/** How long what is asked for waits for a connection. */
const patienceMs = 20_000;

/** Connects to the desk of the server that this page came from, and again whenever the connection is lost. */
export function connectDesk(): DeskClient {
  const desk = new ConnectedDesk();
  void desk.run();
  return desk.client;
}

interface Watching {
  readonly writer: FeedWriter;
  /** How many want it. */
  count: number;
}

class ConnectedDesk {
  readonly #state = new Store<DeskState>(unknownDesk);
  readonly #watched = new Map<string, Watching>();
  readonly #frames = new Map<string, Set<(frames: readonly DeskFrame[]) => void>>();
  #connection: ClientConnection | undefined;
  readonly #waiting = new Set<() => void>();
  #hurry: () => void = () => {};

  readonly client: DeskClient = {
    state: this.#state,
    watch: (key, listener) => this.#watch(key, listener),
    feed: (key) => this.#watched.get(key)?.writer.store.get() ?? emptyFeed,
    watchFrames: (key, onFrames) => this.#watchFrames(key, onFrames),
    newSession: async (cwd, meta) => {
      const { agent } = await this.#ready();
      const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [], _meta: { ...meta } });
      return sessionId;
    },
    resume: async (key) => {
      const { agent } = await this.#ready();
      await agent.request('session/resume', { sessionId: key, cwd: this.#cwdOf(key), mcpServers: [] });
    },
    prompt: async (key, blocks) => {
      const { agent } = await this.#ready();
      return await agent.request('session/prompt', { sessionId: key, prompt: blocks });
    },
    cancel: (key, graceMs) =>
      this.#ask(deskMethods.cancel, { sessionId: key, ...(graceMs !== undefined && { graceMs }) }),
    setMode: async (key, modeId) => {
      const { agent } = await this.#ready();
      await agent.request('session/set_mode', { sessionId: key, modeId });
    },
    setOption: async (key, id, value) => {
      const { agent } = await this.#ready();
      const params = { sessionId: key, configId: id };
      await agent.request(
        'session/set_config_option',
        typeof value === 'boolean' ? { ...params, type: 'boolean', value } : { ...params, value },
      );
    },
    answer: (key, requestId, answer) => this.#ask(deskMethods.answer, { sessionId: key, requestId, answer }),
    answers: async () => {
      const { agent } = await this.#ready();
      return fromDesk<AnswersResult>(await agent.requestExtension(deskMethods.answers, {})).answers;
    },
    revoke: (id) => this.#ask(deskMethods.revoke, { id }),
    changeQueue: (key, change) => this.#ask(deskMethods.queue, { sessionId: key, change }),
    rename: (key, title) =>
      this.#ask(deskMethods.rename, { sessionId: key, ...(title !== undefined && { title }) }),
    restart: (key) => this.#ask(deskMethods.restart, { sessionId: key }),
    close: async (key) => {
      const { agent } = await this.#ready();
      await agent.request('session/close', { sessionId: key });
    },
    remove: async (key) => {
      const { agent } = await this.#ready();
      await agent.request('session/delete', { sessionId: key });
    },
    fork: async (key) => {
      const { agent } = await this.#ready();
      const { sessionId } = await agent.request('session/fork', {
        sessionId: key,
        cwd: this.#cwdOf(key),
        mcpServers: [],
      });
      return sessionId;
    },
    signIn: (agent, methodId, values) =>
      this.#ask(deskMethods.signIn, { agent, methodId, ...(values !== undefined && { values }) }),
    reconnect: () => {
      this.#hurry();
    },
  };

  /** Connects, stays until the connection is lost, and begins again. Ends only when nobody is signed in. */
  async run(): Promise<void> {
    for (let attempts = 0; ; attempts += 1) {
      this.#become({ ...this.#state.get(), connection: { state: 'connecting' } });
      if (await this.#stay()) attempts = 0;
      if (!(await isSignedIn())) {
        this.#become({ ...this.#state.get(), connection: { state: 'signed-out' } });
        await this.#pause(undefined);
        continue;
      }
      const delay = Math.min(longestDelayMs, 500 * 2 ** attempts) * (0.75 + Math.random() / 2);
      const retryAt = Date.now() + delay;
      this.#become({
        ...this.#state.get(),
        connection: { state: 'waiting', retryAt, attempts: attempts + 1 },
      });
      await this.#pause(delay);
    }
  }

  /** @returns whether there was a connection */
  async #stay(): Promise<boolean> {
    const url = new URL('/desk', location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const connection = this.#createClient().connect(webSocketTransport(new WebSocket(url)));
    try {
      await connection.initialize();
      const known = fromDesk<AttendResult>(await connection.agent.requestExtension(deskMethods.attend, {}));
      this.#connection = connection;
      this.#become({
        ...this.#state.get(),
        ...known,
        sessions: new Map(known.sessions.map((session) => [session.key, session])),
        connection: { state: 'open' },
        isKnown: true,
      });
      for (const wake of this.#waiting) wake();
      this.#waiting.clear();
      for (const key of this.#watched.keys()) void this.#beginWatching(key);
      for (const key of this.#frames.keys()) void this.#tell(deskMethods.watchFrames, { sessionId: key });
      await connection.closed;
      return true;
    } catch {
      await connection.close();
      return false;
    } finally {
      this.#connection = undefined;
    }
  }

  #createClient(): ReturnType<typeof createClient> {
    return createClient({
      info: { name: 'parley-web', title: 'Parley', version: '0.1.0' },
      handlers: {
        // What happens in a session comes as events.
        'session/update': () => {},
        'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
      },
      extensions: {
        [deskMethods.news]: {
          notification: true,
          handle: (params) => {
            this.#become(withNews(this.#state.get(), fromDesk<DeskNews>(params)));
          },
        },
        [deskMethods.events]: {
          notification: true,
          handle: (params) => {
            const note = fromDesk<EventsNote>(params);
            this.#watched.get(note.sessionId)?.writer.takeEvents(note);
          },
        },
        [deskMethods.terminal]: {
          notification: true,
          handle: (params) => {
            const { sessionId, terminalId, text, isWhole = false } = fromDesk<TerminalNote>(params);
            this.#watched.get(sessionId)?.writer.takeTerminal(terminalId, text, isWhole);
          },
        },
        [deskMethods.log]: {
          notification: true,
          handle: (params) => {
            const { sessionId, text } = fromDesk<LogNote>(params);
            this.#watched.get(sessionId)?.writer.takeLog(text);
          },
        },
        [deskMethods.frames]: {
          notification: true,
          handle: (params) => {
            const { sessionId, frames } = fromDesk<FramesNote>(params);
            for (const onFrames of this.#frames.get(sessionId) ?? []) onFrames(frames);
          },
        },
      },
    });
  }

  #watch(key: string, listener: () => void): () => void {
    const watching = this.#watched.get(key) ?? { writer: new FeedWriter(), count: 0 };
    watching.count += 1;
    this.#watched.set(key, watching);
    if (watching.count === 1) void this.#beginWatching(key);
    const stop = watching.writer.store.subscribe(listener);
    return () => {
      stop();
      watching.count -= 1;
      if (watching.count > 0) return;
      this.#watched.delete(key);
      void this.#tell(deskMethods.unwatch, { sessionId: key });
    };
  }

  async #beginWatching(key: string): Promise<void> {
    const writer = this.#watched.get(key)?.writer;
    if (writer === undefined) return;
    writer.forgetLog();
    await this.#tell(deskMethods.watch, { sessionId: key, after: writer.seq });
  }

  #watchFrames(key: string, onFrames: (frames: readonly DeskFrame[]) => void): () => void {
    const listeners = this.#frames.get(key) ?? new Set();
    listeners.add(onFrames);
    this.#frames.set(key, listeners);
    void this.#tell(deskMethods.watchFrames, { sessionId: key });
    return () => {
      listeners.delete(onFrames);
      if (listeners.size === 0) this.#frames.delete(key);
    };
  }

  async #ask(method: string, params: object): Promise<void> {
    const { agent } = await this.#ready();
    await agent.requestExtension(method, params);
  }

  /** What is said again with the next connection, should there be none now. */
  async #tell(method: string, params: object): Promise<void> {
    try {
      await this.#connection?.agent.requestExtension(method, params);
    } catch {
      // The connection is lost, or the session gone: the news tell of both.
    }
  }

  async #ready(): Promise<ClientConnection> {
    const deadline = Date.now() + patienceMs;
    while (this.#connection === undefined) {
      const left = deadline - Date.now();
      if (left <= 0) throw new Error('there is no connection to Parley');
      await new Promise<void>((resolve) => {
        const timer = setTimeout(wake, left);
        function wake(): void {
          clearTimeout(timer);
          resolve();
        }
        this.#waiting.add(wake);
      });
    }
    return this.#connection;
  }

  #cwdOf(key: string): string {
    return this.#state.get().sessions.get(key)?.cwd ?? '/';
  }

  #become(state: DeskState): void {
    this.#state.set(state);
  }

  /** Until somebody is in a hurry, or the page is looked at again. */
  async #pause(ms: number | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(end, ms);
      function end(): void {
        clearTimeout(timer);
        removeEventListener('online', end);
        document.removeEventListener('visibilitychange', end);
        resolve();
      }
      addEventListener('online', end);
      document.addEventListener('visibilitychange', end);
      this.#hurry = end;
    });
  }
}

/** Whether the server still knows our cookie; true when that cannot be found out. */
async function isSignedIn(): Promise<boolean> {
  try {
    const { status } = await fetch('/api/desk', { method: 'HEAD' });
    return status !== 401;
  } catch {
    return true;
  }
}
