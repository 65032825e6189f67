import { mkdir, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPostgres, startPostgres, type TestPostgres } from '@parley/conformance';
import type { Page } from 'playwright-core';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type Device, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { faults, picture } from './faults.ts';
import { beginSession, card, conversation, said, send, signIn, turnEnd } from './page-user.ts';
import { startServer, type TestServer } from './serve.ts';

describe.skipIf(chromium === undefined || 'missing' in findPostgres())('two machines of a hub', () => {
  let database: TestPostgres;
  let browser: TestBrowser;
  let north: TestServer;
  let south: TestServer;
  let device: Device;
  let page: Page;
  /** A folder that only one machine has. */
  let southOnly: string;

  beforeAll(async () => {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-machines-')));
    southOnly = path.join(folder, 'reports');
    await mkdir(southOnly);
    [browser, database] = await Promise.all([
      openBrowser(),
      startPostgres(async (url, text) => {
        const sql = postgres(url, { max: 1, onnotice: () => undefined });
        try {
          return [...(await sql.unsafe(text))];
        } finally {
          await sql.end();
        }
      }),
    ]);
    const url = await database.createDatabase();
    const open = (name: string, ...flags: readonly string[]): Promise<TestServer> =>
      startServer({
        workspace: path.join(folder, 'app'),
        flags: ['--store', url, '--replica', name, '--lease', '6', '--max-agents', '4', ...flags],
      });
    [north, south] = await Promise.all([open('north'), open('south', '--workspace', southOnly)]);
    // The script that looks for faults is put into the page.
    device = await browser.openDevice({ bypassCSP: true });
    ({ page } = device);
    await signIn(page, north);
  });

  afterAll(async () => {
    await Promise.all([
      browser[Symbol.asyncDispose](),
      north[Symbol.asyncDispose](),
      south[Symbol.asyncDispose](),
    ]);
    await database[Symbol.asyncDispose]();
  });

  function runsOn(machine: string): Promise<void> {
    return page.getByRole('link', { name: `Runs on ${machine}` }).waitFor();
  }

  /** With the keyboard alone. */
  async function openHandOver(): Promise<void> {
    await page.getByRole('button', { name: 'More actions' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Hand over…' }).focus();
    await page.keyboard.press('Enter');
  }

  test('a manual handover continues the session there, and interrupts a running turn only if requested', async () => {
    const address = await beginSession(page, 'say hello');
    await said(page, 'hello');
    await turnEnd(page);
    await runsOn('north');
    await page.getByRole('link', { name: 'Runs on north' }).click();
    const row = page.getByRole('listitem', { name: 'north' });
    await row.getByText('0 of 4 in use').waitFor();
    await row.getByText('Serves this page').waitFor();
    await page.getByRole('listitem', { name: 'south' }).getByText('0 of 4 in use').waitFor();
    await row.getByText('1 session').click();
    expect(await faults(page, 'machines')).toEqual([]);
    await row.getByRole('link', { name: 'say hello' }).click();

    await openHandOver();
    const dialog = page.getByRole('dialog', { name: 'Hand over this session?' });
    await dialog.getByRole('radio', { name: 'south', checked: true }).waitFor();
    expect(await faults(page, 'hand-over')).toEqual([]);
    await dialog.getByRole('button', { name: 'Hand over', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The session runs on south now.').waitFor();
    await runsOn('south');
    await send(page, 'ask npm test');
    await card(page, 'npm test').waitFor();

    await openHandOver();
    await dialog.getByText('A turn is running.').waitFor();
    await dialog.getByRole('button', { name: 'Stop the turn and hand over' }).click();
    await page.getByText('The session runs on north now.').waitFor();
    await runsOn('north');
    await send(page, 'say still here');
    await said(page, 'still here');
    expect(device.problems).toEqual([]);
    expect(page.url()).toBe(address);
  });

  test('in Chinese, in the dark and on a phone', async () => {
    await page.evaluate(`localStorage.setItem('parley-language', 'zh-CN')`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await page.getByRole('link', { name: '运行于 north' }).waitFor();
    expect(await faults(page, 'machines-session-chinese-dark-phone')).toEqual([]);
    await page.goto(`${north.origin}/machines`);
    await page.getByRole('listitem', { name: 'south' }).getByText('正常').waitFor();
    expect(await faults(page, 'machines-chinese-dark-phone')).toEqual([]);
    await page.evaluate(`localStorage.removeItem('parley-language')`);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('when a machine dies, the list says since when, and a session whose folder no machine has says what to do', async () => {
    await page.goto(`${south.origin}/`);
    await page.getByLabel('Folder').selectOption(southOnly);
    const address = new URL(await beginSession(page, 'say from the south')).pathname;
    await said(page, 'from the south');
    await turnEnd(page);
    await page.goto(`${north.origin}${address}`);
    await runsOn('south');
    await openHandOver();
    await page.getByText(`No other machine has its folder, ${southOnly}`).waitFor();
    await page.getByText('Does not have the folder').waitFor();
    await picture(page, 'hand-over-none');
    await page.keyboard.press('Escape');

    await south.kill();

    await page.getByText(`No machine of this hub has the folder of this session, ${southOnly}`).waitFor();
    await conversation(page).getByText('as a --workspace').waitFor();
    expect(await faults(page, 'session-without-folder')).toEqual([]);
    await page
      .getByRole('region', { name: 'Session status' })
      .getByRole('link', { name: 'Machines' })
      .click();
    await page
      .getByRole('listitem', { name: 'south' })
      .getByText(/Last sign of life:/u)
      .waitFor();
    expect(await faults(page, 'machines-silent')).toEqual([]);
    expect(device.problems).toEqual([]);
  });
});
