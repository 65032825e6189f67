import path from 'node:path';
import { adoptAcpSessions, openBrowserFile, type AapStore, type Metrics } from '@parley/gateway';
import { openAuditLog, type AuditLog } from '@parley/host';
import { auditFolder } from '../configuration/places.ts';
import { readVersion } from '../version.ts';
import type { Closing } from './closing.ts';
import type { ServeFlags } from './flags.ts';
import { messageOf } from './log.ts';
import { openHubStore, type HubStore } from './open-hub-store.ts';
import type { ServerOptions } from './server-options.ts';
import { openTokens, type OpenTokens } from './token/open-tokens.ts';

/** What a server reads and writes. */
export interface ServerStores {
  readonly hub: HubStore;
  readonly browsers: Awaited<ReturnType<typeof openBrowserFile>>;
  readonly tokens: OpenTokens;
  /** The sessions of applications. */
  readonly applications: AapStore;
  /** Where decisions about permissions are recorded. */
  readonly audit: AuditLog;
}

/** Options of {@link openStores}. */
export interface OpenStoresOptions extends ServerOptions {
  readonly metrics: Pick<Metrics, 'stored'>;
  /** What is opened is added to it. */
  readonly closing: Closing;
}

/** Opens the stores of a server. What earlier versions stored is converted. */
export async function openStores(
  flags: ServeFlags,
  { metrics, closing, ...options }: OpenStoresOptions,
): Promise<ServerStores> {
  const { log, surroundings } = options;
  const hub = await openHubStore(flags, options, metrics);
  closing.add(() => hub.close());
  const browsers = await openBrowserFile(hub.places.browsers, {
    onFault: (error) => {
      log.error('sign-ins of browsers end with the server: they could not be stored', {
        error: messageOf(error),
      });
    },
  });
  closing.add(async () => {
    await browsers[Symbol.asyncDispose]();
  });
  const tokens = await openTokens(flags, options, {
    place: hub.places.tokens,
    ownDigest: browsers.ownDigest,
  });
  closing.add(() => {
    tokens[Symbol.dispose]();
  });
  const applications = await hub.openApplications(tokens.named);
  closing.add(() => applications.close());
  const adopted = await adoptAcpSessions(path.join(flags.folder, 'acp-owners.jsonl'), {
    store: hub.eventLogs.store,
    program: `parley serve ${readVersion()}`,
  });
  if (adopted > 0) log.info('sessions of remote ACP are sessions of the hub now', { sessions: adopted });
  const audit = openAuditLog({
    directory: auditFolder(surroundings.env),
    onFailure: (error) => {
      log.error('decisions about permissions are not recorded', { error: messageOf(error) });
    },
  });
  closing.add(() => audit.flush());
  return { hub, browsers, tokens, applications, audit };
}
