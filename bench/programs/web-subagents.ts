import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { WebSocketServer } from 'ws';
import { onLines } from './lines.ts';
import { inChromium, signIn, withParley } from './web-page.ts';

// Watches many sub-agents at work in Chromium: in the interface that `parley serve` serves, or in a page that gets the agent's lines over a
// WebSocket, stores the words of each sub-agent, and shows thirty of them and how many work.

const [, , what = '', executablePath = '', agent = '', count = '', home = '', command = ''] = process.argv;

const barePage = `<!doctype html><meta charset="utf-8"><h2></h2><ul></ul><script>
const all = new Map();
let isAsked = false;
const show = () => {
  isAsked = false;
  const each = [...all.values()];
  document.querySelector('h2').textContent = each.filter(({ works }) => works).length + ' of ' + each.length + ' working';
  document.querySelector('ul').replaceChildren(...each.slice(0, 30).map(({ words }) => {
    const line = document.createElement('li');
    line.textContent = words.slice(-80);
    return line;
  }));
};
new WebSocket('ws://' + location.host).onmessage = ({ data }) => {
  for (const line of data.split('\\n')) {
    const { sessionId, update } = JSON.parse(line).params ?? {};
    if (update === undefined) continue;
    if (update.sessionUpdate === 'subagent_update') {
      const before = all.get(update.sessionId) ?? { words: '' };
      all.set(update.sessionId, { ...before, works: update.state.state === 'running' });
    } else all.get(sessionId).words += update.content.text;
  }
  if (!isAsked) requestAnimationFrame(show);
  isAsked = true;
};</script>`;

/** Put into a page: remembers how long it could not draw, and how far frames are apart. */
const watchFrames = `
  globalThis.longest = 0;
  globalThis.blocked = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      globalThis.longest = Math.max(globalThis.longest, duration);
      globalThis.blocked += duration - 50;
    }
  }).observe({ type: 'longtask', buffered: true });
  globalThis.frames = [];
  let before = performance.now();
  const next = (now) => {
    globalThis.frames.push(now - before);
    before = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);`;

await inChromium(executablePath, async (page) => {
  await page.addInitScript(watchFrames);
  console.log(JSON.stringify(await (what === 'ours' ? watchOurs(page) : watchLimit(page))));
});

interface Watched {
  /** From the prompt until no sub-agent works. */
  readonly allMs: number;
  readonly longestTaskMs: number;
  /** The parts of tasks beyond 50 ms, in all. */
  readonly blockedMs: number;
  readonly frameMs: number;
  readonly heapBytes: number;
}

function watchOurs(page: Page): Promise<Watched> {
  return withParley({ command, home }, async (server) => {
    await signIn(page, server);
    await page.getByRole('radio', { name: /busy/u }).check();
    await page.getByRole('textbox', { name: 'Prompt' }).fill(count);
    return watch(page, async () => {
      await page.keyboard.press('Enter');
    });
  });
}

async function watchLimit(page: Page): Promise<Watched> {
  const http = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(barePage);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const sockets = new WebSocketServer({ server: http });
  const child = spawn(process.execPath, [agent], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    sockets.once('connection', (socket) => {
      onLines(child.stdout, (lines) => socket.send(lines.join('\n')));
      const prompt = [{ type: 'text', text: count }];
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'session/prompt', params: { prompt } })}\n`,
      );
    });
    const { port } = http.address() as AddressInfo;
    return await watch(page, async () => {
      await page.goto(`http://127.0.0.1:${String(port)}/`);
    });
  } finally {
    child.kill();
    for (const socket of sockets.clients) socket.terminate();
    http.close();
  }
}

/** Begins the work, and waits until it is shown that no sub-agent works. */
async function watch(page: Page, begin: () => Promise<void>): Promise<Watched> {
  const begun = performance.now();
  await page.evaluate('globalThis.longest = globalThis.blocked = 0, globalThis.frames.length = 0');
  await begin();
  const done = `0 of ${String(Math.ceil(Number(count) / 100))} working`;
  await page.waitForFunction(
    `[...document.querySelectorAll('h2')].some(({ textContent }) => textContent.includes(${JSON.stringify(done)}))`,
    undefined,
    { polling: 100, timeout: 240_000 },
  );
  const allMs = performance.now() - begun;
  const [longestTaskMs = 0, blockedMs = 0] = await page.evaluate<number[]>(
    '[globalThis.longest, globalThis.blocked]',
  );
  const times = (await page.evaluate<number[]>('globalThis.frames')).toSorted((left, right) => left - right);
  const heapBytes = Number(await page.evaluate('globalThis.gc?.(), performance.memory.usedJSHeapSize'));
  return { allMs, longestTaskMs, blockedMs, frameMs: times[Math.floor(times.length * 0.95)] ?? 0, heapBytes };
}
