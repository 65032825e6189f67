import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { signIn } from './page-user.ts';
import { startServer, type TestServer } from './serve.ts';

describe.skipIf(chromium === undefined)('the first run', () => {
  let browser: TestBrowser;
  let server: TestServer;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer()]);
  });

  afterEach(() => browser.closeDevices());

  afterAll(() => Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

  test('the printed address signs the browser in, once, and the interface opens without a fault', async () => {
    const { page, problems } = await browser.openDevice();
    const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));

    await page.goto(server.address);
    await page.getByRole('navigation').first().waitFor();
    await connected;

    expect(page.url()).toBe(`${server.origin}/`);
    expect(problems).toEqual([]);

    const other = await browser.openDevice();
    await other.page.goto(server.address);
    await other.page.getByText('each works once').waitFor();
    await other.page.getByLabel('Token').fill(server.token);
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('navigation').first().waitFor();

    expect(other.page.url()).toBe(`${server.origin}/`);
    expect(server.address).not.toContain(server.token);
    expect(server.log).not.toContain(server.token);
  });

  test('a sign-in link on a page elsewhere takes one click more, and signs in by it', async () => {
    const [device, other] = [await browser.openDevice(), await browser.openDevice()];
    await signIn(device.page, server);
    const made = await device.page.evaluate(async () => {
      const answer = await fetch('/api/sign-in-links', { method: 'POST' });
      return (await answer.json()) as { readonly url: string };
    });
    await other.page.route('http://elsewhere.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${made.url}">in</a>` }),
    );
    await other.page.goto('http://elsewhere.example/');
    await other.page.getByRole('link', { name: 'in' }).click();

    await other.page.getByText('signs in one browser, once').waitFor();
    await other.page.getByRole('button', { name: 'Sign in' }).click();

    await other.page.getByRole('navigation').first().waitFor();
    expect(other.page.url()).toBe(`${server.origin}/`);
    expect(other.problems.filter((problem) => !problem.includes('elsewhere.example'))).toEqual([]);
  });

  test('the page to sign in on has nothing to complain of', async () => {
    const { page, problems } = await browser.openDevice();

    await page.goto(`${server.origin}/sign-in`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();

    // Without one, browsers with a window ask for /favicon.ico, which is for those who are signed in.
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('data:,');
    expect(problems).toEqual([]);
  });

  test('a link from a page elsewhere leads a browser in that is signed in, though its cookie is for our own pages', async () => {
    const { page, problems } = await browser.openDevice();
    await page.route('http://elsewhere.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${server.origin}/inbox">in</a>` }),
    );
    const { token } = server;
    await page.goto(`${server.origin}/sign-in`);
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation').first().waitFor();
    await page.goto('http://elsewhere.example/');

    await page.getByRole('link', { name: 'in' }).click();

    await page.getByRole('navigation').first().waitFor();
    expect(page.url()).toBe(`${server.origin}/inbox`);
    expect(
      problems.filter((problem) => !problem.includes('elsewhere.example') && !problem.includes('401')),
    ).toEqual([]);
  });
});
