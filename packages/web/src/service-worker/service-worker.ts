import { offlinePage } from './offline-page.ts';
import { textsOf } from './texts.ts';

declare const self: ServiceWorkerGlobalScope;

// It caches nothing: pages and their files always come from the server. A new version has nothing to wait for.
self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname, searchParams } = new URL(request.url);
  if (request.mode !== 'navigate' || request.method !== 'GET' || pathname.startsWith('/api/')) return;
  // A link that signs in is for the browser itself: the server looks at how it was opened.
  if (searchParams.has('code')) return;
  event.respondWith(fetch(request).catch(() => offlinePage(request.url, textsOf(navigator.languages))));
});

self.addEventListener('push', (event) => {
  event.waitUntil(notify(event.data));
});

self.addEventListener('notificationclick', (event) => {
  const { notification } = event;
  notification.close();
  const session: unknown = notification.data;
  event.waitUntil(open(typeof session === 'string' ? `/sessions/${encodeURIComponent(session)}` : '/inbox'));
});

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(subscribeAgain(event));
});

/** Shows what the server announces. Browsers require a notification for each message, also for one that cannot be read. */
async function notify(data: PushMessageData | null): Promise<void> {
  const { kind, session } = readMessage(data);
  const texts = textsOf(navigator.languages);
  const options = {
    body: kind === 'finished' ? texts.finished : texts.question,
    icon: '/icon-192.png',
    // The last one of a session replaces the one before, and is announced like a new one.
    ...(session !== undefined && { tag: session, renotify: true, data: session }),
  };
  await self.registration.showNotification('Parley', options);
}

function readMessage(data: PushMessageData | null): { readonly kind?: unknown; readonly session?: string } {
  try {
    const message: unknown = data?.json();
    if (typeof message !== 'object' || message === null) return {};
    const session = 'session' in message ? message.session : undefined;
    return {
      ...('kind' in message && { kind: message.kind }),
      ...(typeof session === 'string' && { session }),
    };
  } catch {
    return {};
  }
}

/** Opens a page: in a window that shows it, else in any window of Parley, else in a new one. */
async function open(path: string): Promise<void> {
  const { href } = new URL(path, self.location.origin);
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find(({ url }) => url === href) ?? windows[0];
  if (shown !== undefined) {
    // A window that an earlier version of this worker controls cannot be led elsewhere.
    const led = shown.url === href ? shown : await shown.navigate(href).catch(() => null);
    if (led !== null) {
      await led.focus();
      return;
    }
  }
  await self.clients.openWindow(href);
}

/** The browser has replaced its subscription, as it may at any time: the server is sent the new one. */
async function subscribeAgain({
  newSubscription,
  oldSubscription,
}: PushSubscriptionChangeEvent): Promise<void> {
  const subscription =
    newSubscription ??
    (oldSubscription === null
      ? undefined
      : await self.registration.pushManager.subscribe({
          userVisibleOnly: true,
          applicationServerKey: oldSubscription.options.applicationServerKey,
        }));
  if (subscription === undefined) return;
  await fetch('/api/push', { method: 'POST', body: JSON.stringify(subscription) });
}
