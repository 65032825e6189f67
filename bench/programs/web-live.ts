import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { WebSocketServer } from 'ws';
import { onLines } from './lines.ts';
import { watchTimeMarks } from './time-mark.ts';
import { inChromium, signIn, withParley } from './web-page.ts';

// Watches an answer as it is streamed, 50 chunks a second, in Chromium: in the interface that `parley serve` serves, or in a
// page that gets the agent's lines over a WebSocket and appends the text of each.

const [, , what = '', executablePath = '', agent = '', count = '', home = '', command = ''] = process.argv;

const barePage = `<!doctype html><meta charset="utf-8"><p></p><script>
new WebSocket('ws://' + location.host).onmessage = ({ data }) => {
  const { text } = JSON.parse(data).params?.update?.content ?? {};
  if (text !== undefined) document.querySelector('p').append(text);
};</script>`;

await inChromium(executablePath, async (page) => {
  await page.addInitScript(watchTimeMarks);
  await (what === 'ours' ? watchOurs(page) : watchLimit(page));
  const delays = (await page.evaluate<number[]>('globalThis.delays')).toSorted((left, right) => left - right);
  const at = (part: number): number => delays[Math.floor(delays.length * part)] ?? Number.NaN;
  console.log(JSON.stringify({ medianMs: at(0.5), p95Ms: at(0.95), maxMs: delays.at(-1) }));
});

function watchOurs(page: Page): Promise<void> {
  return withParley({ command, home }, async (server) => {
    await signIn(page, server);
    await page.getByRole('radio', { name: /paced/u }).check();
    await page.getByRole('textbox', { name: 'Prompt' }).fill(count);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sessions\//u);
    await allShown(page);
  });
}

async function watchLimit(page: Page): Promise<void> {
  const http = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(barePage);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const sockets = new WebSocketServer({ server: http });
  const child = spawn(process.execPath, [agent], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    sockets.once('connection', (socket) => {
      onLines(child.stdout, (lines) => {
        for (const line of lines) socket.send(line);
      });
      const prompt = [{ type: 'text', text: count }];
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'session/prompt', params: { prompt } })}\n`,
      );
    });
    const { port } = http.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${String(port)}/`);
    await allShown(page);
  } finally {
    child.kill();
    for (const socket of sockets.clients) socket.terminate();
    http.close();
  }
}

async function allShown(page: Page): Promise<void> {
  await page.waitForFunction(`globalThis.delays.length >= ${count}`, undefined, {
    polling: 250,
    timeout: 120_000,
  });
}
