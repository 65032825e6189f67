import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { inChromium, signIn, withParley } from './web-page.ts';

// Opens the changes of a turn in Chromium, and scrolls through them: in the interface that `parley serve` serves, or in a page that shows
// as many lines as plain text, each in an element, without styles.

const [, , what = '', executablePath = '', home = '', command = '', agent = '', files = '', lines = ''] =
  process.argv;

interface Measured {
  /** From the navigation until the first file is displayed. */
  readonly openMs: number;
  /** The longest task while the changes are opened, and while they are scrolled. */
  readonly longestTaskMs: number;
  readonly scrollTaskMs: number;
  /** The 95th percentile while scrolling. */
  readonly frameMs: number;
}

await inChromium(executablePath, async (page) => {
  console.log(JSON.stringify(what === 'ours' ? await measureOurs(page) : await measureLimit(page)));
});

async function measureOurs(page: Page): Promise<Measured> {
  const workspace = join(home, 'work');
  await mkdir(workspace, { recursive: true });
  const agents = { changing: { command: process.execPath, args: [agent] } };
  await writeFile(join(home, 'config.json'), JSON.stringify({ agents }));
  const parley = async (...args: readonly string[]): Promise<string> => {
    const env = { ...process.env, PARLEY_HOME: home };
    return (await promisify(execFile)(process.execPath, [command, ...args], { cwd: workspace, env })).stdout;
  };
  await parley('run', '--agent', 'changing', `${files} ${lines}`);
  const { sessionId }: { readonly sessionId: string } = JSON.parse(await parley('changes', 'list', '--json'));
  return await withParley({ command, home }, async (server) => {
    await signIn(page, server);
    const address = `${server.origin}/sessions/${sessionId}?changes`;
    return await measure(page, { address, scroller: '.changes-scroll', row: '.changes-scroll [data-row]' });
  });
}

/** A list that makes only the lines that can be seen. */
const barePage = `<!doctype html><meta charset="utf-8"><style>body{margin:0}#list{height:100vh;overflow:auto}
#all{position:relative}p{position:absolute;margin:0;height:20px;font:13px monospace}</style><div id="list"><div id="all"></div></div><script>
fetch('/lines.json').then((answer) => answer.json()).then((lines) => {
  const list = document.querySelector('#list'), all = document.querySelector('#all');
  all.style.height = lines.length * 20 + 'px';
  const show = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / 20) - 20);
    all.replaceChildren(...lines.slice(first, first + 80).map((text, index) => {
      const line = document.createElement('p');
      line.textContent = text;
      line.style.top = (first + index) * 20 + 'px';
      return line;
    }));
  };
  list.addEventListener('scroll', show);
  show();
});</script>`;

async function measureLimit(page: Page): Promise<Measured> {
  const all = Array.from({ length: Number(lines) + Number(files) * 5 }, (_, index) => `+const long${index};`);
  const server = createServer((request, response) => {
    if (request.url !== '/lines.json') response.setHeader('content-type', 'text/html').end(barePage);
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(all));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const address = `http://127.0.0.1:${String(port)}/`;
    return await measure(page, { address, scroller: '#list', row: '#list p' });
  } finally {
    server.close();
  }
}

interface Shown {
  readonly address: string;
  readonly scroller: string;
  readonly row: string;
}

/** Opens the page, shows all lines, scrolls through the first ones by wheel, and to the end. */
async function measure(page: Page, { address, scroller, row }: Shown): Promise<Measured> {
  await page.addInitScript(`
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
    }).observe({ type: 'longtask', buffered: true });`);
  const begun = performance.now();
  await page.goto(address);
  await page.locator(row).first().waitFor({ timeout: 60_000 });
  const openMs = performance.now() - begun;
  const long = page.getByRole('button', { name: 'a-long.txt' });
  if ((await long.count()) > 0) await long.first().click();
  await page.waitForFunction(
    `document.querySelector(${JSON.stringify(scroller)}).scrollHeight > ${String(Number(lines) * 10)}`,
    undefined,
    { timeout: 60_000 },
  );
  await page.waitForTimeout(500);
  const longestTaskMs = Number(await page.evaluate('globalThis.longest'));
  await page.evaluate('globalThis.longest = 0');
  const box = await page.locator(scroller).boundingBox();
  await page.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 200);
  const frames = page.evaluate<number[]>(`new Promise((resolve) => {
    const frames = [];
    let before = performance.now();
    const end = before + 4000;
    const next = (now) => {
      frames.push(now - before);
      before = now;
      if (now < end) requestAnimationFrame(next); else resolve(frames);
    };
    requestAnimationFrame(next);
  })`);
  for (let turn = 0; turn < 60; turn += 1) {
    await page.mouse.wheel(0, turn < 40 ? 1500 : -1500);
    await page.waitForTimeout(30);
  }
  await page.evaluate(
    `{ const list = document.querySelector(${JSON.stringify(scroller)}); list.scrollTop = list.scrollHeight; }`,
  );
  const times = (await frames).toSorted((left, right) => left - right);
  const scrollTaskMs = Number(await page.evaluate('globalThis.longest'));
  return { openMs, longestTaskMs, scrollTaskMs, frameMs: times[Math.floor(times.length * 0.95)] ?? 0 };
}
