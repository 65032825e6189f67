import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openRegistry, type FixtureRegistry } from '@parley/conformance/package-registry';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { said, signIn } from './page-user.ts';
import { stage, startServer, type TestServer } from './serve.ts';

describe.skipIf(chromium === undefined)('the first run', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let registry: FixtureRegistry;
  let provider: ScriptedProvider;

  beforeAll(async () => {
    const adapter = fileURLToPath(new URL('agents/adapter.mjs', import.meta.url));
    [registry, provider] = await Promise.all([
      openRegistry([
        {
          name: '@agentclientprotocol/claude-agent-acp',
          version: '0.101.0',
          manifest: { bin: 'adapter.mjs' },
          files: { 'adapter.mjs': await readFile(adapter, 'utf8') },
        },
      ]),
      openProvider(),
    ]);
    [browser, server] = await Promise.all([
      openBrowser(),
      startServer({
        variables: (home) => {
          writeFileSync(path.join(home, '.npmrc'), `registry=${registry.url}\n`);
          // No keychain of this machine, and no credentials of its user.
          const keychain = { DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: '' };
          return {
            HOME: home,
            USERPROFILE: home,
            ANTHROPIC_AUTH_TOKEN: '',
            CLAUDE_CODE_OAUTH_TOKEN: '',
            ...keychain,
          };
        },
      }),
    ]);
  });

  afterEach((context) => browser.closeDevices(context));

  afterAll(async () => {
    await Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]);
    await Promise.all([registry[Symbol.asyncDispose](), provider[Symbol.asyncDispose]()]);
  });

  test('the printed URL signs in one browser, once, and the page opens without an error', async () => {
    const { page, problems } = await browser.openDevice();
    const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));

    await page.goto(server.address);
    await page.getByRole('navigation').first().waitFor();
    await connected;

    expect(page.url()).toBe(`${server.origin}/`);
    expect(problems).toEqual([]);

    const other = await browser.openDevice();
    await other.page.goto(server.address);
    await other.page.getByText('Each link works once').waitFor();
    await other.page.getByLabel('Token').fill(server.token);
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('navigation').first().waitFor();

    expect(other.page.url()).toBe(`${server.origin}/`);
    expect(server.address).not.toContain(server.token);
    expect(server.log).not.toContain(server.token);
  });

  test('a sign-in link on another page needs one more click', async () => {
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

  test('the sign-in page has no accessibility violations', async () => {
    const { page, problems } = await browser.openDevice();

    await page.goto(`${server.origin}/sign-in`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();

    // Without one, browsers with a window ask for /favicon.ico, which is for those who are signed in.
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('data:,');
    expect(problems).toEqual([]);
  });

  test('a link on another page opens the interface in a browser that is signed in, despite the same-site cookie', async () => {
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

  test('Claude Code needs three clicks: Use it, Sign in, Start', async () => {
    const { page, problems } = await browser.reuseDevice();
    await signIn(page, server);
    await page.goto(`${server.origin}/`);
    await page.getByText(/more agents? available/u).click();
    await picture(page, 'start-agents');
    await page.getByRole('button', { name: 'Use it Claude Code' }).click();

    // Installed from the registry of the test, it is chosen, and no user is signed in.
    const chosen = page.getByRole('radio', { name: /Claude Code/u });
    await chosen.waitFor();
    expect(await chosen.isChecked()).toBe(true);
    await page.getByRole('heading', { name: 'Sign-in', exact: true }).waitFor();
    expect(await page.getByText('Sign-in required.', { exact: true }).count()).toBe(1);
    await page
      .getByRole('region', { name: 'Log in with Claude' })
      .getByRole('button', { name: 'Sign in' })
      .click();
    const link = page.getByRole('link', { name: 'Open sign-in page' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('https://claude.example/oauth?code=true');
    await picture(page, 'start-sign-in');
    const line = page.getByLabel('Type or paste here');
    await line.fill('wrong');
    await line.press('Enter');
    await page.getByText('The sign-in command ended with 1.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await link.waitFor();
    await line.fill('the-code');
    await line.press('Enter');
    await page.getByText('Sign-in required.', { exact: true }).waitFor({ state: 'detached' });

    await page.getByRole('textbox', { name: 'Prompt' }).fill('hello');
    await page.getByRole('button', { name: 'Start' }).click();
    await said(page, 'Claude answers.');
    expect(problems).toEqual([]);
    expect(server.log).not.toContain('the-code');
  });

  test('a model is tested before its key is stored, and works without a restart', async () => {
    const { page } = await browser.reuseDevice();
    await signIn(page, server);
    await page.goto(`${server.origin}/agents/parley`);
    await page.getByRole('button', { name: 'Connect a model' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Provider').selectOption('');
    await dialog.getByLabel('Name').fill('local');
    await dialog.getByLabel('API key').fill('sk-wrong-key');
    await dialog.getByLabel('Address').fill(`${provider.url}/v1`);
    await dialog.getByLabel('Model', { exact: true }).fill('scripted');
    await picture(page, 'connect-model');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByRole('alert').textContent()).toMatch(
      /^local\/scripted: .*no such key.*Nothing was stored/su,
    );
    expect(await dialog.getByLabel('API key').inputValue()).toBe('');
    await expect(readFile(path.join(server.env['PARLEY_HOME'] ?? '', 'models.json'))).rejects.toThrow(
      'ENOENT',
    );

    await dialog.getByLabel('API key').fill('sk-right-key');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.getByRole('button', { name: 'Disconnect' }).waitFor();
    await dialog.getByRole('status').getByText('Connected local').waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${server.origin}/`);
    await page.getByRole('radio', { name: /Parley/u }).check();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('hello');
    await page.getByRole('button', { name: 'Start' }).click();
    await said(page, 'The scripted provider answers.');

    expect(server.log).not.toContain('sk-right-key');
    expect(await page.content()).not.toContain('sk-right-key');
  });

  test('an agent is added and removed in the page, and one added in a terminal appears without a restart', async () => {
    const { page } = await browser.reuseDevice();
    await signIn(page, server);
    await page.goto(`${server.origin}/agents`);
    await page.getByRole('button', { name: 'Add agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('mine');
    await dialog.getByLabel('Command').fill(process.execPath);
    await dialog.getByLabel('Arguments').fill(stage);
    await dialog.getByLabel('Environment variables').fill('MY_KEY=s3cret-of-mine');
    await picture(page, 'add-agent');
    await dialog.getByRole('button', { name: 'Add agent' }).click();
    await page.waitForURL(/\/agents\/mine$/u);
    await page.getByRole('button', { name: 'Test agent' }).click();
    await page.getByText('Start-up time').waitFor();
    await picture(page, 'added-agent');

    const file = path.join(server.env['PARLEY_HOME'] ?? '', 'config.json');
    const configuration = JSON.parse(await readFile(file, 'utf8')) as { agents: Record<string, object> };
    expect(configuration.agents['mine']).toMatchObject({ env: { MY_KEY: 's3cret-of-mine' } });
    configuration.agents['typed'] = { command: process.execPath };
    await writeFile(file, JSON.stringify(configuration));
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByRole('link', { name: 'typed' }).waitFor();

    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove from the configuration' }).click();
    await page.getByRole('link', { name: 'mine', exact: true }).waitFor({ state: 'detached' });
    expect(server.log).not.toContain('s3cret-of-mine');
  });
});

/** Where pictures of the screens are put, for those who look at them. Nowhere by default. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['PARLEY_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

interface ScriptedProvider extends AsyncDisposable {
  readonly url: string;
}

/** A provider that speaks the protocol of OpenAI, and takes one key. */
async function openProvider(): Promise<ScriptedProvider> {
  const server: Server = createServer((request, response) => {
    void text(request).then(() => {
      if (!hasKey(request)) {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: 'no such key', type: 'invalid_request_error' } }));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'scripted' };
      const delta = { role: 'assistant', content: 'The scripted provider answers.' };
      for (const choice of [
        { index: 0, delta, finish_reason: null },
        { index: 0, delta: {}, finish_reason: 'stop' },
      ]) {
        response.write(`data: ${JSON.stringify({ ...chunk, choices: [choice] })}\n\n`);
      }
      response.end('data: [DONE]\n\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function hasKey({ headers }: IncomingMessage): boolean {
  return headers.authorization === 'Bearer sk-right-key';
}
