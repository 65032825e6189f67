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
    device = await browser.reuseDevice();
    await signIn(device.page, server);
  });

  afterEach((context) => browser.closeDevices(context));

  afterAll(() => Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

  test('Escape leaves what is open on a question, stops nothing at once, and stops the turn when pressed twice', async () => {
    const { page } = device;
    await beginSession(page, 'ask npm test');
    const question = card(page, 'npm test');
    await question.getByRole('button', { name: 'Always…' }).click();

    await page.keyboard.press('Escape');
    await question.getByRole('radiogroup').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toContain('Always…');
    await page.keyboard.press('Escape');
    await page.getByText('Press Esc again to stop').waitFor();
    await page.getByRole('heading', { level: 1 }).click();

    await page.getByText('Press Esc again to stop').waitFor({ state: 'detached' });
    expect(await question.getByRole('button', { name: /^Reject/u }).count()).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await page.getByText('Press Esc again to stop').waitFor();
    await page.keyboard.press('Escape');
    await turnEnd(page);
    await conversation(page).getByText('Cancelled').first().waitFor();
    expect(await question.count()).toBe(0);
  });

  test('in a low window, the buttons below a question and the queue can be scrolled to', async () => {
    const { page } = await browser.openDevice({ viewport: { width: 640, height: 400 } });
    await signIn(page, server);
    await beginSession(page, 'ask npm test');
    await card(page, 'npm test').waitFor();
    await send(page, 'next');
    await page.getByRole('listitem', { name: 'Queued prompt 1' }).hover();

    await page.mouse.wheel(0, 2000);

    const end = async (): Promise<number> => {
      const box = await page.getByRole('button', { name: 'Stop' }).boundingBox();
      return box === null ? Infinity : box.y + box.height;
    };
    await expect.poll(end).toBeLessThanOrEqual(400);
  });

  test('the focus stays in the queue when a prompt was edited or moved, and goes to the prompt box after the last one', async () => {
    const { page } = device;
    await beginSession(page, 'wait');
    await said(page, 'wait');
    for (const text of ['one', 'two']) await send(page, text);
    const focused = (): Promise<string> =>
      page.evaluate<string>("document.activeElement.getAttribute('aria-label') ?? ''");

    await page.getByRole('button', { name: 'Edit: Queued prompt 1' }).press('Enter');
    await page.keyboard.type('!');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Edit: Queued prompt 1');
    await page.getByRole('button', { name: 'Move down: Queued prompt 1' }).press('Enter');
    await expect.poll(focused).toBe('Move up: Queued prompt 2');
    await page.getByRole('button', { name: 'Remove: Queued prompt 2' }).press('Enter');
    await expect.poll(focused).toBe('Edit: Queued prompt 1');
    await page.getByRole('button', { name: 'Remove: Queued prompt 1' }).press('Enter');
    await expect.poll(focused).toBe('Prompt');
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
    const answered = page.getByRole('option', { name: /response to session\/prompt/u });
    await answered.waitFor();
    expect(await answered.textContent()).toMatch(/\d (?:ms|s)/u);
  });

  test('feedback of a rejection is part of the answer if the agent supports that, else the next prompt', async () => {
    const { page } = device;
    await beginSession(page, 'ask rm -rf build');
    await rejectBecause(card(page, 'rm -rf build'), 'say only the cache', 'Reject and send as next prompt');

    await said(page, 'rm -rf build: rejected');
    expect(await said(page, 'only the cache')).toBe('only the cache');

    await beginSession(page, 'write a.txt: x', /parley/iu);
    await rejectBecause(card(page, 'a.txt'), 'it belongs into b.txt', 'Reject with feedback');

    await turnEnd(page);
    await conversation(page)
      .getByText(/it belongs into b\.txt/u)
      .first()
      .waitFor();
  });

  test('an approval for the session is not asked again until it is revoked', async () => {
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
    await page.getByText('No saved decisions. You are asked each time.').waitFor();
    await page.goto(address);
    await send(page, 'ask npm test');

    await answer(page, 'npm test', /^Reject/u);
    expect(await said(page, 'npm test: rejected')).toBe('npm test: rejected');
  });

  test('questions of two sessions are answered together in the inbox, and sessions are archived and deleted together', async () => {
    const { page } = device;
    await beginSession(page, 'ask echo one');
    const address = await beginSession(page, 'ask echo two');
    await card(page, 'echo two').waitFor();
    await page.goto(`${server.origin}/inbox`);
    for (const command of ['echo one', 'echo two']) {
      await page.getByRole('article').filter({ hasText: command }).getByRole('checkbox').check();
    }
    // What is pressed sooner is ignored.
    await page.waitForTimeout(600);
    await page.getByRole('button', { name: 'Allow (2)' }).click();
    await page.getByRole('article').filter({ hasText: 'echo two' }).waitFor({ state: 'detached' });
    await page.goto(address);
    await said(page, 'echo two: allowed');

    const list = page.getByRole('region', { name: 'Sessions' });
    await list.getByRole('button', { name: 'Select sessions' }).click();
    await list
      .getByRole('checkbox', { name: /ask echo one/u })

      .check();
    await list.getByRole('button', { name: 'Archive' }).click();
    await list
      .getByRole('link', { name: /ask echo one/u })

      .waitFor({ state: 'hidden' });
    await list.getByText('Archived').click();
    await list.getByRole('button', { name: 'Select sessions' }).click();
    await list
      .getByRole('checkbox', { name: /ask echo one/u })

      .check();
    await list.getByRole('checkbox', { name: /ask echo two/u }).check();
    await list.getByRole('button', { name: 'Delete…' }).click();
    await page
      .getByRole('dialog', { name: 'Delete 2 sessions?' })
      .getByRole('button', { name: 'Delete' })
      .click();

    await page.getByRole('heading', { level: 1, name: 'What would you like to do?' }).waitFor();
    await expect.poll(() => list.getByRole('link', { name: /ask echo two/u }).count()).toBe(0);
  });

  test('a click on a card that has just appeared is ignored, and the card says so', async () => {
    const { page } = await browser.openDevice();
    await page.addInitScript(clickAtOnce);
    await signIn(page, server);
    await beginSession(page, 'ask npm test');
    const question = card(page, 'npm test');

    await question.getByText('Ignored: you pressed too soon to have read this.').waitFor();
    expect(await question.getByRole('button', { name: /^Allow/u }).count()).toBe(1);
    await answer(page, 'npm test', /^Allow/u);
    await said(page, 'npm test: allowed');
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
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await other.getByText('Session not found').waitFor();
    await page.goto(`${server.origin}/settings`);
    await page.getByRole('button', { name: 'Sign out' }).click();

    await page.waitForURL(`${server.origin}/sign-in`);
    await other.getByText('You are signed out.').waitFor();
    expect(await other.getByText('Another name').count()).toBe(0);
  });

  test('a forked session has the same history, and neither session has a diagnostic', async () => {
    const { page } = device;
    const origin = await beginSession(page, 'say: from the first', /Parley/u);
    await said(page, 'from the first');
    await turnEnd(page);

    await page.getByRole('button', { name: 'More actions' }).click();
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
  await question.getByRole('button', { name: 'Reject with feedback…' }).click();
  await question.getByRole('textbox', { name: 'What should the agent do instead?' }).fill(reason);
  // What is pressed sooner is ignored.
  await question.page().waitForTimeout(600);
  await question.getByRole('button', { name: way }).click();
}
