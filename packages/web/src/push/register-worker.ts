/**
 * Registers the service worker, which shows notifications and a page for when the server is unreachable. Undefined if
 * the browser does not support it.
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration | undefined> {
  // Browsers have it over https and on localhost only.
  if (!('serviceWorker' in navigator)) return undefined;
  try {
    return await navigator.serviceWorker.register('/service-worker.js');
  } catch {
    // It is blocked, or the server is away: the page works without it.
    return undefined;
  }
}
