import { askApi } from '../hub/api.ts';
import { registerWorker } from './register-worker.ts';

/** What a device is notified of. */
export type PushKind = 'question' | 'finished';

/** A device as the server lists it. */
export interface ListedDevice {
  readonly id: string;
  readonly name: string;
  readonly kinds: readonly PushKind[];
  /** ISO 8601. */
  readonly createdAt: string;
  /** The name of its token. */
  readonly token: string;
  /** It is this browser. */
  readonly isThis?: true;
}

/** The server's response about push notifications. */
export interface PushDevices {
  /** What this browser subscribes with. */
  readonly publicKey: string;
  readonly devices: readonly ListedDevice[];
}

/** Lists the devices of this user. */
export function listDevices(): Promise<PushDevices> {
  return askApi<PushDevices>('/api/push');
}

/** Whether this browser can be notified while the page is closed. */
export function hasPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in globalThis;
}

/** Subscribes this browser. Rejects where the browser, its user or its push service refuses. */
export async function subscribe(publicKey: string, kinds: readonly PushKind[]): Promise<void> {
  await registerWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  // One of another server, or of another key of this one, stands in the way.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  await askApi('/api/push', {
    method: 'POST',
    body: { ...subscription.toJSON(), kinds, name: deviceName(navigator.userAgent) },
  });
}

/** Ends the notifications of a device. */
export async function revoke({ id, isThis }: ListedDevice): Promise<void> {
  await askApi(`/api/push/${encodeURIComponent(id)}`, { method: 'DELETE' });
  if (isThis === true) await unsubscribe();
}

/** Ends the subscription of this browser, where it has one. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** What a browser is called in the list, such as `Chrome, Android`. */
export function deviceName(userAgent: string): string {
  const find = (names: readonly (readonly [RegExp, string])[]): string | undefined =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [find(browsers), find(systems)].filter((name) => name !== undefined).join(', ');
}

/** Browsers by their user agent. Most also name compatible ones: the first match applies. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//u, 'Edge'],
  [/OPR\//u, 'Opera'],
  [/SamsungBrowser\//u, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//u, 'Firefox'],
  [/Chrome\/|CriOS\//u, 'Chrome'],
  [/Safari\//u, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/u, 'iPhone'],
  [/iPad/u, 'iPad'],
  [/Android/u, 'Android'],
  [/Windows/u, 'Windows'],
  [/Mac OS X/u, 'macOS'],
  [/CrOS/u, 'ChromeOS'],
  [/Linux/u, 'Linux'],
];
