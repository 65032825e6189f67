import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBrowser, type Device, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { answer, beginSession, card, conversation, said, send, signIn, turnEnd } from './page-user.ts';
import { startServer, type TestServer } from './serve.ts';

describe.skipIf(chromium === undefined)('steering in the browser', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let device: Device;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer()]);
  });

  beforeEach(async () => {
    device = await browser.openDevice();
    await signIn(device.page, server);
  });

  afterEach(() => browser.closeDevices());

  afterAll(() => Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

  test('Escape leaves what is open on a question, stops nothing at once, and stops the turn when pressed twice', async () => {
    const { page } = device;
    await beginSession(page, 'ask npm test');
    const question = card(page, 'npm test');
    await question.getByRole('button', { name: 'Always…' }).click();

    await page.keyboard.press('Escape');
    await question.getByRole('radiogroup').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByText('Press Esc again to stop').waitFor();
    await page.getByRole('heading', { level: 1 }).click();

    await page.getByText('Press Esc again to stop').waitFor({ state: 'detached' });
    expect(await question.getByRole('button', { name: 'Reject once' }).count()).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await page.getByText('Press Esc again to stop').waitFor();
    await page.keyboard.press('Escape');
    await turnEnd(page);
    await conversation(page).getByText('Cancelled').first().waitFor();
    expect(await question.count()).toBe(0);
  });

  test('Stop asks the agent to end the turn, which says that it was cancelled; search and the inspector have what was said', async () => {
    const { page } = device;
    const address = await beginSession(page, 'say a marmot whistles\nwait');
    await said(page, 'a marmot whistles');

    await page.getByRole('button', { name: 'Stop' }).click();

    await turnEnd(page);
    await conversation(page).getByText('Cancelled').first().waitFor();
    await page.goto(`${server.origin}/search`);
    await page.getByRole('searchbox', { name: 'Search all sessions' }).fill('marmot whistles');
    await page
      .getByRole('link', { name: /a marmot whistles/u })
      .first()
      .waitFor();
    await page.goto(`${address}/inspector`);
    await page
      .getByRole('option')
      .filter({ has: page.getByText('session/prompt', { exact: true }) })
      .waitFor();
    const answered = page.getByRole('option', { name: /answer to session\/prompt/u });
    await answered.waitFor();
    expect(await answered.textContent()).toMatch(/\d (?:ms|s)/u);
  });

  test('the reason of a rejection is the next prompt of an agent that takes none, and part of the answer to one that does', async () => {
    const { page } = device;
    await beginSession(page, 'ask rm -rf build');
    await rejectBecause(
      card(page, 'rm -rf build'),
      'say only the cache',
      'Reject and send as the next prompt',
    );

    await said(page, 'rm -rf build: rejected');
    expect(await said(page, 'only the cache')).toBe('only the cache');

    await beginSession(page, 'write a.txt: x', /parley/iu);
    await rejectBecause(card(page, 'a.txt'), 'it belongs into b.txt', 'Reject with this reason');

    await turnEnd(page);
    await conversation(page)
      .getByText(/it belongs into b\.txt/u)
      .first()
      .waitFor();
  });

  test('what is allowed for the session is not asked again, until it is taken back', async () => {
    const { page } = device;
    const address = await beginSession(page, 'ask npm test');
    const question = card(page, 'npm test');
    await question.getByRole('button', { name: 'Always…' }).click();
    // What was there for less than a moment allows nothing.
    await page.waitForTimeout(500);
    await question.getByRole('button', { name: 'Allow for this session' }).click();
    await said(page, 'npm test: allowed');
    await turnEnd(page);

    await send(page, 'ask npm test');
    await conversation(page).getByText('npm test: allowed', { exact: true }).nth(1).waitFor();
    await page.goto(`${server.origin}/permissions`);
    await page.getByText('Allow for this session').waitFor();
    await page.getByRole('button', { name: /^Revoke: / }).click();
    await page.getByText('No remembered answers: you are asked each time.').waitFor();
    await page.goto(address);
    await send(page, 'ask npm test');

    await answer(page, 'npm test', /^Reject once/u);
    expect(await said(page, 'npm test: rejected')).toBe('npm test: rejected');
  });

  test('a click on a question that has just come is ignored, and said to be', async () => {
    const { page } = device;
    await page.addInitScript(clickAtOnce);
    await beginSession(page, 'ask npm test');
    const question = card(page, 'npm test');

    await question.getByText('Ignored: the key or click came before you could read this.').waitFor();
    expect(await question.getByRole('button', { name: /^Allow once/u }).count()).toBe(1);
    await answer(page, 'npm test', /^Allow once/u);
    await said(page, 'npm test: allowed');
  });

  test('a page in the background shows notifications of questions and of ended turns, where they are enabled', async () => {
    const { page } = await browser.openDevice({ permissions: ['notifications'] });
    await page.addInitScript(watchNotes);
    await signIn(page, server);
    await page.goto(`${server.origin}/settings`);
    await page.getByRole('checkbox', { name: /^When a question waits/u }).check();
    await page.getByRole('checkbox', { name: 'When a turn has ended' }).check();
    await page.evaluate('globalThis.looksAway = true');
    const shownNotes = (): Promise<unknown> =>
      page.evaluate('globalThis.notes.map(({ title, body }) => [title, body])');
    const question = ['Run a command · ask npm test', 'npm test'];

    const address = await beginSession(device.page, 'ask npm test');
    await expect.poll(shownNotes, { timeout: 120_000 }).toEqual([question]);
    await answer(device.page, 'npm test', /^Reject/u);
    await expect.poll(shownNotes, { timeout: 120_000 }).toEqual([question, ['Finished · ask npm test', '']]);

    await page.evaluate("globalThis.notes[1].dispatchEvent(new Event('click'))");
    await page.waitForURL(address);
  });

  test('renaming, deleting and signing out in one tab show in the other', async () => {
    const { page } = device;
    const address = await beginSession(page, 'say hello');
    await turnEnd(page);
    const other = await device.openTab();
    await other.goto(address);
    await said(other, 'hello');

    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Another name');
    await page.keyboard.press('Enter');
    await other.getByRole('heading', { level: 1, name: 'Another name' }).waitFor();
    await page.getByRole('button', { name: 'More for this session' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await other.getByText('This session does not exist').waitFor();
    await page.goto(`${server.origin}/settings`);
    await page.getByRole('button', { name: 'Sign out' }).click();

    await other.getByText('You are signed out.').waitFor();
    expect(await other.getByText('Another name').count()).toBe(0);
  });

  test('a session that is forked is another one with the same history, and neither has anything odd in it', async () => {
    const { page } = device;
    const origin = await beginSession(page, 'say: from the first', /Parley/u);
    await said(page, 'from the first');
    await turnEnd(page);

    await page.getByRole('button', { name: 'More for this session' }).click();
    await page.getByRole('menuitem', { name: 'Fork' }).click();
    await page.waitForURL((url) => url.href !== origin);
    await send(page, 'say: from the second');

    expect(await said(page, 'from the second')).toBe('from the second');
    expect(await said(page, 'from the first')).toBe('from the first');
    await page.goto(origin);
    await said(page, 'from the first');
    expect(await page.getByText(/^Warning/u).count()).toBe(0);
  });
});

/** Clicks on what allows a question in the moment in which it appears, as a click that was meant for something else does. */
const clickAtOnce = `
  let isClicked = false;
  new MutationObserver(() => {
    const button = document.querySelector('.permission-allow');
    if (isClicked || button === null) return;
    isClicked = true;
    button.click();
  }).observe(document, { childList: true, subtree: true });
`;

/** Rejects what is asked, and says why. */
async function rejectBecause(question: Locator, reason: string, way: string): Promise<void> {
  await question.getByRole('button', { name: 'Reject with a reason…' }).click();
  await question.getByRole('textbox', { name: 'Why not? What should it do instead?' }).fill(reason);
  // What is pressed sooner is ignored.
  await question.page().waitForTimeout(600);
  await question.getByRole('button', { name: way }).click();
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
