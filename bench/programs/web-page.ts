import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { chromiumFlags } from '../../packages/web/test/find-chromium.ts';
import { startParley, type ServedParley } from './parley-server.ts';

/** Opens a page in a Chromium with an empty profile, and removes both afterwards. */
export async function inChromium(executablePath: string, use: (page: Page) => Promise<void>): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const browser = await chromium.launch({
    executablePath,
    args: [...chromiumFlags, '--enable-precise-memory-info', '--js-flags=--expose-gc'],
    env: { ...process.env, HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
  });
  try {
    // What looks at the page is put into it.
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true });
    await use(await context.newPage());
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs `parley serve` with a home of its own, in which sessions work too. */
export async function withParley<Result>(
  { command, home }: { readonly command: string; readonly home: string },
  use: (server: ServedParley) => Promise<Result>,
): Promise<Result> {
  const server = await startParley({ command, home, flags: ['--workspace', home] });
  try {
    return await use(server);
  } finally {
    await server.end();
  }
}

/** Signs the page in by the token. */
export async function signIn(page: Page, { origin, token }: ServedParley): Promise<void> {
  await page.goto(`${origin}/sign-in`);
  await page.locator('input[type=password]').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}
