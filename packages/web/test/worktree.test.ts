import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { chromium } from './chromium.ts';
import { said, signIn } from './page-user.ts';
import { startServer } from './serve.ts';

describe.skipIf(chromium === undefined)('a worktree', () => {
  test('a session begins in a worktree, which its page names; where there is no repository, the page says so', async () => {
    await using server = await startServer();
    await using browser = await openBrowser();
    const { page } = await browser.openDevice();
    await signIn(page, server);
    const git = (...words: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], {
        cwd: server.workspace,
        encoding: 'utf8',
      });

    await page.getByRole('radio', { name: /Parley/u }).check();
    await page.getByRole('checkbox', { name: 'In a worktree' }).check();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('say: too early');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('is in no git working tree').first().waitFor();
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    await page.reload();
    await page.getByRole('checkbox', { name: 'In a worktree' }).check();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('say: hello');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL(/\/sessions\//u);
    await said(page, 'hello');

    const [, branch = ''] = /parley\/([\w-]+)/u.exec(git('branch', '--list', 'parley/*')) ?? [];
    await page.getByText(`Worktree ${branch}`).first().waitFor();
    expect(branch).not.toBe('');
  });
});
