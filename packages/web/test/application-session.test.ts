import { createAapClient, runTurn } from '@parley/aap';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { en } from '../src/text/en.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { conversation, signIn } from './page-user.ts';
import { startServer, type TestServer } from './serve.ts';
import { openTerminal } from './terminal.ts';

describe.skipIf(chromium === undefined)('sessions of applications', () => {
  let browser: TestBrowser;
  let server: TestServer;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer()]);
  });

  afterAll(() => Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

  test('a session of an application can be watched and stopped in the page, is answered only by the application, and survives a killed server', async () => {
    const { page } = await browser.openDevice();
    await signIn(page, server);
    const application = createAapClient({ baseUrl: `${server.origin}/aap`, apiKey: server.token });
    const { sessionId } = await application.createSession({
      agent: { name: 'stage', tools: [{ name: 'execute' }] },
    });
    const asked = new Deferred();
    const answered = new Deferred();
    const turn = runTurn(application, sessionId, 'ask npm test', {
      permission: async () => {
        asked.resolve();
        await answered.promise;
        return true;
      },
    });
    await asked.promise;
    await page.goto(`${server.origin}/sessions/${sessionId}`);
    using terminal = openTerminal(server, ['attach', sessionId]);

    await page.locator('.activity', { hasText: en.conversation.activity.application(1) }).waitFor();
    await page
      .getByRole('region', { name: 'Sessions' })
      .getByText(en.sessions.application, { exact: true })
      .waitFor();
    expect(await page.getByRole('button', { name: /Allow|Reject|Send|Queue|Rename/u }).count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'Prompt' }).count()).toBe(0);
    await terminal.shows('npm test');
    answered.resolve();
    expect(await turn).toMatchObject({ stopReason: 'end_turn' });
    await conversation(page).getByText('npm test: allowed', { exact: true }).waitFor();

    const stopped = runTurn(application, sessionId, 'wait');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    expect(await stopped).toMatchObject({ stopReason: 'error', detail: 'cancelled' });

    await server.restart('SIGKILL');
    const { sessions } = await application.getSessions();
    expect(sessions.map((session) => session.sessionId)).toEqual([sessionId]);
    await runTurn(application, sessionId, 'say after the restart');
    await conversation(page).getByText('after the restart', { exact: true }).waitFor();
    expect(await conversation(page).getByText('npm test: allowed', { exact: true }).count()).toBe(1);
    expect(await conversation(page).getByText('after the restart', { exact: true }).count()).toBe(1);
  });
});

/** Something that is waited for. */
class Deferred {
  resolve: () => void = () => {};
  readonly promise = new Promise<void>((resolve) => {
    this.resolve = resolve;
  });
}
