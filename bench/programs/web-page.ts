import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { chromiumFlags } from '../../packages/web/test/find-chromium.ts';

/** A `parley serve` of the bench. */
export interface ServedParley {
  readonly origin: string;
  readonly token: string;
}

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
  const token = 'parley_of_the_bench';
  const server = spawn(
    process.execPath,
    [command, 'serve', '--port', '0', '--token', token, '--workspace', home],
    { env: { ...process.env, PARLEY_HOME: home }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  try {
    return await use({ origin: await originOf(server), token });
  } finally {
    server.kill('SIGTERM');
    await once(server, 'close');
  }
}

/** Signs the page in by the token. */
export async function signIn(page: Page, { origin, token }: ServedParley): Promise<void> {
  await page.goto(`${origin}/sign-in`);
  await page.locator('input[type=password]').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}

async function originOf(server: ChildProcess): Promise<string> {
  let printed = '';
  for await (const part of server.stdout ?? []) {
    printed += String(part);
    const [origin] = /http:\/\/127\.0\.0\.1:\d+/u.exec(printed) ?? [];
    if (origin !== undefined) return origin;
  }
  throw new Error('parley serve does not serve');
}
