import { createECDH, randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import type { Page } from 'playwright-core';
import decodeQr from 'qr/decode.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { answer, beginSession, signIn } from './page-user.ts';
import { startServer, type TestServer } from './serve.ts';

/** A machine without a network has no address that others can reach. */
const isInNetwork = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .some(({ internal, family }) => !internal && family === 'IPv4');

describe.skipIf(chromium === undefined)('devices', () => {
  let browser: TestBrowser;
  let server: TestServer;

  beforeAll(async () => {
    // By 127.0.0.1 the page counts as secure, and by its other addresses it is reached from the network.
    [browser, server] = await Promise.all([
      openBrowser({ hasNotifications: true }),
      startServer({ flags: ['--host', '0.0.0.0'] }),
    ]);
  });

  afterEach((context) => browser.closeDevices(context));

  afterAll(() => Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

  test('the page can be installed, its worker caches nothing, and an unreachable server is reported', async () => {
    const { page, problems } = await browser.openDevice();
    await signIn(page, server);
    const manifest = await page.evaluate<{
      crossOrigin: string;
      type: string;
      content: string;
    }>(`(async () => {
      const { href, crossOrigin } = document.querySelector('link[rel=manifest]');
      const answer = await fetch(href);
      return { crossOrigin, type: answer.headers.get('content-type'), content: await answer.text() };
    })()`);
    const session = await page.context().newCDPSession(page);
    const { errors } = await session.send('Page.getAppManifest');
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');

    expect(manifest).toMatchObject({ crossOrigin: 'use-credentials', type: 'application/manifest+json' });
    expect(JSON.parse(manifest.content)).toMatchObject({
      name: 'Parley',
      start_url: '/',
      display: 'standalone',
    });
    expect(errors).toEqual([]);
    // Each window of a test is a private one.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
    expect(await page.evaluate('caches.keys()')).toEqual([]);

    await page.route('http://elsewhere.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${server.origin}/inbox">in</a>` }),
    );
    await page.goto('http://elsewhere.example/');
    await page.getByRole('link', { name: 'in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    expect(problems.filter((problem) => !/elsewhere\.example|401/u.test(problem))).toEqual([]);
    await page.context().setOffline(true);
    await page.goto(`${server.origin}/settings`);
    await page.getByRole('heading', { name: 'Parley is not reachable' }).waitFor();
    await page.getByText('This device is offline').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });

  test('a device subscribes, is listed, and is revoked', async () => {
    const { page, problems } = await browser.openDevice({ permissions: ['notifications'] });
    await signIn(page, server);
    await subscribeWith(page, 'https://push.example.com/phone');
    await page.goto(`${server.origin}/settings`);
    const section = page.getByRole('region', { name: 'Notifications while Parley is closed' });
    const question = section.getByLabel('When a session needs your input');

    await question.click();
    const device = section.getByRole('listitem');
    await device.waitFor();

    expect(await device.textContent()).toMatch(/^Chrome, Linux \(this browser\)since .*, token “owner”/u);
    expect(await question.isChecked()).toBe(true);
    expect(await section.getByLabel('When a turn is finished').isChecked()).toBe(false);
    await section.getByRole('button', { name: 'Revoke Chrome, Linux' }).click();
    await device.waitFor({ state: 'detached' });
    expect(await question.isChecked()).toBe(false);
    expect(problems).toEqual([]);
  });

  test('the page reports that it is in use until it is hidden', async () => {
    const { page } = await browser.openDevice();
    const reports: unknown[] = [];
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => {
        const found = /"isLooking":(\w+)/u.exec(String(payload));
        if (found !== null) reports.push(found[1]);
      });
    });
    await signIn(page, server);
    await expect.poll(() => reports).toEqual(['true']);

    await page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    `);

    await expect.poll(() => reports).toEqual(['true', 'false']);
  });

  test('a message is shown without content, and a click on it opens its session', async () => {
    const { page } = await browser.openDevice({ permissions: ['notifications'] });
    await signIn(page, server);
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    const session = await page.context().newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [registration] = registrations;
        if (registration !== undefined) resolve(registration.registrationId);
      });
    });
    await session.send('ServiceWorker.enable');

    await session.send('ServiceWorker.deliverPushMessage', {
      origin: server.origin,
      registrationId: await registered,
      data: JSON.stringify({ kind: 'question', session: 'a b' }),
    });

    const shown = (): Promise<unknown> =>
      page.evaluate(`(async () => {
        const [notification] = await (await navigator.serviceWorker.ready).getNotifications();
        return notification && { body: notification.body, tag: notification.tag, data: notification.data };
      })()`);
    await expect.poll(shown).toEqual({ body: 'A session needs your input', tag: 'a b', data: 'a b' });
    const [worker] = page.context().serviceWorkers();
    await worker?.evaluate(`registration.getNotifications().then(([notification]) => {
      dispatchEvent(new NotificationEvent('notificationclick', { notification }));
    })`);
    await page.waitForURL(`${server.origin}/sessions/a%20b`);
  });

  test('a page in the background shows notifications for questions and ended turns, if enabled', async () => {
    const { page } = await browser.openDevice({ permissions: ['notifications'] });
    await page.addInitScript(watchNotes);
    await signIn(page, server);
    await page.goto(`${server.origin}/settings`);
    await page.getByRole('checkbox', { name: 'Needs your input', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Turn finished', exact: true }).check();
    await page.evaluate('globalThis.looksAway = true');
    const shownNotes = (): Promise<unknown> =>
      page.evaluate('globalThis.notes.map(({ title, body }) => [title, body])');
    const question = ['Run a command · ask npm test', 'npm test'];

    const { page: other } = await browser.openDevice();
    await signIn(other, server);
    const address = await beginSession(other, 'ask npm test');
    await expect.poll(shownNotes).toEqual([question]);
    await answer(other, 'npm test', /^Reject/u);
    await expect.poll(shownNotes).toEqual([question, ['Finished · ask npm test', '']]);

    await page.evaluate("globalThis.notes[1].dispatchEvent(new Event('click'))");
    await page.waitForURL(address);
  });

  test('a link that only this machine can open has no QR code, and the page says how to change that', async () => {
    const { page } = await browser.openDevice();
    await signIn(page, server);
    const link = {
      url: `${server.origin}/?code=once_a`,
      expiresAt: '2099-01-01T00:00:00Z',
      reach: 'this-machine',
    };
    await page.route('**/api/sign-in-links', (route) => route.fulfill({ status: 201, json: link }));
    await page.goto(`${server.origin}/settings`);
    await page.getByRole('button', { name: 'Create link' }).click();

    await page.getByText('parley serve --host 0.0.0.0').waitFor();
    expect(await page.getByRole('img', { name: 'QR code of the sign-in link' }).count()).toBe(0);
  });

  test.skipIf(!isInNetwork)(
    'a link for another device is a QR code with an address of the network',
    async () => {
      const { page, problems } = await browser.openDevice();
      await signIn(page, server);
      await page.goto(`${server.origin}/settings`);
      await page.getByRole('button', { name: 'Create link' }).click();
      const code = page.getByRole('img', { name: 'QR code of the sign-in link' });
      await code.waitFor();

      const link = await page.getByText(/\?code=once_/u).textContent();
      expect(readQr((await code.getAttribute('src')) ?? '')).toBe(link);
      expect(new URL(link ?? '').hostname).not.toMatch(/^127\.|localhost/u);
      expect(problems).toEqual([]);
    },
  );
});

/** Has the browser subscribe at a push service that is made up: there is none in a test. */
async function subscribeWith(page: Page, endpoint: string): Promise<void> {
  const receiver = createECDH('prime256v1');
  const keys = {
    p256dh: receiver.generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
  const subscription = JSON.stringify({ endpoint, keys });
  await page.addInitScript(
    `PushManager.prototype.subscribe = async () => ({ toJSON: () => (${subscription}) })`,
  );
}

/** No window of a browser without a screen is ever hidden, and its notes are invisible: they are collected in the page. */
const watchNotes = `
  globalThis.notes = [];
  globalThis.Notification = class extends Notification {
    constructor(...args) {
      super(...args);
      globalThis.notes.push(this);
    }
  };
  Object.defineProperty(document, 'visibilityState', {
    get: () => (globalThis.looksAway === true ? 'hidden' : 'visible'),
  });
`;

/** The text of a QR code, as a camera reads it. */
function readQr(image: string): string {
  const svg = decodeURIComponent(image);
  const modules = Number(/viewBox="0 0 (\d+)/u.exec(svg)?.[1]);
  const width = modules * pixels;
  const data = new Uint8Array(width * width * 4).fill(255);
  let x = 0;
  let y = 0;
  for (const [, kind, across, down] of svg.matchAll(/([Mm])(-?\d+) ?(-?\d+)/gu)) {
    x = Number(across) + (kind === 'm' ? x : 0);
    y = Number(down) + (kind === 'm' ? y : 0);
    for (let row = y * pixels; row < (y + 1) * pixels; row += 1) {
      data.fill(0, (row * width + x * pixels) * 4, (row * width + (x + 1) * pixels) * 4);
    }
  }
  // What is dark is not transparent.
  for (let alpha = 3; alpha < data.length; alpha += 4) data[alpha] = 255;
  return decodeQr({ width, height: width, data });
}

/** How large a module is drawn. */
const pixels = 4;
