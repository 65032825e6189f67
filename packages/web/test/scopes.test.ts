import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { en } from '../src/text/en.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { answer, beginSession, card, said, signIn, turnEnd } from './page-user.ts';
import { command, startServer, type TestServer } from './serve.ts';

describe.skipIf(chromium === undefined)('the page of each scope', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let ownToken: string;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ useToken: 'bob' })]);
    ownToken = server.useToken;
  });

  afterAll(() => Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

  test('a token of scope use begins sessions and answers in them, and sees no others', async () => {
    const { page: admin } = await browser.openDevice();
    await signIn(admin, server);
    const others = await beginSession(admin, 'say of the owner');
    await said(admin, 'of the owner');
    const device = await browser.openDevice();
    const { page } = device;
    await signIn(page, { origin: server.origin, token: ownToken });

    const own = await beginSession(page, 'ask npm test');
    await card(page, 'npm test')
      .getByRole('button', { name: /^Always/u })
      .click();
    expect(await page.getByRole('button', { name: /in this project|everywhere/u }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await answer(page, 'npm test', /^Allow once/u);
    await turnEnd(page);

    const list = page.getByRole('region', { name: 'Sessions' });
    expect(await list.getByRole('listitem').count()).toBe(1);
    await admin.getByRole('link', { name: /ask npm test/u }).waitFor();
    expect(device.problems).toEqual([]);
    await page.goto(others);
    await page.getByRole('heading', { level: 1, name: en.session.gone }).waitFor();
    await page.goto(`${server.origin}/agents/stage`);
    await page.getByRole('link', { name: 'New session' }).first().waitFor();
    expect(await page.getByRole('button', { name: /Inspect|Sign in/iu }).count()).toBe(0);
    await page.goto(`${server.origin}/settings`);
    await page.getByLabel('Theme').waitFor();
    expect(await page.getByRole('link', { name: /remembered|permissions/iu }).count()).toBe(0);

    await page.goto(own);
    await said(page, 'npm test: allowed');
    const words = [command, 'serve', 'tokens', 'revoke', 'bob'];
    await promisify(execFile)(process.execPath, words, { env: server.env });
    await page.getByText(en.shell.signedOut).first().waitFor();
  });
});
