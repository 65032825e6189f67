import { setTimeout as delay } from 'node:timers/promises';
import { openRemote } from '@parley/host';
import { attends, hubMethods, type EventsNote, type HubChanges, type HubSession } from '@parley/host/hub';
import { connect, type Connection } from '@parley/wire';
import type { ServedParley } from './parley-server.ts';

/** A client of a hub, as the page is one. */
export interface HubClient {
  readonly connection: Connection;
  /** Begins a session with an agent. Returns its key. */
  begin(agent: string, cwd: string): Promise<string>;
  /** Watches a session, once the server knows of it. */
  watch(sessionId: string): Promise<void>;
  prompt(sessionId: string, text: string): Promise<unknown>;
}

/** What a client receives. */
export interface HubClientOptions {
  /** Events of the sessions that it watches. */
  readonly onEvents?: (note: EventsNote) => void;
  /** Sessions whose row in lists has changed. */
  readonly onSessions?: (sessions: readonly HubSession[]) => void;
}

/** Joins a hub. */
export async function joinHub(
  { origin, token }: ServedParley,
  { onEvents, onSessions }: HubClientOptions = {},
): Promise<HubClient> {
  const transport = await openRemote({
    url: `${origin.replace(/^http/u, 'ws')}/acp`,
    headers: { Authorization: `Bearer ${token}` },
  });
  const connection = connect(transport, {
    onNotification: (method, params) => {
      if (method === hubMethods.events) onEvents?.(params as EventsNote);
      if (method === hubMethods.update) onSessions?.((params as HubChanges).sessions ?? []);
    },
  });
  const clientCapabilities = { _meta: { [attends]: true } };
  await connection.request('initialize', { protocolVersion: 1, clientCapabilities });
  await connection.request(hubMethods.attend, {});
  return {
    connection,
    begin: async (agent, cwd) => {
      const wanted = { cwd, mcpServers: [], _meta: { 'parley/agent': agent } };
      const { sessionId } = (await connection.request('session/new', wanted)) as { sessionId: string };
      return sessionId;
    },
    watch: async (sessionId) => {
      for (let attempts = 0; ; attempts += 1) {
        try {
          await connection.request(hubMethods.watch, { sessionId, after: 0 });
          return;
        } catch (error) {
          // Sessions that another replica began are known soon after.
          if (attempts === mostAttempts) throw error;
          await delay(pauseMs);
        }
      }
    },
    prompt: (sessionId, text) =>
      connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
  };
}

const mostAttempts = 200;
const pauseMs = 50;
