import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium as playwright, type BrowserContextOptions, type Page } from 'playwright-core';
import { chromium } from './chromium.ts';
import { chromiumFlags } from './find-chromium.ts';

/** A browser with an empty profile. It is closed when the test disposes of it. */
export interface TestBrowser extends AsyncDisposable {
  /** Opens a window that shares nothing with the others, as on another device. */
  openDevice(options?: BrowserContextOptions): Promise<Device>;
  /** Closes all windows: what a page shows and animates costs time, whether or not a test still looks at it. */
  closeDevices(): Promise<void>;
}

/** A device with a page of its own; further pages are further tabs. */
export interface Device {
  readonly page: Page;
  openTab(): Promise<Page>;
  /** What went wrong in its pages: errors, violations of the policy, and requests to anywhere but the server. */
  readonly problems: readonly string[];
}

/** Starts Chromium. */
export async function openBrowser(): Promise<TestBrowser> {
  const profile = await mkdtemp(path.join(tmpdir(), 'parley-chromium-'));
  const browser = await playwright.launch({
    ...(chromium !== undefined && { executablePath: chromium }),
    headless: true,
    args: [...chromiumFlags],
    // Crash reports and caches of its own go where they are removed.
    env: { ...process.env, HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
  });
  return {
    openDevice: async (options = {}) => {
      const context = await browser.newContext({
        locale: 'en-US',
        viewport: { width: 1280, height: 800 },
        ...options,
      });
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
      return { page: await context.newPage(), openTab: () => context.newPage(), problems };
    },
    closeDevices: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
