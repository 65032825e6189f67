import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { faults, picture } from './faults.ts';
import { said, signIn } from './page-user.ts';
import { startServer, type TestServer } from './serve.ts';

describe.skipIf(chromium === undefined)('worktrees', () => {
  let browser: TestBrowser;
  let server: TestServer;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ hasLookToken: true })]);
  });

  afterEach((context) => browser.closeDevices(context));

  afterAll(() => Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

  function git(...words: readonly string[]): string {
    return execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], {
      cwd: server.workspace,
      encoding: 'utf8',
    });
  }

  test('a session starts in a worktree, which its page names; without a repository, the page says so', async () => {
    const { page } = await browser.openDevice();
    await signIn(page, server);

    await page.getByRole('radio', { name: /Parley/u }).check();
    await page.getByRole('checkbox', { name: 'Use a worktree' }).check();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('say: too early');
    const start = page.getByRole('button', { name: 'Start' });
    const { y = 0, height = 0 } = (await start.boundingBox()) ?? {};
    // A window that ends with the prompt box.
    const end = Math.ceil(y + height) + 10;
    await page.setViewportSize({ width: 1280, height: end });
    await start.click();
    const failure = page.getByText('is in no git working tree').first();
    await failure.waitFor();
    expect(await failure.textContent()).not.toMatch(/--worktree|fatal/u);
    const bottom = async (): Promise<number> => {
      const box = await failure.boundingBox();
      return box === null ? Infinity : box.y + box.height;
    };
    await expect.poll(bottom).toBeLessThanOrEqual(end);
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    git('tag', 'here');
    git('commit', '-q', '--allow-empty', '-m', 'second');
    await writeFile(path.join(server.workspace, 'mine.txt'), 'mine\n');
    await page.reload();
    await page.getByRole('checkbox', { name: 'Use a worktree' }).check();
    await page.getByRole('textbox', { name: 'Worktree name (optional)' }).fill('fix');
    await page.getByRole('textbox', { name: 'Base commit or branch (optional)' }).fill('here');
    await page.getByRole('checkbox', { name: 'Include uncommitted changes' }).check();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('say: hello');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL(/\/sessions\//u);
    await said(page, 'hello');

    await page.getByText('Worktree fix').first().waitFor();
    expect(git('rev-parse', 'parley/fix')).toBe(git('rev-parse', 'here'));
    const [, folder = ''] = /^worktree (.*\/fix)$/mu.exec(git('worktree', 'list', '--porcelain')) ?? [];
    expect(await readFile(path.join(folder, 'mine.txt'), 'utf8')).toBe('mine\n');
    await rm(path.join(server.workspace, 'mine.txt'));
  });

  test('the link to a race is offered where it stays: what loads after it does not move it away from the pointer', async () => {
    const { page } = await browser.openDevice();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.routeWebSocket(/\/acp$/u, (socket) => {
      socket.connectToServer().onMessage(async (message) => {
        await held;
        socket.send(message);
      });
    });
    await signIn(page, server);
    // Where each frame that is drawn has the link.
    await page.evaluate(`{
      const tops = new Set();
      const look = () => {
        const link = document.querySelector('main a[href$="/worktrees/race"]');
        if (link !== null) tops.add(link.getBoundingClientRect().top);
        requestAnimationFrame(look);
      };
      look();
      Object.assign(window, { tops });
    }`);
    await page.getByRole('region', { name: 'Connection' }).waitFor();
    release();
    await page.getByRole('link', { name: 'Race several agents' }).waitFor();
    await page.getByText('Agents to delegate to').waitFor();
    await page.getByRole('textbox', { name: 'Prompt' }).waitFor();
    await page.evaluate('new Promise(requestAnimationFrame)');
    expect(await page.evaluate('[...window.tops]')).toHaveLength(1);
  });

  // In the repository of the test before.
  test('a race is started in the page, its runners compared, one adopted, and another removed with its work saved', async () => {
    const device = await browser.openDevice({ bypassCSP: true });
    const { page } = device;
    await signIn(page, server);
    await page.getByRole('link', { name: 'Race several agents' }).click();
    await page.getByRole('checkbox', { name: 'stage' }).check();
    const start = page.getByRole('button', { name: 'Start race' });
    expect(await start.isDisabled()).toBe(true);
    await page.getByRole('spinbutton', { name: 'How many times stage' }).fill('2');
    await page.getByRole('textbox', { name: 'Base commit or branch (optional)' }).fill('here');
    await page.getByLabel('Check (optional)').fill('cat raced.txt; exit 4');
    await page.getByRole('textbox', { name: 'Prompt' }).fill('write raced.txt one\\ntwo\\n');
    expect(await faults(page, 'race-form')).toEqual([]);
    await start.click();

    await page.waitForURL(/\/worktrees\/[a-z]{4}-\d\d$/u);
    const address = page.url();
    const race = address.split('/').at(-1) ?? '';
    expect(git('rev-parse', `parley/${race}-stage`)).toBe(git('rev-parse', 'here'));
    for (const at of [0, 1]) {
      const column = runner(page, at);
      await column.getByText('Failed (4)').waitFor();
      await column.getByText('Finished').waitFor();
      await column
        .getByRole('region', { name: /^Changes of/u })
        .getByText('two', { exact: true })
        .waitFor();
      await column.getByText('1 file').first().waitFor();
    }
    expect(await faults(page, 'compare')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await runner(page, 1).getByText('two', { exact: true }).first().waitFor();
    expect(await faults(page, 'compare-dark')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    const { page: eve } = await browser.openDevice();
    await signIn(eve, { origin: server.origin, token: server.lookToken });
    await eve.goto(address);
    await runner(eve, 0).getByText('Failed (4)').waitFor();
    expect(await eve.getByRole('button', { name: /Adopt|Remove/u }).count()).toBe(0);

    const dialog = page.getByRole('dialog');
    await runner(page, 1)
      .getByRole('button', { name: /^Remove/u })
      .click();
    await dialog.getByText(/They are saved as refs\/parley\/saved\//u).waitFor();
    expect(await faults(page, 'compare-remove')).toEqual([]);
    await dialog.getByRole('button', { name: 'Save and remove' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    expect(git('for-each-ref', '--format=%(refname)', 'refs/parley/saved')).toMatch(/stage-2\n$/u);

    // The keyboard alone adopts one.
    await runner(page, 0)
      .getByRole('button', { name: /^Adopt/u })
      .focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('list', { name: 'Files to merge' }).getByText('+2 −0').waitFor();
    expect(await faults(page, 'compare-adopt')).toEqual([]);
    const merge = dialog.getByRole('button', { name: 'Merge' });
    await expect.poll(() => merge.isEnabled()).toBe(true);
    await merge.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await runner(page, 0).getByText('Merged').waitFor();
    expect(await readFile(path.join(server.workspace, 'raced.txt'), 'utf8')).toBe('one\ntwo\n');

    await page.getByRole('link', { name: /^Open session/u }).click();
    await said(page, /./u);
    await page.keyboard.press('Control+K');
    await page.getByRole('listbox', { name: 'Commands' }).waitFor();
    await page.keyboard.type('show worktree');
    await page.getByRole('option', { name: /Show worktree and race/u, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/worktrees\//u);
    await runner(page, 0).getByText('Merged').waitFor();
    await page.getByRole('link', { name: 'All worktrees' }).click();
    await page.getByRole('link', { name: /^Compare: write raced/u }).waitFor();
    expect(await faults(page, 'worktrees')).toEqual([]);
    expect(device.problems).toEqual([]);
  });

  test('a race on a phone has tabs, and refusals are in the language of the page', async () => {
    const device = await browser.openDevice({
      bypassCSP: true,
      colorScheme: 'dark',
      locale: 'zh-CN',
      viewport: { width: 360, height: 740 },
    });
    const { page } = device;
    await signIn(page, server);
    await page.goto(`${server.origin}/worktrees/race`);
    await page.getByRole('checkbox', { name: 'stage' }).check();
    await page.getByRole('spinbutton').fill('2');
    await page.getByRole('textbox', { name: '提示词' }).fill('write phone.txt theirs\\n');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/worktrees\/[a-z]{4}-\d\d$/u);
    await page.getByRole('tab').nth(1).waitFor();
    await page.getByRole('tab').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { selected: true }).and(page.getByRole('tab').nth(1)).waitFor();
    await runner(page, 0).getByText('theirs', { exact: true }).waitFor();
    expect(await faults(page, 'compare-phone')).toEqual([]);
    await writeFile(path.join(server.workspace, 'phone.txt'), 'mine\n');

    await page.getByRole('button', { name: /^采用/u }).click();
    await page
      .getByRole('dialog')
      .getByText(/与检出目录中的更改冲突.*phone\.txt/u)
      .waitFor();
    expect(await faults(page, 'compare-conflict')).toEqual([]);
    expect(await readFile(path.join(server.workspace, 'phone.txt'), 'utf8')).toBe('mine\n');
    await page.goto(`${server.origin}/worktrees`);
    await page.getByRole('heading', { name: '工作树', exact: true }).waitFor();
    await picture(page, 'worktrees-phone');
    expect(device.problems).toEqual([]);
  });
});

/** What one runner of the race did, in its column. */
function runner(page: Page, index: number): Locator {
  return page.getByRole('article').nth(index);
}
