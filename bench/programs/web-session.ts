import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { inChromium, signIn, withParley } from './web-page.ts';

// Opens a long session in Chromium, and scrolls through it: in the interface that `parley serve` serves, or in a page that
// fetches the same events as one document and shows as little of each as can be.

const [, , what = '', executablePath = '', home = '', key = '', command = ''] = process.argv;

/** Parses all, and shows the last hundred, each as a line, in a list as high as all would be. */
const barePage = `<!doctype html><meta charset="utf-8"><style>body{margin:0}#list{height:100vh;overflow:auto}
#all{position:relative}p{position:absolute;margin:0;height:40px}</style><div id="list"><div id="all"></div></div><script>
fetch('/events.json').then((answer) => answer.json()).then((events) => {
  const list = document.querySelector('#list'), all = document.querySelector('#all');
  all.style.height = events.length * 40 + 'px';
  const show = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / 40) - 5);
    all.replaceChildren(...events.slice(first, first + 30).map((event, index) => {
      const line = document.createElement('p');
      line.textContent = JSON.stringify(event);
      line.style.top = (first + index) * 40 + 'px';
      return line;
    }));
  };
  list.addEventListener('scroll', show);
  list.scrollTop = list.scrollHeight;
  show();
});</script>`;

await inChromium(executablePath, async (page) => {
  console.log(JSON.stringify(what === 'ours' ? await measureOurs(page) : await measureLimit(page)));
});

interface Measured {
  /** From the navigation until the end of the session is on the screen. */
  readonly openMs: number;
  /** The longest time in which nothing could be drawn meanwhile. */
  readonly longestTaskMs: number;
  readonly frameMs: number;
  readonly heapBytes: number;
}

function measureOurs(page: Page): Promise<Measured> {
  return withParley({ command, home }, async (server) => {
    await signIn(page, server);
    return measure(
      page,
      `${server.origin}/sessions/${key}`,
      '[role=feed]',
      '[role=feed] [role=article], [role=feed] article',
    );
  });
}

async function measureLimit(page: Page): Promise<Measured> {
  const events = await readFile(join(home, 'events.json'));
  const server: Server = createServer((request, response) => {
    if (request.url === '/events.json') response.setHeader('content-type', 'application/json').end(events);
    else response.setHeader('content-type', 'text/html').end(barePage);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    return await measure(page, `http://127.0.0.1:${String(port)}/`, '#list', '#list p');
  } finally {
    server.close();
  }
}

/** Opens a page, waits until what is last is there, and scrolls. */
async function measure(page: Page, address: string, list: string, entry: string): Promise<Measured> {
  await page.addInitScript(`
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
    }).observe({ type: 'longtask', buffered: true });`);
  const begun = performance.now();
  await page.goto(address);
  // All is there when the list has its last entry in sight, and grows no more.
  await page.waitForFunction(
    `(() => {
      const list = document.querySelector(${JSON.stringify(list)});
      if (list === null || list.closest('[aria-busy=true]') !== null || document.querySelector(${JSON.stringify(entry)}) === null) return false;
      const box = scrollerOf(list);
      if (box === undefined || box.scrollHeight < 20000) return false;
      const isStill = globalThis.seenHeight === box.scrollHeight && box.scrollHeight - box.scrollTop - box.clientHeight < 200;
      globalThis.seenHeight = box.scrollHeight;
      return isStill;
      function scrollerOf(element) {
        for (const each of [element, ...element.querySelectorAll('*')]) {
          if (each.scrollHeight > each.clientHeight + 1000 && getComputedStyle(each).overflowY !== 'visible') return each;
        }
        for (let each = element; each !== null; each = each.parentElement) {
          if (each.scrollHeight > each.clientHeight + 1000 && getComputedStyle(each).overflowY !== 'visible') return each;
        }
        return undefined;
      }
    })()`,
    undefined,
    { polling: 50, timeout: 120_000 },
  );
  const openMs = performance.now() - begun;
  const longestTaskMs = Number(await page.evaluate('globalThis.longest'));
  await page.mouse.move(700, 300);
  const frames = page.evaluate<number[]>(`new Promise((resolve) => {
    const frames = [];
    let before = performance.now();
    const end = before + 3000;
    const next = (now) => {
      frames.push(now - before);
      before = now;
      if (now < end) requestAnimationFrame(next); else resolve(frames);
    };
    requestAnimationFrame(next);
  })`);
  for (let turn = 0; turn < 60; turn += 1) {
    await page.mouse.wheel(0, turn < 40 ? -1500 : 1500);
    await page.waitForTimeout(40);
  }
  const times = (await frames).toSorted((left, right) => left - right);
  const heapBytes = Number(await page.evaluate('globalThis.gc?.(), performance.memory.usedJSHeapSize'));
  return { openMs, longestTaskMs, frameMs: times[Math.floor(times.length * 0.95)] ?? 0, heapBytes };
}
