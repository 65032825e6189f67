import type { Locator, Page } from 'playwright-core';
import type { TestServer } from './serve.ts';

/** Signs a browser in with the token, as the form does, and opens the page of new sessions. */
export async function signIn(
  page: Page,
  { origin, token }: Pick<TestServer, 'origin' | 'token'>,
): Promise<void> {
  const headers = { origin, 'sec-fetch-site': 'same-origin' };
  // Each page that is loaded costs half a second of processor time.
  await page.context().request.post(`${origin}/sign-in`, { form: { token }, headers, maxRedirects: 0 });
  await page.goto(`${origin}/`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}

/** Begins a session, with the agent that acts for the tests unless another is named. @returns where it is */
export async function beginSession(page: Page, prompt: string, agent = /stage/u): Promise<string> {
  const start = new URL('/', page.url()).href;
  if (page.url() !== start) await page.goto(start);
  await page.getByRole('radio', { name: agent }).check();
  await page.getByRole('textbox', { name: 'Prompt' }).fill(prompt);
  endedBefore.delete(page);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/sessions\//u);
  return page.url();
}

/** Writes a prompt on the page of a session, and sends it. */
export async function send(page: Page, prompt: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Prompt' });
  await box.fill(prompt);
  endedBefore.set(page, await lastEnd(page));
  await box.press('Enter');
}

/** The last turn that had ended when the last prompt of a page was sent: the number of the event with which its row begins. */
const endedBefore = new WeakMap<Page, number>();

/** The last turn that has ended, of those whose rows are drawn; 0 before there is one. */
async function lastEnd(page: Page): Promise<number> {
  const last: unknown = await page.evaluate(lastEndOfPage);
  return Number(last);
}

const lastEndOfPage =
  "Math.max(0, ...[...document.querySelectorAll('[role=feed] [data-seq]:has(.turn-end)')].map((row) => Number(row.dataset.seq)))";

/** What happened in the session, as its page shows it. */
export function conversation(page: Page): Locator {
  return page.getByRole('feed');
}

/** The card of a question about a command. */
export function card(page: Page, command: string): Locator {
  return page
    .getByRole('region', { name: 'Needs your input' })
    .getByRole('article')
    .filter({ hasText: command });
}

/** Waits until a turn that began with the last prompt on this page has ended, and none runs. */
export async function turnEnd(page: Page): Promise<void> {
  // A prompt that was just sent has no turn yet: the buttons alone look as if it had ended.
  const before = endedBefore.get(page) ?? 0;
  // Not `expect.poll`, which works only inside a test: hooks wait, too. The page itself looks at each change of its rows.
  await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      if (${lastEndOfPage} <= ${String(before)}) return;
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['class', 'data-seq'] });
    look();
  })`);
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
}

/** Waits for a text of the conversation. */
export async function said(page: Page, text: string | RegExp): Promise<string> {
  const found = conversation(page).getByText(text, { exact: true }).first();
  await found.waitFor();
  return (await found.textContent()) ?? '';
}

/** Answers a question about a command, when its card has been there for as long as a user needs to see it. */
export async function answer(page: Page, command: string, button: RegExp): Promise<void> {
  await page.bringToFront();
  await card(page, command).waitFor();
  // What is pressed sooner allows nothing.
  await page.waitForTimeout(600);
  await card(page, command).getByRole('button', { name: button }).first().click();
}
