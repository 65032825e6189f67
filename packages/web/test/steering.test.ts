import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBrowser, type Device, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { beginSession, card, conversation, signIn, turnEnd } from './person.ts';
import { startServer, type TestServer } from './serve.ts';

describe.skipIf(chromium === undefined)('steering in the browser', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let device: Device;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ token: 'parley_of_the_tests' })]);
  });

  beforeEach(async () => {
    device = await browser.openDevice();
    await signIn(device.page, server);
  });

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
    expect(await question.getByRole('button', { name: 'Reject' }).count()).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await page.getByText('Press Esc again to stop').waitFor();
    await page.keyboard.press('Escape');
    await turnEnd(page);
    await conversation(page).getByText('Cancelled').first().waitFor();
    expect(await question.count()).toBe(0);
  });
});
