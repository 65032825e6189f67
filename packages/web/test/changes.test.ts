import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openBrowser, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { faults, picture } from './faults.ts';
import { beginSession, conversation, send, signIn, turnEnd } from './page-user.ts';
import { startServer, type TestServer } from './serve.ts';

/** Two places of a file that are far enough from each other for two hunks. */
const before = Array.from({ length: 30 }, (_, line) => `line ${String(line + 1)}`);
const after = before.with(2, 'line three').with(24, 'line twenty-five');

/** An image of one pixel. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe.skipIf(chromium === undefined)('the changes of a session', () => {
  let browser: TestBrowser;
  let server: TestServer;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ hasLookToken: true })]);
    const git = (...words: string[]): Promise<unknown> =>
      promisify(execFile)('git', words, { cwd: server.workspace });
    await git('init', '--quiet');
    await git('config', 'user.name', 'Ada');
    await git('config', 'user.email', 'ada@example.com');
    await mkdir(path.join(server.workspace, 'src'));
    await write('src/lines.txt', before.join('\n') + '\n');
    await write('notes.txt', 'mine\n');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'Begin');
  });

  afterEach((context) => browser.closeDevices(context));

  afterAll(() => Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

  test('are reviewed, kept, reverted, undone, redone, commented and committed, in each tab', async () => {
    const device = await browser.openDevice({ bypassCSP: true });
    const { page } = device;
    await signIn(page, server);
    const address = await beginSession(
      page,
      `write src/lines.txt ${[...after, ''].join('\\n')}\nwrite src/new.ts export const isNew = true;\\n`,
    );
    await conversation(page).getByText('Changed 2 files').waitFor();
    await turnEnd(page);
    await send(page, 'scribble notes.txt yours\\n');
    await conversation(page).getByText('Changed 1 file').waitFor();
    await turnEnd(page);
    const other = await device.openTab();
    await other.goto(`${address}?changes`);

    await page.getByRole('button', { name: 'Review turn 1' }).click();
    const panel = panelOf(page);
    await panel.getByRole('group', { name: 'src/lines.txt', exact: true }).waitFor();
    await panel.getByText('0 of 3 hunks reviewed').waitFor();
    await panelOf(other).getByText('0 of 4 hunks reviewed').waitFor();
    await panelOf(other)
      .getByRole('group', { name: 'notes.txt', exact: true })
      .getByText('Unreported')
      .waitFor();
    expect(await faults(page, 'changes')).toEqual([]);

    const [first, second] = [hunkOf(panel, 0), hunkOf(panel, 1)];
    await first.getByRole('button', { name: /^Keep:/u }).click();
    await first.getByText('Reviewed').waitFor();
    await panelOf(other).getByText('1 of 4 hunks reviewed').waitFor();
    await panel.getByLabel('Show', { exact: true }).selectOption('Whole session');
    await second.getByRole('button', { name: /^Revert:/u }).click();
    await expect.poll(() => read('src/lines.txt')).toBe([...after.with(24, 'line 25'), ''].join('\n'));
    await panelOf(other).getByText('1 of 3 hunks reviewed').waitFor();
    await panel.getByLabel('Only unreviewed').check();
    await panel.getByText('line three').waitFor({ state: 'detached' });
    await panel.getByLabel('Only unreviewed').uncheck();

    await panel.getByRole('button', { name: 'Redo', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('src/lines.txt').waitFor();
    await dialog.getByRole('button', { name: 'Redo', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => read('src/lines.txt')).toBe([...after, ''].join('\n'));

    await conversation(page).getByRole('button', { name: 'Undo turn 1' }).click();
    await dialog.getByText('src/new.ts').waitFor();
    expect(await dialog.getByText('notes.txt').count()).toBe(0);
    expect(await faults(page, 'changes-undo')).toEqual([]);
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await read('src/lines.txt')).toBe([...before, ''].join('\n'));
    expect(await read('notes.txt')).toBe('yours\n');
    await conversation(other).getByText('Undone').waitFor();
    await panel.getByRole('button', { name: 'Redo', exact: true }).click();
    await dialog.getByRole('button', { name: 'Redo', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });

    await first.getByRole('button', { name: /^Comment:/u }).click();
    await panel.getByLabel('Comment (added to your next prompt)').fill('Why three?');
    await panel.getByRole('button', { name: 'Add to prompt' }).click();
    const box = page.getByRole('textbox', { name: 'Prompt' });
    expect(await box.inputValue()).toMatch(
      /^`src\/lines\.txt:1-6`\n```diff\n[^]*\+line three\n[^]*```\nWhy three\?$/u,
    );

    await panel.getByRole('button', { name: 'Commit', exact: true }).click();
    await dialog.getByLabel('Commit message').fill('Write the lines');
    await dialog.getByRole('button', { name: 'Commit', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const { stdout } = await promisify(execFile)('git', ['show', '--name-only', '--format=%s', 'HEAD'], {
      cwd: server.workspace,
    });
    expect(
      stdout
        .trim()
        .split('\n')
        .filter((line) => line !== ''),
    ).toEqual(['Write the lines', 'src/lines.txt', 'src/new.ts']);
    expect(device.problems).toEqual([]);
  });

  test('that conflict with later edits are listed, nothing is written, and "Undo anyway" restores the old side', async () => {
    const { page } = await browser.reuseDevice();
    await signIn(page, server);
    await write('clash.txt', 'one\n');
    await beginSession(page, 'write clash.txt two\\n');
    await conversation(page).getByText('Changed 1 file').waitFor();
    await turnEnd(page);
    await write('clash.txt', 'three\n');

    await page.getByRole('button', { name: 'Undo turn 1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('alert').getByText('clash.txt').waitFor();
    expect(await read('clash.txt')).toBe('three\n');
    await dialog.getByRole('button', { name: 'Undo anyway' }).click();
    await dialog.waitFor({ state: 'detached' });

    expect(await read('clash.txt')).toBe('one\n');
  });

  test('of an image are shown before and after, and are undone only when no turn runs', async () => {
    const { page, problems } = await browser.reuseDevice();
    await signIn(page, server);
    const file = path.join(server.workspace, 'dot.png');
    await writeFile(file, Buffer.from(dot, 'base64'));
    await beginSession(page, 'paint dot.png');
    await conversation(page).getByText('Changed 1 file').waitFor();
    await turnEnd(page);
    const painted = await readFile(file, 'base64');

    await page.getByRole('button', { name: 'Review turn 1' }).click();
    const panel = panelOf(page);
    for (const [side, content] of [
      ['Before', dot],
      ['After', painted],
    ] as const) {
      const image = panel.getByRole('figure').filter({ hasText: side }).getByRole('img');
      expect(await image.getAttribute('src')).toBe(`data:image/png;base64,${content}`);
    }
    const widths = `Promise.all([...document.querySelectorAll('figure button img')].map(async (image) => {
      await image.decode();
      return image.naturalWidth;
    }))`;
    expect(await page.evaluate<number[]>(widths)).toEqual([1, 1]);
    await picture(page, 'changes-image');

    await send(page, 'wait');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await conversation(page).getByRole('button', { name: 'Undo turn 1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo turn 1?' });
    await dialog.getByRole('alert').getByText('A turn is running.').waitFor();
    const undo = dialog.getByRole('button', { name: 'Undo', exact: true });
    expect(await undo.isDisabled()).toBe(true);
    await picture(page, 'changes-running');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await readFile(file, 'base64')).toBe(painted);

    await page.getByRole('button', { name: 'Stop' }).click();
    await turnEnd(page);
    await conversation(page).getByRole('button', { name: 'Undo turn 1' }).click();
    await undo.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await readFile(file, 'base64')).toBe(dot);
    expect(problems).toEqual([]);
  });

  test('can be reviewed with the keyboard alone', async () => {
    const { page } = await browser.reuseDevice();
    await signIn(page, server);
    await beginSession(page, 'write keys.txt one\\ntwo\\n');
    await turnEnd(page);
    await page.getByRole('heading', { level: 1 }).first().click();

    await page.keyboard.press('g');
    await page.keyboard.press('c');
    const panel = panelOf(page);
    await panel.getByRole('group', { name: 'keys.txt', exact: true }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('c');
    await page.keyboard.type('Better');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('k');
    await page.keyboard.press('a');
    await panel.getByText('1 of 1 hunks reviewed').waitFor();
    await page.keyboard.press('u');
    await page.getByRole('dialog').getByText('keys.txt').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });

    const box = page.getByRole('textbox', { name: 'Prompt' });
    expect(await box.inputValue()).toBe('`keys.txt:1`\n```diff\n+one\n```\nBetter');
  });

  test('of a thousand files, or of 20,000 lines, are virtualized', async () => {
    const device = await browser.reuseDevice();
    const { page } = device;
    await signIn(page, server);
    await write('long.txt', Array.from({ length: 10_000 }, (_, line) => `old ${String(line)}\n`).join(''));
    await beginSession(page, 'flood 1000');
    await turnEnd(page);
    await page.getByRole('button', { name: 'Review turn 1' }).click();
    const panel = panelOf(page);

    await panel.getByText('1,001 files').first().waitFor();
    await panel.getByRole('button', { name: 'Modified long.txt', exact: true }).click();
    await panel.getByText('old 0', { exact: true }).waitFor();

    expect(await panel.locator('[data-row]').count()).toBeLessThan(200);
    await page.keyboard.press('Tab');
    await page.evaluate(
      "{ const box = document.querySelector('.changes-scroll'); box.scrollTop = box.scrollHeight; }",
    );
    await panel.getByRole('group', { name: 'many/999.txt', exact: true }).waitFor();
    expect(await panel.locator('[data-row]').count()).toBeLessThan(200);
    expect(device.problems).toEqual([]);
  });

  test('of a turn whose checkpoint was removed cannot be shown; those of the next turn can, and can be undone', async () => {
    const { page, problems } = await browser.openDevice({ bypassCSP: true });
    await signIn(page, server);
    const address = await beginSession(page, 'write gone.txt one\\n');
    await turnEnd(page);
    await send(page, 'write left.txt two\\n');
    await page.getByRole('button', { name: 'Review turn 2' }).waitFor();
    await turnEnd(page);
    await removeCheckpoints();

    await page.goto(`${address}?changes`);
    const panel = panelOf(page);
    const note = panel.getByRole('note');
    await note.getByText('Turn 1 cannot be shown by line or undone any more').waitFor();
    await panel.getByRole('group', { name: 'left.txt', exact: true }).waitFor();
    expect(await faults(page, 'changes-unavailable')).toEqual([]);
    await panel.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    await panel.getByText('What was changed is undone or reverted.').waitFor();
    await panel.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('dialog').getByRole('alert').getByText('its checkpoints were removed').waitFor();
    expect(problems).toEqual([]);
  });

  test('of a folder in no git repository can be undone, and a commit is not offered', async () => {
    const { page } = await browser.reuseDevice();
    await signIn(page, server);
    const [repository, aside] = [path.join(server.workspace, '.git'), path.join(server.workspace, 'aside')];
    await rename(repository, aside);
    onTestFinished(() => rename(aside, repository));
    const address = await beginSession(page, 'write plain.txt plain\\n');
    await turnEnd(page);
    await page.goto(`${address}?changes`);

    const panel = panelOf(page);
    await panel.getByText('plain', { exact: true }).waitFor();

    expect(await panel.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(1);
    expect(await panel.getByRole('button', { name: 'Commit', exact: true }).count()).toBe(0);
  });

  test('are read-only with the scope observe', async () => {
    const { page } = await browser.reuseDevice();
    await signIn(page, server);
    const address = await beginSession(page, 'write seen.txt seen\\n');
    await turnEnd(page);
    const { page: eve } = await browser.openDevice();
    await signIn(eve, { origin: server.origin, token: server.lookToken });
    await eve.goto(`${address}?changes`);

    const panel = panelOf(eve);
    await panel.getByText('seen', { exact: true }).waitFor();

    expect(await panel.getByRole('button', { name: /Keep|Revert|Undo|Redo|Commit|Comment/u }).count()).toBe(
      0,
    );
  });

  test('say why there are none, in the dark theme, on a phone and in Chinese', async () => {
    const device = await browser.openDevice({
      bypassCSP: true,
      colorScheme: 'dark',
      locale: 'zh-CN',
      viewport: { width: 360, height: 740 },
    });
    const { page } = device;
    await signIn(page, server);
    await page.getByRole('radio', { name: /stage/u }).check();
    await page.getByRole('textbox').fill('say nothing');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sessions\//u);
    await page.getByRole('button', { name: '更改', exact: true }).click();
    await page.getByText('没有更改').waitFor();
    expect(await faults(page, 'changes-none')).toEqual([]);
    await page.getByRole('button', { name: '更改', exact: true }).click();
    await page.getByRole('textbox').fill('write phone.txt one\\ntwo\\n');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '审阅第 2 轮' }).click();
    await page.getByText('two', { exact: true }).waitFor();
    expect(await faults(page, 'changes-phone')).toEqual([]);
  });

  function write(name: string, text: string): Promise<void> {
    return writeFile(path.join(server.workspace, name), text);
  }

  /** Removes all checkpoints but those around the last turn. */
  async function removeCheckpoints(): Promise<void> {
    const stores = path.join(server.env['PARLEY_HOME'] ?? '', 'checkpoints');
    const name = (await readdir(stores)).find((each) => /^[\da-f]{32}$/u.test(each)) ?? '';
    const file = path.join(stores, name, 'checkpoints.json');
    const all = JSON.parse(await readFile(file, 'utf8')) as readonly unknown[];
    await writeFile(file, JSON.stringify(all.slice(-2)));
  }

  function read(name: string): Promise<string> {
    return readFile(path.join(server.workspace, name), 'utf8');
  }
});

function panelOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Changes', exact: true });
}

/** A hunk of the first file of two. */
function hunkOf(panel: Locator, index: number): Locator {
  return panel.getByRole('group', { name: /^Hunk .*src\/lines\.txt$/u }).nth(index);
}
