import { isPublicAddress, type ListPlace } from '@parley/workspace';
import type { BrowserSessions } from '../access/browser-sessions.ts';
import { judgeSession } from '../access/session-access.ts';
import type { TokenRecord } from '../access/token.ts';
import { Hub } from '../hub/create-hub.ts';
import { defaultPushLimits, type PushLimits } from '../limits.ts';
import type { Route } from '../server/route.ts';
import type { PushNetwork } from './post-push.ts';
import type { PushDevice } from './push-device.ts';
import { PushFile } from './push-file.ts';
import { PushNotifier, type PushRecipient } from './push-notifier.ts';
import { pushRoute } from './push-route.ts';
import { sendPush, type PushMessage } from './send-push.ts';

/** Notifications for devices whose page is closed (Web Push). */
export interface Push {
  /** Where pages subscribe, and list and revoke devices. */
  readonly route: Route;
  /** Ends what is being sent. */
  close(): Promise<void>;
}

/** Options of {@link openPush}. */
export interface PushOptions {
  /** The hub whose sessions are announced. */
  readonly hub: Hub;
  /** The tokens that are valid now. */
  readonly tokens: () => Iterable<TokenRecord>;
  /** The browsers that are signed in. */
  readonly browsers: Pick<BrowserSessions, 'has'>;
  /** Stores the devices and the server's key. */
  readonly file: ListPlace;
  readonly limits?: Partial<PushLimits>;
  /** How push services are reached. @default at public addresses */
  readonly network?: PushNetwork;
  /** A device could not be notified. */
  readonly onFault: (error: unknown) => void;
}

/** Opens push notifications for registered devices. Throws a `WorkspaceError` if other users can read the file. */
export async function openPush(options: PushOptions): Promise<Push> {
  const { hub, tokens, browsers, onFault, network = { allows: isPublicAddress } } = options;
  const table = Hub.sessionsOf(hub);
  const limits = { ...defaultPushLimits, ...options.limits };
  const file = new PushFile(options.file);
  const end = new AbortController();
  const sending = new Set<Promise<void>>();
  let notifier: PushNotifier | undefined;

  const tokenOf = ({ token, browser }: PushDevice): TokenRecord | undefined => {
    if (!browsers.has(browser)) return undefined;
    for (const record of tokens()) if (record.sha256 === token) return record;
    return undefined;
  };
  const findWanted = async (id: string): Promise<PushDevice | undefined> => {
    const device = (await file.devices()).find((known) => known.id === id);
    return device === undefined || tokenOf(device) === undefined ? undefined : device;
  };
  const recipients = async (): Promise<readonly PushRecipient[]> =>
    (await file.devices()).flatMap((device) => {
      const principal = tokenOf(device);
      if (principal === undefined) return [];
      const { id, kinds } = device;
      const may: PushRecipient['may'] = (use, session) =>
        judgeSession(principal, table.knownOwner(session), use === 'answer' ? 'change' : 'look') ===
        'allowed';
      return [{ id, kinds, tokenId: principal.id, may }];
    });
  const send = async (id: string, message: PushMessage): Promise<void> => {
    const device = await findWanted(id);
    if (device === undefined) return;
    const outcome = await sendPush(device, message, {
      key: await file.key(),
      network,
      limits,
      signal: end.signal,
      isWanted: async () => (await findWanted(id)) !== undefined,
    });
    if (outcome === 'gone') await file.change((devices) => devices.filter((known) => known.id !== id));
  };
  /** Nothing is listened to without a device. */
  const follow = async (): Promise<void> => {
    const hasDevices = (await file.devices()).length > 0;
    if (end.signal.aborted) return;
    if (!hasDevices) {
      notifier?.close();
      notifier = undefined;
      return;
    }
    notifier ??= new PushNotifier({
      table,
      recipients,
      onFault,
      send: (id, message) => {
        if (sending.size >= limits.messages) {
          onFault(new Error(`a notification was dropped: ${String(sending.size)} are being sent`));
          return;
        }
        const sent = send(id, message)
          .catch((error: unknown) => {
            if (!end.signal.aborted) onFault(error);
          })
          .finally(() => sending.delete(sent));
        sending.add(sent);
      },
    });
  };
  await follow();
  return {
    route: pushRoute({ file, limits, allows: network.allows, tokenOf, onChange: follow }),
    close: async () => {
      end.abort();
      notifier?.close();
      await Promise.all(sending);
    },
  };
}
