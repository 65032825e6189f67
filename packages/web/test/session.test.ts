import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findSandboxEngine } from '@parley/workspace/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBrowser, type Device, type TestBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { answer, beginSession, card, conversation, said, send, signIn, turnEnd } from './page-user.ts';
import { startServer, type TestServer } from './serve.ts';

describe.skipIf(chromium === undefined)('a session in the browser', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let device: Device;

  beforeAll(async () => {
    [browser, server] = await Promise.all([
      openBrowser(),
      startServer({ sandboxes: { parley: { mode: 'workspace', autoApprove: true } } }),
    ]);
  });

  beforeEach(async () => {
    device = await browser.reuseDevice();
    await signIn(device.page, server);
  });

  afterEach((context) => browser.closeDevices(context));

  afterAll(() => Promise.all([browser[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

  test('two questions are answered one by one, and the other tab shows the answers and who gave them', async () => {
    const { page } = device;
    const address = await beginSession(page, 'ask npm test, rm -rf build');
    await card(page, 'npm test').waitFor();
    const other = await device.openTab();
    await other.goto(address);

    await answer(page, 'npm test', /^Allow/u);
    await answer(other, 'rm -rf build', /^Reject/u);
    await turnEnd(page);

    for (const tab of [page, other]) {
      const feed = conversation(tab);
      await feed.getByText('npm test: allowed').waitFor();
      await feed.getByText('rm -rf build: rejected').waitFor();
      expect(await card(tab, 'npm').count()).toBe(0);
    }
    await conversation(other)
      .getByRole('button', { name: /rm -rf build/u })
      .click();
    await conversation(other).getByText(/owner/u).first().waitFor();
    expect(device.problems).toEqual([]);
  });

  test('the badge of a sandboxed session says that commands need no permission, and one runs without', async ({
    skip,
  }) => {
    if ((await findSandboxEngine({ projects: [] })).name === 'none') skip();
    const { page } = device;
    await beginSession(page, 'run echo held', /^parley/iu);
    const badge = page.getByText('Sandbox: workspace, commands approved');
    await badge.waitFor();
    expect(await badge.getAttribute('title')).toContain('Commands inside need no permission.');
    await turnEnd(page);
    expect(await card(page, 'echo held').count()).toBe(0);
    await conversation(page).getByText(/held/u).first().waitFor();
  });

  test('reloading in the middle of a turn shows all of it, and nothing twice', async () => {
    const { page } = device;
    await beginSession(page, 'words 150');
    await conversation(page)
      .getByText(/word20 /u)
      .waitFor();

    await page.reload();
    await conversation(page)
      .getByText(/word149 word150/u)
      .waitFor();
    await turnEnd(page);

    const text = (await conversation(page).textContent()) ?? '';
    const words = [...text.matchAll(/word(\d+)/gu)].map(([, word]) => Number(word));
    expect(words).toEqual(Array.from({ length: 150 }, (_, index) => index + 1));
  });

  test('a prompt that begins a turn is in sight, even if its user was reading further up', async () => {
    const { page } = device;
    await beginSession(page, Array.from({ length: 60 }, (_, index) => `say ${String(index)}`).join('\n'));
    await turnEnd(page);
    await conversation(page).hover();
    await page.mouse.wheel(0, -20_000);
    const latest = page.getByRole('button', { name: 'Jump to latest' });
    await latest.waitFor();

    await send(page, 'say here it is');
    await expect.poll(() => conversation(page).getByText('here it is', { exact: true }).count()).toBe(1);
    await turnEnd(page);
    expect(await latest.count()).toBe(0);
  });

  test('a prompt sent during a turn is queued, can be edited, and is sent after it', async () => {
    const { page } = device;
    await beginSession(page, 'wait');
    await page.getByRole('button', { name: 'Stop' }).waitFor();

    await send(page, 'say the one after');
    await page.getByText('say the one after').first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: /resume queue/iu }).click();

    expect(await said(page, 'the one after')).toBe('the one after');
  });

  test('a queued prompt is sent now by its button, or the first by a key, which stops the running turn', async () => {
    const { page } = device;
    await beginSession(page, 'wait');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await send(page, 'say the first\nwait');
    await page.getByRole('listitem', { name: 'Queued prompt 1' }).waitFor();
    await send(page, 'say the second');

    await page.getByRole('button', { name: 'Send now: Queued prompt 2' }).click();
    expect(await said(page, 'the second')).toBe('the second');
    await said(page, 'the first');
    await send(page, 'say the third');
    await page.getByRole('listitem', { name: 'Queued prompt 1' }).waitFor();
    await page.getByRole('textbox', { name: 'Prompt' }).press('Alt+Enter');

    expect(await said(page, 'the third')).toBe('the third');
    await turnEnd(page);
    expect(await page.getByRole('button', { name: 'Resume queue' }).count()).toBe(0);
  });

  test('agent output never becomes active content, nothing it links to is fetched, an Arabic paragraph is right-aligned, and the last lines of a command stay visible', async () => {
    const { page, problems } = device;
    await beginSession(page, `markdown\nrun seq 6\nsay ${arabic}`);
    await answer(page, 'seq 6', /^Allow/u);
    await turnEnd(page);

    const feed = conversation(page);
    await feed.getByRole('heading', { name: 'Heading' }).waitFor();
    expect(await page.title()).not.toContain('owned');
    expect(await feed.locator('script, iframe, img[src^="http"], a[href^="javascript:"]').count()).toBe(0);
    const link = feed.getByRole('link', { name: /^link/u });
    expect(await link.getAttribute('rel')).toMatch(/noopener/u);
    await feed.getByText(arabic, { exact: true }).waitFor();
    expect(await page.evaluate<number>(spaceAfterArabic)).toBeLessThan(2);
    const command = feed.getByRole('button', { name: /^Run: seq 6/u });
    expect(await command.getAttribute('aria-expanded')).toBe('false');
    await feed.getByText('3 4 5 6', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test('an agent killed during a turn is restarted, the outcome of the turn is unknown, and the session continues', async () => {
    const { page } = device;
    await beginSession(page, 'say before\ncrash');

    await conversation(page).getByText('before', { exact: true }).waitFor();
    const feed = conversation(page);
    await feed.getByText('The agent was ended by SIGKILL.').waitFor();
    await feed.getByText('The agent was restarted and resumed the session.').waitFor();
    await feed.getByText(/^The turn failed \(agent-exited\)/u).waitFor();
    await send(page, 'say after');

    expect(await said(page, 'after')).toBe('after');
    expect(await said(page, 'before')).toBe('before');
  });

  test('an agent that cannot be restarted is retried with a countdown, then left, until the user restarts it', async () => {
    const { page } = device;
    await beginSession(page, 'break');
    const notice = page.getByRole('region', { name: 'Session status' });

    await notice.getByText('Restarting Stage soon (attempt 4 of 5)').waitFor();
    await notice.getByText(/^in \d+ s$/u).waitFor();
    await notice.getByText('The agent exited with status 3.').waitFor();
    await notice.getByText('A turn was running. Its prompt is not sent again automatically.').waitFor();
    await notice.getByText('Stage ended unexpectedly.').waitFor();
    await notice.getByText(/broken-stage: cannot start/u).waitFor();
    await rm(path.join(server.workspace, 'broken-stage'));
    await notice.getByRole('button', { name: 'Restart' }).click();
    await notice.waitFor({ state: 'detached' });
    await send(page, 'say fixed');

    expect(await said(page, 'fixed')).toBe('fixed');
  });

  test('killing the server loses nothing, and the next prompt after a restart resumes the session', async () => {
    const { page } = device;
    await beginSession(page, 'say from before');
    await said(page, 'from before');
    await turnEnd(page);
    await send(page, 'ask npm test');
    await card(page, 'npm test').waitFor();

    await server.restart('SIGKILL');
    const interruptions = page.getByText(/Parley stopped (?:during|here)/u);
    await interruptions.first().waitFor();
    expect(await interruptions.count()).toBe(1);
    expect(await page.locator('.activity, .spinning').count()).toBe(0);
    await card(page, 'npm test').waitFor({ state: 'detached' });
    await send(page, 'say from after');

    expect(await said(page, 'from after')).toBe('from after');
    expect(await said(page, 'from before')).toBe('from before');
  });

  test('a form from an agent can be filled in, and is validated', async () => {
    const { page } = device;
    await beginSession(page, 'form');

    const form = page.getByRole('region', { name: 'Needs your input' });
    await form.getByLabel('Name').fill('x');
    await form.getByRole('radio', { name: 'there', exact: true }).check();
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('Enter at least 2 characters.').first().waitFor();
    await form.getByLabel('Name').fill('xyz');
    // The message has moved the form: a click that comes too soon after that is ignored.
    const sendButton = form.getByRole('button', { name: 'Send' });
    await expect
      .poll(async () =>
        sendButton.click({ timeout: 1000 }).then(
          () => sendButton.count(),
          () => sendButton.count(),
        ),
      )
      .toBe(0);

    expect(await said(page, /"name":"xyz"/u)).toContain('"place":"there"');
    expect(await conversation(page).getByText('Where shall it go?').textContent()).toContain('xyz, there');
  });

  test('an image reaches the agent with the prompt that was sent while it was being read, unless the prompt is withdrawn', async () => {
    const { page } = device;
    await beginSession(page, 'say ready');
    await turnEnd(page);

    // The file is read when the test says so.
    await page.evaluate(`{
      const read = FileReader.prototype.readAsDataURL;
      FileReader.prototype.readAsDataURL = function (file) {
        globalThis.readNow = () => read.call(this, file);
      };
    }`);
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'dot.png',
        mimeType: 'image/png',
        buffer: Buffer.from(
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
          'base64',
        ),
      });
    await page.getByText('Reading 1 file').waitFor();
    await send(page, 'say look');
    await page.getByText('Sends when 1 file has been read.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Reading 1 file').waitFor();
    await page.getByRole('textbox', { name: 'Prompt' }).press('Enter');
    await page.getByRole('button', { name: 'Don’t send yet' }).waitFor();
    await page.evaluate('readNow()');

    expect(await said(page, 'I see 1 image.')).toBe('I see 1 image.');
  });

  test('the prompt box completes every command by name', async () => {
    const { page } = device;
    await beginSession(page, 'say a marmot');
    await turnEnd(page);
    const box = page.getByRole('textbox', { name: 'Prompt' });
    // The session list behind it has a selected option as well, once the sessions have two agents.
    const palette = page.getByRole('dialog', { name: 'Commands' });
    const choose = async (words: string, label: string): Promise<void> => {
      await page.keyboard.press('Control+K');
      await palette.getByRole('combobox', { name: 'Commands' }).fill(words);
      await palette.getByRole('option', { name: label, selected: true }).waitFor();
      await page.keyboard.press('Enter');
    };
    await box.focus();
    await page.keyboard.press('Control+K');
    await palette.getByRole('combobox', { name: 'Commands' }).press('Enter');
    expect(await palette.getByRole('option', { selected: true }).count()).toBe(0);
    await page.keyboard.press('Control+K');
    await palette.waitFor({ state: 'detached' });

    await choose('careful', 'Careful: On');
    await page.getByRole('switch', { name: 'Careful', checked: true }).waitFor();
    await choose('rev', '/review');
    await expect.poll(() => box.inputValue()).toBe('/review ');
    await box.fill('');
    await choose('theme dark', 'Theme: Dark');
    await page.locator('html[data-theme=dark]').waitFor();
    await send(page, 'wait');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await choose('stop', 'Stop');
    await turnEnd(page);
    await choose('new session stage', 'New session with stage');

    await page.getByRole('heading', { level: 1, name: 'What would you like to do?' }).waitFor();
    expect(await page.getByRole('radio', { name: /stage/u }).isChecked()).toBe(true);
    await choose('marmot', 'say a marmot');
    await said(page, 'a marmot');
  });

  test('@ completes files, / completes commands', async () => {
    const { page } = device;
    await mkdir(path.join(server.workspace, 'src'), { recursive: true });
    await writeFile(path.join(server.workspace, 'src', 'answer.ts'), 'export const answer = 42;\n');
    const box = page
      .getByRole('textbox', { name: 'Prompt' })
      .or(page.getByRole('combobox', { name: 'Prompt' }));
    await box.first().pressSequentially('say @answ');
    await page.getByRole('option', { name: /answer\.ts/u }).click();
    expect(await box.first().inputValue()).toContain('answer.ts');
    await beginSession(page, 'say ready');
    await turnEnd(page);

    await box.first().fill('/re');
    await page.getByRole('option', { name: /review/u }).waitFor();
    await box.first().fill('');
    await box.first().pressSequentially('say @answ');
    await page.getByRole('option', { name: /answer\.ts/u }).click();

    expect(await box.first().inputValue()).toContain('answer.ts');
  });
});

const arabic = 'الجواب هو 42، والاختبار يؤكد ذلك.';

/** The pixels between the right edges of the Arabic text and of its paragraph. */
const spaceAfterArabic = `(() => {
  const paragraphs = [...document.querySelectorAll('[role=feed] p')];
  const paragraph = paragraphs.find(({ textContent }) => textContent === '${arabic}');
  const text = document.createRange();
  text.selectNodeContents(paragraph);
  return paragraph.getBoundingClientRect().right - text.getBoundingClientRect().right;
})()`;
