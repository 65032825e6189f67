import { hostname } from 'node:os';
import path from 'node:path';
import { createAapServer, type AapServer, type ServerEvent } from '@parley/aap/server';
import {
  aapRoute,
  adoptAcpSessions,
  apiRoute,
  createAcpRoutes,
  createApplicationSessions,
  createGateway,
  createMetrics,
  healthRoutes,
  isLoopback,
  metricsRoute,
  openBrowserFile,
  openApiRoutes,
  openPush,
  programsRoute,
  readWebAssets,
  webRoute,
  type AnsweredRequest,
  type Metrics,
} from '@parley/gateway';
import { openAuditLog, type LimitedPool } from '@parley/host';
import { auditFolder } from '../configuration/places.ts';
import { publishHub, type PublishedHub } from '../hub/hub-file.ts';
import { readVersion } from '../version.ts';
import type { ServeFlags } from './flags.ts';
import type { Log } from './log.ts';
import { OpenAgents } from './open-agents.ts';
import { openHubStore } from './open-hub-store.ts';
import { openHub } from './open-hub.ts';
import type { ServerOptions } from './server-options.ts';
import { openTokens } from './token/open-tokens.ts';

/** How long pending responses may take after everything else has ended. */
const lastAnswersMs = 500;

/** How long an agent may take to end a cancelled run during shutdown. */
const stopRunMs = 2000;

/** A server that listens. */
export interface RunningServer {
  readonly url: string;
  /** An address that signs the user's browser in, once. */
  makeSignInLink(options?: { readonly lifetimeMs?: number }): string;
  /** The names of the agents that are served. */
  readonly agents: readonly string[];
  /** Rejects new turns, waits a limited time for running turns, and then ends everything. */
  close(options: { readonly graceMs: number }): Promise<void>;
}

/** Finds the agents, and listens; what each offers is found out in the background. If it throws, nothing of it is left. */
export async function openServer(flags: ServeFlags, options: ServerOptions): Promise<RunningServer> {
  const { log, surroundings } = options;
  const ends: (() => Promise<void> | void)[] = [];
  const endAll = async (): Promise<void> => {
    for (const end of ends.splice(0).toReversed()) await attempt(end, log);
  };
  try {
    const metrics: Metrics = createMetrics({
      processes: () => processesIn(agents.pool),
      pending: () => pendingIn(aap),
      acpConnections: () => acp.connections,
      hub: () => hub,
      ...(flags.database !== undefined && {
        replicas: () => hubStore.replicas?.counts ?? { leaseChanges: 0, commandsWaiting: 0 },
      }),
    });
    const hubStore = await openHubStore(flags, options, metrics);
    ends.push(() => hubStore.close());
    const { eventLogs, secrets, replicas } = hubStore;
    const browsers = await openBrowserFile(hubStore.places.browsers, {
      onFault: (error) => {
        log.error('sign-ins of browsers end with the server: they could not be stored', {
          error: messageOf(error),
        });
      },
    });
    ends.push(async () => {
      await browsers[Symbol.asyncDispose]();
    });
    const tokens = await openTokens(flags, options, {
      place: hubStore.places.tokens,
      ownDigest: browsers.ownDigest,
    });
    ends.push(() => {
      tokens[Symbol.dispose]();
    });
    const store = await hubStore.openApplications(tokens.named);
    ends.push(() => store.close());
    const adoptedAcp = await adoptAcpSessions(path.join(flags.folder, 'acp-owners.jsonl'), {
      store: eventLogs.store,
      program: `parley serve ${readVersion()}`,
    });
    if (adoptedAcp > 0) {
      log.info('sessions of remote ACP are sessions of the hub now', { sessions: adoptedAcp });
    }
    const audit = openAuditLog({
      directory: auditFolder(surroundings.env),
      onFailure: (error) => {
        log.error('decisions about permissions are not recorded', { error: messageOf(error) });
      },
    });
    ends.push(() => audit.flush());
    const agents = await OpenAgents.open(flags, {
      ...options,
      audit,
      eventLogs,
      onProbed: (name, offer) => {
        hub.learn(name, offer);
        void hub.findAgents();
      },
    });
    ends.push(() => agents.close());
    const beginTurn = (agent: string, sessionId?: string): ((stopReason: string) => void) => {
      const begun = performance.now();
      metrics.turnStart(agent);
      return (stopReason) => {
        const ms = performance.now() - begun;
        metrics.turnStop(agent, { stopReason, ms });
        log.info('turn', { agent, sessionId, stopReason, ms: Math.round(ms) });
      };
    };
    const aap = createAapServer(agents.bridged, {
      store,
      secrets,
      basePath: '/aap',
      limits: { stopMs: stopRunMs },
      onEvent: (event) => {
        take(event, metrics, log);
      },
    });
    const applications = createApplicationSessions(store, aap);
    const hub = openHub(flags, {
      ...options,
      eventLogs,
      audit,
      agents,
      applications,
      places: hubStore.places,
      onTurn: beginTurn,
      ...(replicas !== undefined && { replicas }),
    });
    ends.push(() => hub.close());
    const push = await openPush({
      hub,
      tokens: () => tokens.all,
      browsers,
      file: hubStore.places.push,
      onFault: (error) => {
        log.warn('a device was not notified', { error: messageOf(error) });
      },
    });
    ends.push(() => push.close());
    const acp = createAcpRoutes(hub);
    ends.push(() => acp.close());
    const assets = await readWebAssets();
    if (assets === undefined) log.info('the web interface was not built');
    let isEnding = false;
    const gateway = createGateway({
      host: flags.host,
      port: hubStore.port ?? flags.port,
      ...(flags.tls !== undefined && { tls: flags.tls }),
      tokens: () => tokens.all,
      refreshTokens: () => tokens.refresh(),
      refreshBrowsers: () => browsers.refresh(),
      browsers,
      allowedOrigins: flags.allowedOrigins,
      // Clients on other machines call this machine by its name.
      ...(!isLoopback(flags.host) && { hosts: [hostname()] }),
      routes: [
        ...healthRoutes(() => (isEnding ? 'the server is shutting down' : hubStore.unreachable())),
        webRoute(assets),
        programsRoute({ version: readVersion(), agents: () => agents.bridged.map(({ info }) => info) }),
        ...openApiRoutes(),
        metricsRoute(metrics),
        aapRoute(
          aap,
          async (pathname) => {
            // Applications are shown agents and their options as they are now.
            if (pathname === '/aap/meta') await hub.findAgents();
            await agents.probed;
          },
          hub,
        ),
        ...acp.routes,
        apiRoute(hub),
        push.route,
      ],
      onFault: (error) => {
        log.error('a request failed here', { error: messageOf(error) });
      },
      onStream: () => metrics.openStream(),
      onAnswered: (answered) => {
        metrics.request(answered);
        logRequest(answered, log);
      },
    });
    await hub.join();
    await gateway.listen();
    ends.push(() => gateway.close({ graceMs: lastAnswersMs }));
    const published = await publish({ url: gateway.url, token: tokens.hub }, options);
    ends.push(() => {
      published.remove();
    });
    return {
      url: gateway.url,
      makeSignInLink: (link) => gateway.makeSignInLink(tokens.own, link),
      agents: agents.bridged.map(({ info }) => info.name),
      close: async ({ graceMs }) => {
        isEnding = true;
        // Commands that look for a hub from now on do not find one that is ending.
        await attempt(() => {
          published.remove();
        }, log);
        // The turns that end with the server are not announced.
        await attempt(() => push.close(), log);
        await Promise.all([
          attempt(() => aap.close({ graceMs }), log),
          attempt(() => hub.close({ graceMs }), log),
        ]);
        await endAll();
      },
    };
  } catch (error) {
    await endAll();
    throw error;
  }
}

