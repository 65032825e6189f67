import { delegatingAgent, subagentAgent } from '@parley/conformance';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { answer, beginSession, card, conversation, said, send, signIn } from './page-user.ts';
import { startServer, type TestServer } from './serve.ts';

describe.skipIf(chromium === undefined)('sub-agents', () => {
  let browser: TestBrowser;
  let server: TestServer;

  beforeAll(async () => {
    const scenes = ['nested', 'open', 'steering', 'crowd'];
    const agents = Object.fromEntries(scenes.map((scene) => [scene, subagentAgent(scene)]));
    const all = { ...agents, delegating: delegatingAgent() };
    [browser, server] = await Promise.all([openBrowser(), startServer({ agents: all })]);
  });

  afterEach((context) => browser.closeDevices(context));

  afterAll(() => Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

  test('sub-agents are a tree next to the conversation, each with its own conversation', async () => {
    const { page } = await browser.reuseDevice();
    await signIn(page, server);
    await beginSession(page, 'go', /nested/u);
    await said(page, 'go');

    const tree = page.getByRole('navigation', { name: 'Sub-agents' });
    await tree.getByText('0 of 2 working').waitFor();
    expect(await tree.getByRole('link').count()).toBe(2);
    expect(await tree.getByText(/^[\d.]+ s$/u).count()).toBe(2);
    await tree.getByRole('link', { name: /Helper/u }).click();

    await said(page, 'deep words');
    await page.getByRole('link', { name: 'Back to the session' }).click();
    await said(page, 'go');
  });

  test('a permission request of a sub-agent appears in its session, and names the sub-agent', async () => {
    const { page } = await browser.reuseDevice();
    await signIn(page, server);
    await beginSession(page, 'go', /open/u);
    const question = card(page, 'Run the tests');
    await question
      .getByText(/Worker/u)
      .first()
      .waitFor();
    const tree = page.getByRole('navigation', { name: 'Sub-agents' });
    await tree.getByText('2 of 2 working').waitFor();

    await answer(page, 'Run the tests', /^Allow/u);

    await tree.getByText('0 of 2 working').waitFor();
    expect(await question.count()).toBe(0);
  });

  test('a session delegates to the chosen agents, which appear in its tree', async () => {
    const { page } = await browser.openDevice();
    await signIn(page, server);
    await page.getByText('Agents to delegate to', { exact: true }).click();
    await page.getByRole('checkbox', { name: /^Parley/u }).check();
    await page.getByText('Agents to delegate to (1)').waitFor();
    const calls = [
      ['delegate', { agent: 'parley', prompt: 'say: hello from a delegate' }],
      ['wait', { id: 0 }],
    ];
    await beginSession(page, JSON.stringify(calls), /delegating/u);

    const tree = page.getByRole('navigation', { name: 'Sub-agents' });
    await tree.getByText('0 of 1 working').waitFor();
    await conversation(page)
      .getByText(/"message":"hello from a delegate"/u)
      .waitFor();
    await tree.getByRole('link').click();
    expect(await said(page, 'hello from a delegate')).toBe('hello from a delegate');
  });

  test('text sent into the turn is marked with its outcome', async () => {
    const { page } = await browser.reuseDevice();
    await signIn(page, server);
    await beginSession(page, 'wait', /steering/u);
    await said(page, 'wait');
    for (const text of ['now', 'lost']) {
      await send(page, text);
      await page.getByRole('button', { name: 'Send now: Queued prompt 1' }).click();
      await said(page, text);
    }

    await conversation(page).getByText('Sent to the running turn').waitFor();
    await conversation(page)
      .getByText('Not known whether the agent received this. It is not sent again.')
      .waitFor();
    expect(await said(page, 'heard now')).toBe('heard now');
  });

  test('a tree of 1,000 sub-agents renders only the visible rows', async () => {
    const { page } = await browser.reuseDevice();
    await signIn(page, server);
    await beginSession(page, 'go', /crowd/u);
    const tree = page.getByRole('navigation', { name: 'Sub-agents' });
    await tree.getByText('1000 of 1000 working').waitFor();
    expect(await tree.getByRole('link').count()).toBeLessThan(100);
  });
});
