import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { unstableAgent } from '@parley/conformance';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
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
    const agents = { unstable: unstableAgent('has') };
    [browser, server] = await Promise.all([openBrowser(), startServer({ useToken: 'bob', agents })]);
    ownToken = server.useToken;
  });

  afterEach((context) => browser.closeDevices(context));

  afterAll(() => Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

  test('the account and model providers of an agent are shown to admin only, who can change the providers', async () => {
    const { page: admin } = await browser.reuseDevice();
    await signIn(admin, server);
    await admin.goto(`${server.origin}/agents/unstable`);
    await admin.getByRole('button', { name: /^Test/u }).click();
    await admin.getByText('ada@example.com').waitFor();
    await admin.getByText('Signed in.', { exact: true }).waitFor();
    const providers = admin.getByRole('region', { name: 'Model providers' });
    expect(await providers.getByRole('row', { name: /main/u }).innerText()).toContain(
      'https://api.anthropic.com',
    );

    await providers.getByRole('button', { name: 'Change main' }).click();
    const form = admin.getByRole('dialog', { name: 'Change main' });
    await form.getByLabel('API').selectOption('bedrock');
    const address = form.getByLabel('Address');
    await address.fill('gateway.example');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/must be an http or https URL/u).waitFor();
    await address.fill('https://gateway.example/v1');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    const changed = providers.getByRole('row', { name: /main/u });
    await changed.getByText('https://gateway.example/v1').waitFor();
    expect(await changed.innerText()).toContain('bedrock');

    const { page } = await browser.openDevice();
    await signIn(page, { origin: server.origin, token: ownToken });
    await page.goto(`${server.origin}/agents/unstable`);
    await page.getByText('Signed in.', { exact: true }).waitFor();
    expect(await page.getByText(/ada@example\.com|api\.anthropic\.com|gateway\.example/u).count()).toBe(0);
  });

  test('a token of scope use starts sessions and answers in them, and sees no others', async () => {
    const { page: admin } = await browser.reuseDevice();
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
    await answer(page, 'npm test', /^Allow/u);
    await turnEnd(page);

    const list = page.getByRole('region', { name: 'Sessions' });
    expect(await list.getByRole('listitem').count()).toBe(1);
    await admin.getByRole('link', { name: /ask npm test/u }).waitFor();
    expect(device.problems).toEqual([]);
    await page.goto(others);
    await page.getByRole('heading', { level: 1, name: en.session.gone }).waitFor();
    await page.goto(`${server.origin}/agents/stage`);
    await page.getByRole('link', { name: 'New session' }).first().waitFor();
    expect(await page.getByRole('button', { name: /Test|Sign in/iu }).count()).toBe(0);
    await page.goto(`${server.origin}/settings`);
    await page.getByLabel('Theme').waitFor();
    expect(await page.getByRole('link', { name: /saved decisions|permissions/iu }).count()).toBe(0);

    await page.goto(own);
    await said(page, 'npm test: allowed');
    const words = [command, 'serve', 'tokens', 'revoke', 'bob'];
    await promisify(execFile)(process.execPath, words, { env: server.env });
    await page.getByText(en.shell.signedOut).first().waitFor();
  });
});
