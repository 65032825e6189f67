import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fullDisk, type FullDisk } from '@parley/conformance';
import { createSessionKey } from '@parley/host';
import { hubMethods } from '@parley/host/hub';
import { values } from '@parley/host/state';
import { expect, onTestFinished, test } from 'vitest';
import { openHub } from './hub-stage.ts';

async function openDisk(): Promise<FullDisk> {
  const disk = await fullDisk(fileURLToPath(import.meta.url));
  onTestFinished(() => disk[Symbol.asyncDispose]());
  return disk;
}

const refusal = { message: expect.stringMatching(/cannot be stored.*journal\.jsonl.*the disk is full/u) };

test('a disk that fills up in a turn fails it and is shown to every client; with room the session continues', async () => {
  const disk = await openDisk();
  let turns = 0;
  const stage = await openHub({
    agent: {
      turn: async ({ say, signal }) => {
        turns += 1;
        await say(`said ${String(turns)} `);
        if (turns > 1) return;
        disk.isFull = true;
        await say('lost? ');
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    },
  });
  const ada = await stage.join();
  const bob = await stage.join('bob', 'observe');
  const key = await ada.start();

  await expect(ada.prompt(key, 'go')).rejects.toMatchObject(refusal);
  for (const client of [ada, bob]) {
    await client.until(() => client.sessions.get(key)?.state === 'failed');
    expect(client.sessions.get(key)?.failure).toMatch(/the disk is full/u);
  }
  await expect(ada.prompt(key, 'again')).rejects.toMatchObject(refusal);
  await expect(ada.ask(hubMethods.restart, { sessionId: key })).rejects.toMatchObject({
    message: expect.stringContaining('the disk is full'),
  });
  expect(stage.prompts).toHaveLength(1);

  disk.isFull = false;
  // Nothing is asked for: what waits is written when there is room, and every client sees it.
  await ada.until(() => ada.said(key) === 'said 1 lost? ' && ada.sessions.get(key)?.state === 'ready');
  expect(await ada.prompt(key, 'on')).toEqual({ stopReason: 'end_turn' });
  await ada.until(() => ada.said(key).endsWith('said 2 '));
  const { turns: shown, items } = ada.view(key);
  expect([...values(shown)].map(({ state }) => state)).toEqual(['ended', 'ended']);
  expect([...values(items)].filter(({ kind }) => kind === 'interruption')).toEqual([]);
});

test('a session cannot start on a full disk: the error says so, and nothing is left', async () => {
  const disk = await openDisk();
  const stage = await openHub();
  const ada = await stage.join();
  const key = await ada.start();
  disk.isFull = true;
  await expect(ada.start()).rejects.toMatchObject({ message: expect.stringContaining('the disk is full') });
  expect(await readdir(stage.eventLogs)).toEqual([key]);
  disk.isFull = false;
  await ada.start();
});

test('histories can be read and sessions deleted while the disk is full', async () => {
  const disk = await openDisk();
  const stage = await openHub({ agent: { turn: ({ say }) => say('kept') } });
  const ada = await stage.join();
  const key = await ada.start();
  await ada.prompt(key, 'go');
  disk.isFull = true;
  const bob = await stage.join('bob', 'observe');
  await bob.watch(key);
  await bob.until(() => bob.said(key) === 'kept');
  await ada.ask('session/delete', { sessionId: key });
  expect(await readdir(stage.eventLogs)).toEqual([]);
});

test('the folder of a session that never started is removed', async () => {
  const stage = await openHub();
  const ada = await stage.join();
  const key = await ada.start();
  const left = join(stage.eventLogs, createSessionKey());
  await mkdir(left);
  await utimes(left, new Date(0), new Date(0));
  await stage.join('bob');
  expect(await readdir(stage.eventLogs)).toEqual([key]);
});
