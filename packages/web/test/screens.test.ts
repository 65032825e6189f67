import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { agentMethods, changesMethods, hubMethods } from '@parley/host/hub';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type Device, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { faults, picture, pictures } from './faults.ts';
import { beginSession, card, conversation, said, signIn, turnEnd } from './page-user.ts';
import { startServer, type TestServer } from './serve.ts';

/** A phone: a touch screen without a keyboard. */
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

describe.skipIf(chromium === undefined)('the screens', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let device: Device;
  let page: Page;
  let address = '';
  /** Of a session in which a question waits. */
  let waiting = '';

  beforeAll(async () => {
    [browser, server] = await Promise.all([
      openBrowser(),
      startServer({
        hasLookToken: true,
        // A name that can be read.
        ...(pictures !== undefined && { workspace: path.join(tmpdir(), 'answer') }),
      }),
    ]);
    await mkdir(path.join(server.workspace, 'src'));
    await writeFile(path.join(server.workspace, 'src', 'answer.ts'), 'export const answer = 42;\n');
    // The script that looks for faults is put into the page; nothing else may do that.
    device = await browser.openDevice({ bypassCSP: true });
    ({ page } = device);
    await signIn(page, server);
    address = await beginSession(page, 'Why is the answer wrong?');
    await said(page, 'The answer is 42 now, and a test says so.');
    await turnEnd(page);
  });

  afterAll(() => Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

  test('the start page', async () => {
    await page.goto(`${server.origin}/`);
    await page.getByRole('textbox', { name: 'Prompt' }).waitFor();
    expect(await faults(page, 'new-session')).toEqual([]);
  });

  test('the start page, where its list of sessions cannot be loaded', async () => {
    const { page: other } = await browser.openDevice();
    await other.route(/session-list.*\.js$/u, (route) => route.abort());
    await signIn(other, server);
    await other.goto(`${server.origin}/`);
    await other.getByRole('textbox', { name: 'Prompt' }).waitFor();

    const list = other.getByRole('complementary').getByRole('alert');
    await expect.poll(() => list.textContent()).toContain('Part of this page could not be loaded');
    await picture(other, 'session-list-missing');
    await other.unroute(/session-list.*\.js$/u);
    await list.getByRole('button', { name: 'Reload' }).click();
    await other.getByRole('complementary').getByText('Why is the answer wrong?').waitFor();
  });

  test('a session', async () => {
    await page.goto(address);
    await conversation(page)
      .getByText('The answer is 42 now, and a test says so.', { exact: true })
      .waitFor();
    expect(await faults(page, 'session')).toEqual([]);
  });

  test('the palette', async () => {
    await page.keyboard.press('Control+K');
    await page.getByRole('listbox', { name: 'Commands' }).waitFor();
    expect(await faults(page, 'palette')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('listbox', { name: 'Commands' }).waitFor({ state: 'detached' });
  });

  test('a permission request', async () => {
    waiting = await beginSession(page, 'Run the tests');
    await card(page, 'npm test').waitFor();
    expect(await faults(page, 'permission')).toEqual([]);
  });

  test('the inbox', async () => {
    await page.goto(`${server.origin}/inbox`);
    await page.getByRole('article').filter({ hasText: 'npm test' }).waitFor();
    expect(await faults(page, 'inbox')).toEqual([]);
  });

  test('the agents', async () => {
    await page.goto(`${server.origin}/agents`);
    await page.getByText('Claude Code').first().waitFor();
    expect(await faults(page, 'agents')).toEqual([]);
    await page.goto(`${server.origin}/agents/stage`);
    await page.getByText('1.2.3').first().waitFor();
    expect(await faults(page, 'agent')).toEqual([]);
  });

  test('the inspector', async () => {
    await page.goto(`${address}/inspector`);
    await page.getByRole('listbox', { name: 'Frames' }).getByText('session/prompt').first().waitFor();
    expect(await faults(page, 'inspector')).toEqual([]);
  });

  test('search', async () => {
    await page.goto(`${server.origin}/search?q=answer`);
    await page.getByRole('link', { name: /The answer is 42 now/u }).waitFor();
    expect(await faults(page, 'search')).toEqual([]);
  });

  test('the settings and saved decisions', async () => {
    await page.goto(`${server.origin}/settings`);
    await page.getByLabel('Theme').waitFor();
    expect(await faults(page, 'settings')).toEqual([]);
    expect(await page.evaluate(spacesOfCheckboxes)).toHaveLength(1);
    await page.goto(`${server.origin}/permissions`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(await faults(page, 'permissions')).toEqual([]);
    await page.goto(`${server.origin}/usage`);
    await page.getByRole('row', { name: /stage/u }).waitFor();
    expect(await faults(page, 'usage')).toEqual([]);
    await page.goto(`${server.origin}/machines`);
    await page.getByRole('heading', { name: 'This hub has one machine' }).waitFor();
    expect(await faults(page, 'machines-none')).toEqual([]);
  });

  test('the dark theme', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(address);
    await conversation(page)
      .getByText('The answer is 42 now, and a test says so.', { exact: true })
      .waitFor();
    expect(await faults(page, 'session-dark')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('in Chinese', async () => {
    const chinese = await browser.openDevice({ bypassCSP: true, locale: 'zh-CN' });
    await signIn(chinese.page, server);
    await chinese.page.getByText('新建会话').first().waitFor();
    await chinese.page.goto(`${server.origin}/inbox`);
    await chinese.page.getByRole('article').filter({ hasText: 'npm test' }).waitFor();
    expect(await faults(chinese.page, 'inbox-chinese')).toEqual([]);
    expect(await chinese.page.getAttribute('html', 'lang')).toBe('zh-CN');
    await chinese.page.context().close();
  });

  test('on a phone', async () => {
    const { page: small } = await browser.openDevice({ bypassCSP: true, ...phone });
    await signIn(small, server);
    await small.goto(address);
    await conversation(small)
      .getByText('The answer is 42 now, and a test says so.', { exact: true })
      .waitFor();
    expect(await faults(small, 'session-phone')).toEqual([]);
    await small.goto(`${server.origin}/inbox`);
    await small.getByRole('article').filter({ hasText: 'npm test' }).waitFor();
    expect(await faults(small, 'inbox-phone')).toEqual([]);
    await small.context().close();
  });

  test.skipIf(pictures === undefined)(
    'every page, in the dark, on a phone and in Chinese',
    { timeout: 600_000 },
    async () => {
      const looks = {
        dark: { colorScheme: 'dark' },
        phone,
        chinese: { locale: 'zh-CN' },
        'chinese-dark-phone': {
          ...phone,
          colorScheme: 'dark',
          locale: 'zh-CN',
        },
      } as const;
      const session = new URL(address).pathname;
      const places: Readonly<Record<string, string>> = {
        'new-session': '/',
        session,
        permission: new URL(waiting).pathname,
        inbox: '/inbox',
        agents: '/agents',
        agent: '/agents/stage',
        inspector: `${session}/inspector`,
        search: '/search?q=answer',
        settings: '/settings',
        permissions: '/permissions',
        usage: '/usage',
        'machines-none': '/machines',
        recordings: '/inspector',
      };
      const found: Record<string, readonly string[]> = {};
      for (const [look, options] of Object.entries(looks)) {
        const { page: other } = await browser.openDevice({ bypassCSP: true, ...options });
        await signIn(other, server);
        for (const [name, place] of Object.entries(places)) {
          await other.goto(`${server.origin}${place}`);
          await other.getByRole('heading', { level: 1 }).first().waitFor();
          await other.waitForLoadState('networkidle');
          await other.locator('.conversation-empty').waitFor({ state: 'detached' });
          const faultsOfPage = await faults(other, `looks/${name}-${look}`);
          if (faultsOfPage.length > 0) found[`${name}-${look}`] = faultsOfPage;
        }
        await other.context().close();
      }
      expect(found).toEqual({});
    },
  );

  test('a session can be started, answered and continued with the keyboard', async () => {
    const { page: keys } = await browser.openDevice();
    await signIn(keys, server);
    await keys.getByRole('radio', { name: /stage/u }).focus();
    await keys.keyboard.press('Space');
    await keys.getByRole('textbox', { name: 'Prompt' }).focus();
    await keys.keyboard.type('ask ls -la');
    await keys.keyboard.press('Enter');
    await card(keys, 'ls -la').waitFor();
    // A key that was meant for something else must not allow anything.
    await keys.waitForTimeout(600);
    await card(keys, 'ls -la').focus();

    await keys.keyboard.press('a');

    expect(await said(keys, /^ls -la: /u)).toBe('ls -la: allowed');
    await keys.context().close();
  });

  test('with the scope observe, no button causes a request that the server would reject', async () => {
    await page.goto(waiting);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Then say what failed');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem', { name: 'Queued prompt 1' }).waitFor();
    const { page: eve } = await browser.openDevice();
    const asked = listenToRequests(eve);
    await signIn(eve, { origin: server.origin, token: server.lookToken });
    await eve.getByRole('navigation').first().waitFor();
    // The page asks this by itself, when it is connected.
    await expect.poll(() => asked).toContain('_parley/look');
    const begun = asked.length;
    const session = new URL(address).pathname;
    const places: readonly (readonly [place: string, title: string])[] = [
      ['/', 'What would you like to do?'],
      [session, 'Why is the answer wrong?'],
      [`${session}/inspector`, 'Inspector'],
      [new URL(waiting).pathname, 'Run the tests'],
      ['/inbox', 'Inbox'],
      ['/permissions', 'Permissions'],
      ['/search?q=answer', 'Search'],
      ['/agents', 'Agents'],
      ['/agents/stage', 'stage'],
      ['/usage', 'Usage'],
      ['/machines', 'Machines'],
      ['/settings', 'Settings'],
      ['/inspector', 'Inspector'],
    ];
    for (const [place, title] of places) {
      await eve.evaluate(`history.pushState(null, '', ${JSON.stringify(place)})`);
      await eve.getByRole('heading', { level: 1, name: title }).waitFor();
      if (title === 'Run the tests') {
        await eve.getByRole('region', { name: 'Awaiting a response' }).waitFor();
        await eve
          .getByRole('listitem', { name: 'Queued prompt 1' })
          .getByText('Then say what failed')
          .waitFor();
        expect(await eve.getByText(/needs? your input/iu).count()).toBe(0);
        await eve.getByText('npm test').first().waitFor();
        expect(await eve.getByRole('button', { name: /Allow|Reject|Always|Stop|Queue/u }).count()).toBe(0);
      }
      expect(await eve.evaluate<number>(pressEverything)).toBeGreaterThan(0);
    }

    expect(asked.slice(begun)).toEqual([]);
    expect(await eve.getByRole('link', { name: 'New session' }).count()).toBe(0);
  });
});

/** What a page asks for that changes something, as it asks for it. */
function listenToRequests(page: Page): readonly string[] {
  const looks: ReadonlySet<string> = new Set<string>([
    'initialize',
    hubMethods.attend,
    agentMethods.find,
    hubMethods.watch,
    hubMethods.unwatch,
    hubMethods.watchFrames,
    hubMethods.unwatchFrames,
    hubMethods.answers,
    hubMethods.machines,
    // Marks are those of the token itself.
    hubMethods.mark,
    changesMethods.diffChanges,
    changesMethods.changedContent,
  ]);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const [, method] = /"method":"([^"]+)"/u.exec(String(payload)) ?? [];
      if (method !== undefined && !looks.has(method)) asked.push(method);
    });
  });
  return asked;
}

/** The distances, in pixels, between a checkbox and what follows or precedes it: one number if all are the same. */
const spacesOfCheckboxes = `(() => {
  const labels = [...document.querySelectorAll('.settings label:has(> [type=checkbox])')];
  const spaces = labels.flatMap((label) => {
    const before = label.previousElementSibling;
    if (before === null) return [];
    return [Math.round(label.getBoundingClientRect().top - before.getBoundingClientRect().bottom)];
  });
  return [...new Set(spaces)];
})()`;

/** Presses each button, and those that come up by that; but not the one that ends it all. */
const pressEverything = `(async () => {
  const pressed = new Set();
  for (let round = 0; round < 5; round += 1) {
    const buttons = [...document.querySelectorAll('button:enabled, [role=menuitem]')];
    const next = buttons.filter((button) => !pressed.has(button) && button.textContent !== 'Sign out');
    for (const button of next) {
      pressed.add(button);
      button.click();
    }
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }
  return pressed.size;
})()`;
