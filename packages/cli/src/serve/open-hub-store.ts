import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { SecretVault } from '@parley/aap/server';
import {
  adoptSessions,
  openAapStore,
  checkSharedKey,
  openSecretVault,
  openSharedAapStore,
  sealedDocument,
  toTokenId,
  type AapStore,
  type Metrics,
  type TokenRecord,
} from '@parley/gateway';
import { filesStore, SharedEventLogs, type FilesStore, type Replicas } from '@parley/host';
import type { ListPlace } from '@parley/workspace';
import {
  answersFile,
  eventLogsFolder,
  framesFolder,
  marksFile,
  pushFile,
  tokensFile,
  type Variables,
} from '../configuration/places.ts';
import { copySession } from '../store/copy-session.ts';
import { copiedSessions, noteEventLogs } from '../store/folder-stores.ts';
import { readVersion } from '../version.ts';
import type { ServeFlags } from './flags.ts';
import type { ServerOptions } from './server-options.ts';
import { waitForStore } from './wait-for-store.ts';

/** The lists that a hub stores. */
export type HubList = 'tokens' | 'answers' | 'marks' | 'browsers' | 'push';

/** Where a hub stores its sessions, and what its users share. */
export interface HubStore {
  readonly eventLogs: SharedEventLogs;
  /** Encrypts stored secrets. */
  readonly secrets: SecretVault;
  /** Where its lists are stored. */
  readonly places: Readonly<Record<HubList, ListPlace>>;
  /** The processes that share the store; undefined for files. */
  readonly replicas?: Replicas;
  /** The port that it was waited at for the store. */
  readonly port?: number;
  /** Opens the sessions of applications. @param tokens The named ones. */
  openApplications(tokens: readonly TokenRecord[]): Promise<AapStore>;
  /** Why it cannot be used now. */
  unreachable(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Opens the store that the flags name; where it is a database, waits for it. */
export function openHubStore(
  flags: ServeFlags,
  options: ServerOptions,
  metrics: Pick<Metrics, 'stored'>,
): Promise<HubStore> {
  const { database } = flags;
  return database === undefined
    ? openFolder(flags, options)
    : openDatabase(flags, options, { url: database, metrics });
}

async function openFolder(flags: ServeFlags, { surroundings, log }: ServerOptions): Promise<HubStore> {
  const eventLogs = new SharedEventLogs({
    store: filesStore(eventLogsFolder(surroundings.env)),
    program: program(),
  });
  return {
    eventLogs,
    secrets: await openSecretVault(flags.secretsKey ?? ownKey(flags)),
    places: filePlaces(flags, surroundings.env),
    openApplications: async (tokens) => {
      await adoptCopies(flags.folder, eventLogs.store);
      const store = await openAapStore(flags.folder, {
        eventLogs,
        cwd: flags.workspaces[0],
        ownerOf: (owner) => toTokenId(owner, tokens),
      });
      if (store.converted > 0) {
        log.info('sessions of applications became event logs', { sessions: store.converted });
      }
      const adopted = await adoptSessions(store, tokens);
      if (adopted > 0) log.info('owners of sessions were converted from names to ids', { sessions: adopted });
      return store;
    },
    unreachable: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
}

async function openDatabase(
  flags: ServeFlags,
  { surroundings, log, signal }: ServerOptions,
  { url, metrics }: { readonly url: string; readonly metrics: Pick<Metrics, 'stored'> },
): Promise<HubStore> {
  const { env } = surroundings;
  // A machine without a database never loads it.
  const { postgresStore } = await import('@parley/postgres');
  // Without a key that all share, secrets stay on the machine that has them.
  const secrets = await openSecretVault(flags.secretsKey ?? ownKey(flags));
  const store = postgresStore({
    url,
    env,
    replica: flags.replica,
    leaseMs: flags.leaseMs,
    folder: framesFolder(env),
    ...(flags.secretsKey !== undefined && { seal: secrets }),
    onStored: (ms) => {
      metrics.stored(ms);
    },
  });
  try {
    const port = await waitForStore(flags, { store, log, signal });
    const eventLogs = new SharedEventLogs({ store, program: program() });
    if (flags.secretsKey !== undefined) await checkSharedKey(store.document('secrets-key'), secrets);
    return {
      eventLogs,
      secrets,
      places: {
        tokens: store.document('tokens'),
        answers: store.document('answers'),
        marks: store.document('marks'),
        browsers: store.document('browsers'),
        push:
          flags.secretsKey === undefined
            ? filePlaces(flags, env).push
            : sealedDocument(store.document('push'), secrets),
      },
      replicas: store.replicas,
      ...(port !== undefined && { port }),
      openApplications: () =>
        openSharedAapStore({
          eventLogs,
          cwd: flags.workspaces[0],
          created: store.document('created'),
        }),
      unreachable: () => store.unreachable(),
      close: async () => {
        await store[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

/** Moves sessions that were copied to the folder of `--store` to where the sessions of this machine are. */
async function adoptCopies(folder: string, store: FilesStore): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const copies = copiedSessions(folder);
  if (copies.directory !== store.directory) {
    for (const { key } of await copies.list()) {
      const copied = await copySession(key, copies, store);
      if (copied === 'copied' || copied === 'same') await copies.remove(key);
    }
  }
  await noteEventLogs(folder, store.directory);
}

/** The key of this machine. */
function ownKey({ folder }: ServeFlags): string {
  return path.join(folder, 'secrets.key');
}

function filePlaces({ folder }: ServeFlags, env: Variables): Readonly<Record<HubList, string>> {
  return {
    tokens: tokensFile(env),
    answers: answersFile(env),
    marks: marksFile(env),
    browsers: path.join(folder, 'browsers.json'),
    push: pushFile(folder),
  };
}

function program(): string {
  return `parley serve ${readVersion()}`;
}
