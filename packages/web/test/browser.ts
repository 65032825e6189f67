import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium as playwright, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { TestContext } from 'vitest';
import { chromium, smallChromium } from './chromium.ts';
import { chromiumFlags } from './find-chromium.ts';

/** A browser with an empty profile. It is closed when the test disposes of it. */
export interface TestBrowser extends AsyncDisposable {
  /** Opens a window that shares nothing with the others, as on another device. */
  openDevice(options?: BrowserContextOptions): Promise<Device>;
  /**
   * Returns one window for many tests, without the stored data of earlier tests: its pages cost half of those of a new
   * window. A test that changes more than its page, such as scripts that run in each page, opens a window of its own.
   */
  reuseDevice(): Promise<Device>;
  /**
   * Closes all windows except the reused one, whose page it leaves: open pages use CPU time even after their test. Where the test has
   * failed, it prints what they showed.
   */
  closeDevices(context: Pick<TestContext, 'task'>): Promise<void>;
}

/** A device with a page of its own; further pages are further tabs. */
export interface Device {
  readonly page: Page;
  openTab(): Promise<Page>;
  /** What went wrong in its pages: errors, violations of the policy, and requests to anywhere but the server. */
  readonly problems: readonly string[];
}

/** How a browser is started. */
export interface BrowserOptions {
  /** Whether its pages can show notifications: a browser without them costs half the processor time. @default false */
  readonly hasNotifications?: boolean;
}

/** Starts Chromium. */
export async function openBrowser({ hasNotifications = false }: BrowserOptions = {}): Promise<TestBrowser> {
  const executablePath = hasNotifications ? chromium : smallChromium;
  const profile = await mkdtemp(path.join(tmpdir(), 'parley-chromium-'));
  const browser = await playwright.launch({
    ...(executablePath !== undefined && { executablePath }),
    headless: true,
    // What draws without a graphics card needs no process of its own. Pages that live for seconds do not repay their scripts' optimization.
    args: [...chromiumFlags, '--in-process-gpu', '--js-flags=--no-opt,--no-maglev'],
    // Crash reports and caches of its own go where they are removed.
    env: { ...process.env, HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
  });
  let reused: OpenDevice | undefined;
  return {
    openDevice: (options) => openDevice(browser, options),
    reuseDevice: async () => (reused ??= await openDevice(browser)),
    closeDevices: async ({ task }) => {
      if (task.result?.state === 'fail') await printPages(browser);
      const others = browser.contexts().filter((context) => context !== reused?.page.context());
      await Promise.all([...others.map((context) => context.close()), reused?.empty()]);
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Prints what the open pages show: what a failed test waited for, and did not find. */
async function printPages(browser: Browser): Promise<void> {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    const shown = await page.ariaSnapshot({ timeout: 10_000 }).catch(String);
    process.stderr.write(`${page.url()} shows:\n${shown}\n`);
  }
}

interface OpenDevice extends Device {
  /** Leaves one page, which shows nothing: not signed in, and with none of the data that its server has stored. */
  empty(): Promise<void>;
}

async function openDevice(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenDevice> {
  const context = await browser.newContext({
    locale: 'en-US',
    // What turns while an agent works is drawn sixty times a second, by the processor.
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  // No test depends on a machine being fast.
  context.setDefaultTimeout(120_000);
  const problems: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => problems.push(`error: ${String(error.error())}`));
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isOwn = protocol === 'data:' || protocol === 'blob:' || hostname === '127.0.0.1';
    if (!isOwn) problems.push(`request: ${request.url()}`);
  });
  const page = await context.newPage();
  return {
    page,
    openTab: () => context.newPage(),
    problems,
    empty: async () => {
      const { origin } = new URL(page.url());
      const tabs = context.pages().filter((tab) => tab !== page);
      // A page of the same origin keeps the process, and what it has compiled, for the next test.
      await Promise.all([...tabs.map((tab) => tab.close()), page.goto(`${origin}/favicon.svg`)]);
      const session = await context.newCDPSession(page);
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
      await session.detach();
      problems.splice(0);
    },
  };
}
