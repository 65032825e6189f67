import { hostname } from 'node:os';
import path from 'node:path';
import { createAapServer, type AapServer, type ServerEvent } from '@parley/aap/server';
import {
  aapRoute,
  adoptAcpSessions,
  adoptSessions,
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
  openSecretVault,
  openAapStore,
  programsRoute,
  readWebAssets,
  toTokenId,
  webRoute,
  type AnsweredRequest,
  type Metrics,
} from '@parley/gateway';
import { filesStore, openAuditLog, SharedEventLogs, type LimitedPool } from '@parley/host';
import { auditFolder, eventLogsFolder } from '../configuration/places.ts';
import { publishHub, type PublishedHub } from '../hub/hub-file.ts';
import { readVersion } from '../version.ts';
import type { ServeFlags } from './flags.ts';
import type { Log } from './log.ts';
import { openAgents } from './open-agents.ts';
import { openHub } from './open-hub.ts';
import { openTokens } from './open-tokens.ts';
import type { ServerOptions } from './server-options.ts';

/** How long answers that are on their way may take when everything else has ended. */
const lastAnswersMs = 500;

/** How long an agent may take to end a run that is not wanted any more: all of them have to be over in time. */
const stopRunMs = 2000;

/** A server that listens. */
export interface RunningServer {
  readonly url: string;
  /** An address that signs the user's browser in, once. */
  makeSignInLink(options?: { readonly lifetimeMs?: number }): string;
  /** The names of the agents that are served. */
  readonly agents: readonly string[];
  /** Begins no turn any more, lets those that run go on for a while, and ends everything. */
  close(options: { readonly graceMs: number }): Promise<void>;
}

/** Finds the agents, looks at each, and listens. If it throws, nothing of it is left. */
export async function openServer(flags: ServeFlags, options: ServerOptions): Promise<RunningServer> {
  const { log, surroundings } = options;
  const ends: (() => Promise<void> | void)[] = [];
  const endAll = async (): Promise<void> => {
    for (const end of ends.splice(0).toReversed()) await attempt(end, log);
  };
  try {
    const tokens = await openTokens(flags, options);
    ends.push(() => {
      tokens[Symbol.dispose]();
    });
    const eventLogs = new SharedEventLogs({
      store: filesStore(eventLogsFolder(surroundings.env)),
      program: `parley serve ${readVersion()}`,
    });
    const store = await openAapStore(flags.store, {
      eventLogs,
      cwd: flags.workspaces[0],
      ownerOf: (owner) => toTokenId(owner, tokens.named),
    });
    ends.push(() => store.close());
    if (store.converted > 0) {
      log.info('sessions of applications became event logs', { sessions: store.converted });
    }
    const secrets = await openSecretVault(path.join(flags.store, 'secrets.key'));
    const adopted = await adoptSessions(store, tokens.named);
    if (adopted > 0) log.info('owners of sessions were converted from names to ids', { sessions: adopted });
    const adoptedAcp = await adoptAcpSessions(path.join(flags.store, 'acp-owners.jsonl'), {
      store: eventLogs.store,
      program: `parley serve ${readVersion()}`,
    });
    if (adoptedAcp > 0) {
      log.info('sessions of remote ACP are sessions of the hub now', { sessions: adoptedAcp });
    }
    const browsers = await openBrowserFile(path.join(flags.store, 'browsers.json'), {
      onFault: (error) => {
        log.error('who signs in now has to again after a restart', { error: messageOf(error) });
      },
    });
    ends.push(async () => {
      await browsers[Symbol.asyncDispose]();
    });
    const audit = openAuditLog({
      directory: auditFolder(surroundings.env),
      onFailure: (error) => {
        log.error('decisions about permissions are not recorded', { error: messageOf(error) });
      },
    });
    ends.push(() => audit.flush());
    const agents = await openAgents(flags, { ...options, audit, eventLogs });
    ends.push(() => agents.close());
    const metrics: Metrics = createMetrics({
      processes: () => processesIn(agents.pool),
      pending: () => pendingIn(aap),
      acpConnections: () => acp.connections,
      hub: () => hub,
    });
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
      onTurn: beginTurn,
    });
    ends.push(() => hub.close());
    const acp = createAcpRoutes(hub);
    ends.push(() => acp.close());
    const assets = await readWebAssets();
    if (assets === undefined) log.info('the web interface was not built');
    let isReady = true;
    const gateway = createGateway({
      host: flags.host,
      port: flags.port,
      ...(flags.tls !== undefined && { tls: flags.tls }),
      tokens: () => tokens.all,
      browsers,
      allowedOrigins: flags.allowedOrigins,
      // Clients on other machines call this machine by its name.
      ...(!isLoopback(flags.host) && { hosts: [hostname()] }),
      routes: [
        ...healthRoutes(() => isReady),
        webRoute(assets),
        programsRoute({ version: readVersion(), agents: () => agents.bridged.map(({ info }) => info) }),
        ...openApiRoutes(),
        metricsRoute(metrics),
        aapRoute(aap),
        ...acp.routes,
        apiRoute(hub.table),
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
    await gateway.listen();
    ends.push(() => gateway.close({ graceMs: lastAnswersMs }));
    const published = await publish({ url: gateway.url, token: tokens.hub }, options);
    ends.push(() => published.remove());
    return {
      url: gateway.url,
      makeSignInLink: (link) => gateway.makeSignInLink(tokens.own, link),
      agents: agents.bridged.map(({ info }) => info.name),
      close: async ({ graceMs }) => {
        isReady = false;
        // Commands that look for a hub from now on do not find one that is ending.
        await attempt(() => published.remove(), log);
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
    return { remove: () => Promise.resolve() };
  }
}

/** One end that fails does not keep the others from theirs. */
async function attempt(end: () => Promise<void> | void, log: Log): Promise<void> {
  try {
    await end();
  } catch (error) {
    log.error('something did not end as it should', { error: messageOf(error) });
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
