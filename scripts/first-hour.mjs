import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

// node scripts/first-hour.mjs [--installed] [--pictures FOLDER]
//
// Counts and times the steps of a new user: from npm ci in a fresh copy of HEAD to the first answered prompt in the page, and from
// there to the first turn of Claude Code, whose adapter is installed from the npm registry and whose model provider is a server of
// this script. --installed uses this checkout instead of a copy, and skips npm ci. Needs Chromium (CHROMIUM_PATH), and a network
// for the packages.

const args = process.argv.slice(2);
const isInstalled = args.includes('--installed');
const pictures = args.includes('--pictures') ? args[args.indexOf('--pictures') + 1] : undefined;
const root = fileURLToPath(new URL('..', import.meta.url));
const answer = 'The local provider answers.';
/** A step waits at most this long for its result. */
const patienceMs = 300_000;

/** @type {import('playwright-core').Page | undefined} */
let openedPage;

const folder = await mkdtemp(join(tmpdir(), 'parley-first-hour-'));
/** @type {(() => unknown)[]} Run in reverse order at the end. */
const endings = [() => rm(folder, { recursive: true, force: true })];
/** @type {{ part: string, step: string, seconds: number }[]} */
const steps = [];
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void endAll().finally(() => process.exit(1)));
}
try {
  await firstHour();
} finally {
  await endAll();
}
print();

async function endAll() {
  for (const end of endings.splice(0).toReversed()) await end();
}

async function firstHour() {
  const checkout = isInstalled ? root : join(folder, 'parley');
  const page = await openPage();
  const provider = await openProvider();
  // A user without credentials or API keys, whose npm has the cache of this machine.
  const variables = {
    ...Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => !/^(?:ANTHROPIC|OPENAI|GEMINI|CLAUDE|LLM|PARLEY)_/u.test(name),
      ),
    ),
    HOME: join(folder, 'home'),
    npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
    ANTHROPIC_BASE_URL: provider,
    // Claude Code refuses to run as root, except in a container.
    ...(process.getuid?.() === 0 && { IS_SANDBOX: '1' }),
  };
  await mkdir(variables.HOME);

  const toPrompt = 'npm ci to the first answered prompt';
  if (!isInstalled) {
    const copied = spawnSync(
      'sh',
      ['-c', 'mkdir "$1" && git archive HEAD | tar -x -C "$1"', 'sh', checkout],
      {
        cwd: root,
        stdio: 'inherit',
      },
    );
    if (copied.status !== 0) throw new Error('Could not copy HEAD');
    await step(toPrompt, 'run `npm ci`', async () => {
      const install = spawn('npm', ['ci', '--no-audit', '--no-fund'], {
        cwd: checkout,
        env: variables,
        stdio: 'ignore',
      });
      const [status] = await once(install, 'close');
      if (status !== 0) throw new Error(`npm ci exited with status ${status}`);
    });
  }
  const address = await step(toPrompt, 'run `npm start`', () => start(checkout, variables));
  await step(toPrompt, 'open the printed URL', async () => {
    await page.goto(address);
    await page.getByRole('textbox', { name: 'Prompt' }).waitFor();
  });
  await step(toPrompt, 'enter a prompt', () =>
    page.getByRole('textbox', { name: 'Prompt' }).fill('say: hello'),
  );
  await step(toPrompt, 'press _Start_', async () => {
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('feed').getByText('hello', { exact: true }).last().waitFor();
    await page.getByRole('button', { name: 'Send' }).waitFor();
  });

  const toClaude = 'the first turn of Claude Code';
  await step(toClaude, 'press _New session_ and open the list of available agents', async () => {
    await page.goto(new URL('/', page.url()).href);
    await page.getByText(/more agents? available/u).click();
  });
  await step(toClaude, 'press _Use it_ next to Claude Code', async () => {
    await page.getByRole('button', { name: 'Use it Claude Code' }).click();
    const failure = page.getByRole('alert').filter({ hasText: /\S/u });
    await page
      .getByRole('radio', { name: /Claude Code/u })
      .or(failure)
      .first()
      .waitFor();
    if ((await failure.count()) > 0) throw new Error((await failure.allTextContents()).join(' '));
    await page.getByText('Sign-in required.', { exact: true }).waitFor();
  });
  await step(toClaude, 'enter an API key', () =>
    page.getByRole('textbox', { name: 'ANTHROPIC_API_KEY' }).fill('sk-local'),
  );
  await step(toClaude, 'press _Sign in_', async () => {
    await page.getByRole('button', { name: 'Sign in: ANTHROPIC_API_KEY' }).click();
    await page.getByText('Sign-in required.', { exact: true }).waitFor({ state: 'detached' });
  });
  await step(toClaude, 'enter a prompt', () => page.getByRole('textbox', { name: 'Prompt' }).fill('hello'));
  await step(toClaude, 'press _Start_', async () => {
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('feed').getByText(answer, { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Send' }).waitFor();
  });
}

/**
 * @template T
 * @param {string} part
 * @param {string} name
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
async function step(part, name, run) {
  const begin = performance.now();
  try {
    return await run();
  } catch (error) {
    throw new Error(`Step failed: ${name}`, { cause: error });
  } finally {
    steps.push({ part, step: name, seconds: (performance.now() - begin) / 1000 });
    if (pictures !== undefined) await openedPage?.screenshot({ path: join(pictures, `${steps.length}.png`) });
  }
}

/**
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} The URL that the server prints.
 */
async function start(cwd, env) {
  // In a process group of its own, which ends with the server.
  const server = spawn('npm', ['start', '--', '--port', '0', '--workspace', env['HOME'] ?? cwd], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endings.push(async () => {
    if (server.pid === undefined || server.exitCode !== null) return;
    const closed = once(server, 'close');
    process.kill(-server.pid, 'SIGTERM');
    await closed;
  });
  const said = [];
  server.stderr.on('data', (chunk) => said.push(chunk));
  for await (const line of createInterface({ input: server.stdout })) {
    said.push(`${line}\n`);
    const url = /https?:\/\/\S+\?code=\S+/u.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`No URL was printed:\n${said.join('')}`);
}

async function openPage() {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  endings.push(() => browser.close());
  openedPage = await browser.newPage();
  openedPage.setDefaultTimeout(patienceMs);
  return openedPage;
}

/** A server that speaks the messages API of Anthropic, and always gives the same answer. */
async function openProvider() {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname.endsWith('/count_tokens')) return json(response, { input_tokens: 1 });
      if (!pathname.endsWith('/messages')) return json(response, {});
      const message = {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'local',
        stop_sequence: null,
      };
      const usage = { input_tokens: 1, output_tokens: 1 };
      if (JSON.parse(body).stream !== true) {
        const content = [{ type: 'text', text: answer }];
        return json(response, { ...message, content, stop_reason: 'end_turn', usage });
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of [
        { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: answer } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
        { type: 'message_stop' },
      ]) {
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      return response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {unknown} value
 */
function json(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** Prints a table for docs/performance.md. */
function print() {
  console.log('| To | Step | Seconds |\n| --- | --- | --- |');
  for (const { part, step: name, seconds } of steps) {
    console.log(`| ${part} | ${name} | ${seconds.toFixed(1)} |`);
  }
  for (const part of new Set(steps.map((each) => each.part))) {
    const own = steps.filter((each) => each.part === part);
    const sum = own.reduce((total, { seconds }) => total + seconds, 0);
    console.log(`${part}: ${own.length} steps, ${sum.toFixed(1)} s`);
  }
}