/** A server that commands cannot find still serves clients that have its address. */
async function publish(
  hub: Parameters<typeof publishHub>[0],
  { surroundings, log }: ServerOptions,
): Promise<PublishedHub> {
  try {
    return await publishHub(hub, surroundings.env);
  } catch (error) {
    log.warn('hub.json could not be written; parley attach needs --url and --token', {
      error: messageOf(error),
    });
    return { remove: () => undefined };
  }
}

/** One end that fails does not keep the others from theirs. */
async function attempt(end: () => Promise<void> | void, log: Log): Promise<void> {
  try {
    await end();
  } catch (error) {
    log.error('a resource could not be closed', { error: messageOf(error) });
  }
}

function take(event: ServerEvent, metrics: Metrics, log: Log): void {
  switch (event.type) {
    case 'turn-start':
      metrics.turnStart(event.agent);
      break;
    case 'first-event':
      metrics.firstEvent(event.agent, event.ms);
      break;
    case 'turn-stop': {
      const { agent, sessionId, turnId, stopReason, detail, ms } = event;
      metrics.turnStop(agent, event);
      log.info('turn', { agent, sessionId, turnId, stopReason, detail, ms: Math.round(ms) });
      break;
    }
    case 'fault':
      log.error(event.message, { requestId: event.requestId, error: messageOf(event.cause) });
      break;
  }
}

function logRequest(
  { requestId, method, path: target, status, ms, principal }: AnsweredRequest,
  log: Log,
): void {
  // A liveness check comes every few seconds.
  if (target === '/healthz' || target === '/readyz') return;
  // A page brings a dozen of them.
  if (target.startsWith('/assets/') && status < 400) return;
  log.info('request', { requestId, method, path: target, status, ms: Math.round(ms), token: principal });
}

function processesIn({ taken, idle, waiting }: LimitedPool): { used: number; idle: number; waiting: number } {
  return { used: taken - idle, idle, waiting };
}

async function pendingIn(aap: AapServer): Promise<{ calls: number; oldestMs: number }> {
  const { waitingCalls } = await aap.status();
  const since = waitingCalls.map((call) => Date.parse(call.since));
  return { calls: since.length, oldestMs: Math.max(0, Date.now() - Math.min(...since, Infinity)) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
