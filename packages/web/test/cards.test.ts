import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type Device, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { beginSession, card, said, send, signIn, turnEnd } from './page-user.ts';
import { startServer, type TestServer } from './serve.ts';

describe.skipIf(chromium === undefined)('permission cards', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let device: Device;
  let page: Page;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer()]);
    device = await browser.openDevice();
    ({ page } = device);
    await signIn(page, server);
  });

  afterAll(() => Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

  test('a long diff has most of the window, and a full-screen review that Escape leaves', async () => {
    await beginSession(page, 'propose 300');
    const long = card(page, 'long.txt');
    await long.waitFor();
    // The diff is loaded with the first card that has one.
    await expect.poll(() => shareOfWindow(page, page.locator('.question-stack'))).toBeGreaterThan(0.55);

    const review = long.getByRole('button', { name: 'Review in full screen' });
    await review.click();
    await expect.poll(() => shareOfWindow(page, long)).toBeGreaterThan(0.9);
    await page.keyboard.press('Escape');
    await expect.poll(() => review.getAttribute('aria-pressed')).toBe('false');
    await expect.poll(() => shareOfWindow(page, page.locator('.question-stack'))).toBeLessThan(0.8);
  });

  test('the card of a session that is opened from the sidebar has the focus, also after its panels close', async () => {
    await page.goto(`${server.origin}/`);
    await page.getByRole('link', { name: /propose 300/u }).click();
    const long = card(page, 'long.txt');
    const isFocused = (): Promise<boolean> =>
      page.evaluate<boolean>("document.activeElement.closest('.question') !== null");
    await expect.poll(isFocused).toBe(true);

    await long.getByRole('button', { name: /^Always/u }).click();
    await page.keyboard.press('Escape');
    await expect.poll(isFocused).toBe(true);
    await long.getByRole('button', { name: /^Reject with feedback/u }).click();
    await page.keyboard.press('Escape');
    await expect.poll(isFocused).toBe(true);
    // A key that is pressed sooner rejects nothing.
    await page.waitForTimeout(600);
    await page.keyboard.press('r');
    await said(page, 'proposal: no');
    await turnEnd(page);
  });

  test('on a phone, Allow and Reject of a long diff are visible without scrolling, and answering opens no keyboard', async () => {
    await send(page, 'propose 300');
    await card(page, 'long.txt').waitFor();
    const phone = await browser.openDevice({
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    await signIn(phone.page, server);
    const hint = phone.page.getByText('@ for files, / for commands', { exact: true });
    await hint.waitFor();
    await phone.page.goto(page.url());
    const long = card(phone.page, 'long.txt');
    await long.waitFor();
    const allow = long.getByRole('button', { name: /^Allow/u });
    for (const button of [allow, long.getByRole('button', { name: /^Reject/u }).first()]) {
      await expect.poll(() => isInWindow(phone.page, button)).toBe(true);
    }
    const keys = phone.page.locator('kbd').filter({ visible: true });
    expect(await keys.allTextContents()).toEqual([]);
    // What is tapped sooner allows nothing.
    await phone.page.waitForTimeout(600);
    await allow.tap();
    await said(phone.page, 'proposal: once');
    expect(await phone.page.evaluate<string>('document.activeElement.tagName')).not.toBe('TEXTAREA');
    await phone.page.context().close();
    await turnEnd(page);
  });

  test('a request that continues behind its answers says so, until its end is in sight', async () => {
    const command = Array.from({ length: 80 }, (_, index) => `echo step-${String(index)}`).join(' && ');
    await page.setViewportSize({ width: 390, height: 740 });
    await send(page, `ask ${command}`);
    const long = card(page, 'step-79');
    const note = long.getByText('Continues below', { exact: true });
    await note.waitFor();
    await long.getByText('Why you are asked').scrollIntoViewIfNeeded();
    await expect.poll(() => note.count()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    // What is pressed sooner rejects nothing.
    await page.waitForTimeout(600);
    await long
      .getByRole('button', { name: /^Reject/u })
      .first()
      .click();
    await turnEnd(page);
  });

  test('with reduced motion nothing moves', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const moving = await page.evaluate<number>(
      `[...document.querySelectorAll('*')].filter((each) => {
        const { transitionDuration, animationName, animationDuration } = getComputedStyle(each);
        const seconds = (text) => Math.max(...text.split(',').map((part) => Number.parseFloat(part)));
        return seconds(transitionDuration) > 0.01 || (animationName !== 'none' && seconds(animationDuration) > 0.01);
      }).length`,
    );
    expect(moving).toBe(0);
  });
});

/** The share of the window's height that an element has. */
async function shareOfWindow(page: Page, element: Locator): Promise<number> {
  const box = await element.boundingBox();
  return (box?.height ?? 0) / (page.viewportSize()?.height ?? 1);
}

/** Whether an element is in the window as a whole, and nothing covers it. */
async function isInWindow(page: Page, element: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  if (box === null || box.y < 0 || box.y + box.height > height) return false;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const found = await page.evaluate<string | null>(
    `document.elementFromPoint(${String(x)}, ${String(y)})?.closest('button')?.textContent ?? null`,
  );
  return found === (await element.textContent());
}
