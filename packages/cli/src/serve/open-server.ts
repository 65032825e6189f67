import { hostname } from 'node:os';
import { createAapServer } from '@parley/aap/server';
import {
  aapRoute,
  apiRoute,
  createAcpRoutes,
  createApplicationSessions,
  createGateway,
  createMetrics,
  healthRoutes,
  isLoopback,
  metricsRoute,
  openApiRoutes,
  openPush,
  programsRoute,
  readWebAssets,
  webRoute,
  type Gateway,
  type GatewayOptions,
  type Metrics,
} from '@parley/gateway';
import { publishHub, type PublishedHub } from '../hub/hub-file.ts';
import { readVersion } from '../version.ts';
import { Closing } from './closing.ts';
import type { ServeFlags } from './flags.ts';
import { messageOf } from './log.ts';
import { OpenAgents } from './open-agents.ts';
import { openHub } from './open-hub.ts';
import { openStores, type ServerStores } from './open-stores.ts';
import type { ServerOptions } from './server-options.ts';
import { pendingIn, processesIn, serverReports } from './server-reports.ts';

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
  const closing = new Closing(options.log);
  try {
    return await openParts(flags, options, closing);
  } catch (error) {
    await closing.all();
    throw error;
  }
}

async function openParts(
  flags: ServeFlags,
  options: ServerOptions,
  closing: Closing,
): Promise<RunningServer> {
  const { log } = options;
  const metrics: Metrics = createMetrics({
    processes: () => processesIn(agents.pool),
    pending: () => pendingIn(aap),
    acpConnections: () => acp.connections,
    hub: () => hub,
    ...(flags.database !== undefined && {
      replicas: () => stores.hub.replicas?.counts ?? { leaseChanges: 0, commandsWaiting: 0 },
    }),
  });
  const reports = serverReports(metrics, log);
  const stores = await openStores(flags, { ...options, metrics, closing });
  const { tokens, audit } = stores;
  const { eventLogs, secrets, places, replicas } = stores.hub;
  const agents = await OpenAgents.open(flags, {
    ...options,
    audit,
    eventLogs,
    onProbed: (name, offer) => {
      hub.learn(name, offer);
      void hub.findAgents();
    },
  });
  closing.add(() => agents.close());
  const aap = createAapServer(agents.bridged, {
    store: stores.applications,
    secrets,
    basePath: '/aap',
    limits: { stopMs: stopRunMs },
    onEvent: reports.take,
  });
  const hub = openHub(flags, {
    ...options,
    eventLogs,
    audit,
    agents,
    applications: createApplicationSessions(stores.applications, aap),
    places,
    onTurn: reports.beginTurn,
    ...(replicas !== undefined && { replicas }),
  });
  closing.add(() => hub.close());
  const push = await openPush({
    hub,
    tokens: () => tokens.all,
    browsers: stores.browsers,
    file: places.push,
    onFault: (error) => {
      log.warn('a device was not notified', { error: messageOf(error) });
    },
  });
  closing.add(() => push.close());
  const acp = createAcpRoutes(hub);
  closing.add(() => acp.close());
  const assets = await readWebAssets();
  if (assets === undefined) log.info('the web interface was not built');
  let isEnding = false;
  const gateway = openGateway(flags, stores, {
    routes: [
      ...healthRoutes(() => (isEnding ? 'the server is shutting down' : stores.hub.unreachable())),
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
    onAnswered: reports.answered,
  });
  await hub.join();
  await gateway.listen();
  closing.add(() => gateway.close({ graceMs: lastAnswersMs }));
  const published = await publish({ url: gateway.url, token: tokens.hub }, options);
  closing.add(() => {
    published.remove();
  });
  return {
    url: gateway.url,
    makeSignInLink: (link) => gateway.makeSignInLink(tokens.own, link),
    agents: agents.bridged.map(({ info }) => info.name),
    close: async ({ graceMs }) => {
      isEnding = true;
      // Commands that look for a hub from now on do not find one that is ending.
      await closing.attempt(() => {
        published.remove();
      });
      // The turns that end with the server are not announced.
      await closing.attempt(() => push.close());
      await Promise.all([
        closing.attempt(() => aap.close({ graceMs })),
        closing.attempt(() => hub.close({ graceMs })),
      ]);
      await closing.all();
    },
  };
}

/** The HTTP server, at the address of the flags and with the credentials of the stores. */
function openGateway(
  flags: ServeFlags,
  { hub, tokens, browsers }: ServerStores,
  options: Pick<GatewayOptions, 'routes' | 'onFault' | 'onStream' | 'onAnswered'>,
): Gateway {
  return createGateway({
    ...options,
    host: flags.host,
    port: hub.port ?? flags.port,
    ...(flags.tls !== undefined && { tls: flags.tls }),
    tokens: () => tokens.all,
    refreshTokens: () => tokens.refresh(),
    refreshBrowsers: () => browsers.refresh(),
    browsers,
    allowedOrigins: flags.allowedOrigins,
    // Clients on other machines call this machine by its name.
    ...(!isLoopback(flags.host) && { hosts: [hostname()] }),
  });
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
