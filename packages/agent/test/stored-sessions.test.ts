import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionNotification, SessionUpdate } from '@parley/acp';
import { describe, expect, test } from 'vitest';
import type { ConversationRecord } from '../src/conversation/record/conversation-record.ts';
import type { ConversationLog, ConversationStore } from '../src/conversation/record/conversation-store.ts';
import type { Environment } from '../src/environment.ts';
import { createNodeEnvironment } from '../src/node/environment.ts';
import { openHome } from './home.ts';
import type { Home } from './home.ts';
import { png, pngOf } from './images.ts';
import { textWith } from './matchers.ts';
import { scriptedModel } from './scripted-model.ts';
import { said, toolUpdates } from './stage.ts';

const unknownId = 'sess_00000000-0000-4000-8000-000000000000';

function texts(updates: readonly SessionUpdate[], kind: ChunkKind): string[] {
  return updates.flatMap((update) =>
    isChunk(update) && update.sessionUpdate === kind && update.content.type === 'text'
      ? [update.content.text]
      : [],
  );
}

type ChunkKind = 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk';

function isChunk(update: SessionUpdate): update is Extract<SessionUpdate, { sessionUpdate: ChunkKind }> {
  return update.sessionUpdate.endsWith('_message_chunk') || update.sessionUpdate === 'agent_thought_chunk';
}

function fileOf(home: Home, sessionId: string): string {
  return join(home.sessions, `${sessionId}.jsonl`);
}

async function recordsOf(home: Home, sessionId: string): Promise<ConversationRecord[]> {
  const lines = (await readFile(fileOf(home, sessionId), 'utf8')).trimEnd().split('\n').slice(1);
  return lines.map((line) => (JSON.parse(line) as { record: ConversationRecord }).record);
}

describe('C.2 session/new', () => {
  test('A30: each session has its own id, and is stored under it, for its owner only', async () => {
    await using home = await openHome();
    await using stage = await home.stage();
    const sessionId = await stage.openSession();
    await stage.prompt('say: hi', sessionId);
    expect((await stat(fileOf(home, sessionId))).mode & 0o777).toBe(0o600);
    expect((await stat(home.sessions)).mode & 0o777).toBe(0o700);
  });

  test('what changes something is in the log before it happens', async () => {
    await using home = await openHome();
    const environment = createNodeEnvironment({ stateDirectory: home.state });
    const { conversations: store } = environment;
    assert(store !== undefined);
    const seen: string[] = [];
    const watched: ConversationStore = {
      ...store,
      create: async (id) => {
        const log = await store.create(id);
        return {
          ...log,
          append: (record) => {
            log.append(record);
            if (record.type === 'update') seen.push(record.update.sessionUpdate);
          },
          flush: async () => {
            await log.flush();
            seen.push(existsSync(join(home.directory, 'a.txt')) ? 'saved after it' : 'saved before it');
          },
        };
      },
    };
    await using stage = await home.stage({ environment: { ...environment, conversations: watched } });
    seen.length = 0;
    await stage.prompt('write a.txt: x');
    expect(seen.slice(seen.indexOf('tool_call')).slice(0, 2)).toEqual(['tool_call', 'saved before it']);
  });

  describe('while its log cannot be written', () => {
    interface Disk {
      readonly environment: Environment;
      isFull: boolean;
      isFullAtCall: boolean;
    }

    /** A store whose logs keep what they cannot write, as those of files do. */
    function failingDisk(state: string): Disk {
      const environment = createNodeEnvironment({ stateDirectory: state });
      const { conversations: store } = environment;
      assert(store !== undefined);
      const check = (): void => {
        if (disk.isFull) {
          throw Object.assign(new Error('append to "log": the disk is full'), { code: 'no-space' });
        }
      };
      const failing = (log: ConversationLog): ConversationLog => ({
        ...log,
        append: (record) => {
          log.append(record);
          const isCall = record.type === 'update' && record.update.sessionUpdate === 'tool_call';
          if (isCall && disk.isFullAtCall) disk.isFull = true;
        },
        flush: async () => {
          check();
          await log.flush();
        },
        sync: async () => {
          check();
          await log.sync();
        },
      });
      const conversations: ConversationStore = {
        ...store,
        create: async (id) => {
          check();
          return failing(await store.create(id));
        },
      };
      const disk: Disk = {
        isFull: false,
        isFullAtCall: false,
        environment: { ...environment, conversations },
      };
      return disk;
    }

    test('a prompt is refused and nothing is done; with room it is answered, and all of it is saved', async () => {
      await using home = await openHome();
      const disk = failingDisk(home.state);
      await using stage = await home.stage({ environment: disk.environment });
      expect(await stage.prompt('say: one')).toBe('end_turn');
      disk.isFull = true;
      for (const _round of [1, 2]) {
        await expect(stage.prompt('write a.txt: x')).rejects.toThrow(/cannot be saved.*the disk is full/u);
      }
      expect(existsSync(join(home.directory, 'a.txt'))).toBe(false);
      disk.isFull = false;
      expect(await stage.prompt('say: two')).toBe('end_turn');
      expect(said(stage.updates)).toEqual(['one', 'two']);
      await stage.agent.request('session/close', { sessionId: stage.sessionId });
      const before = stage.updates.length;
      await stage.agent.request('session/load', stage.at(stage.sessionId));
      expect(said(stage.updates.slice(before))).toEqual(['one', 'two']);
    });

    test('a call that may change something is not started, and the turn fails', async () => {
      await using home = await openHome();
      const disk = failingDisk(home.state);
      await using stage = await home.stage({ environment: disk.environment });
      disk.isFullAtCall = true;
      await expect(stage.prompt('write a.txt: x')).rejects.toThrow(/cannot be saved.*the disk is full/u);
      expect(existsSync(join(home.directory, 'a.txt'))).toBe(false);
      disk.isFullAtCall = false;
      disk.isFull = false;
      expect(await stage.prompt('write a.txt: x')).toBe('end_turn');
      expect(existsSync(join(home.directory, 'a.txt'))).toBe(true);
    });

    test('a session is not begun, and what is left of it is removed', async () => {
      await using home = await openHome();
      const disk = failingDisk(home.state);
      await using stage = await home.stage({ environment: disk.environment });
      const there = await readdir(home.sessions);
      disk.isFull = true;
      await expect(stage.openSession()).rejects.toThrow(/the disk is full/u);
      expect(await readdir(home.sessions)).toEqual(there);
    });
  });

  test('a place that cannot be written is reported once, and the session works', async () => {
    await using home = await openHome();
    await mkdir(join(home.state, 'agent'), { recursive: true });
    await writeFile(home.sessions, 'no directory');
    await using stage = await home.stage();
    expect(await stage.prompt('say: one')).toBe('end_turn');
    expect(await stage.prompt('say: two')).toBe('end_turn');
    expect(said(stage.updates)).toEqual(['one', 'two']);
    const reported = texts(stage.updates, 'agent_thought_chunk').filter((text) =>
      text.includes('is not saved'),
    );
    expect(reported).toHaveLength(1);
  });

  describe('at start-up with --resume', () => {
    test('the first session/new replays the history and returns the stored id; the second one is new', async () => {
      await using home = await openHome();
      const sessionId = await home.talk(['say: one', 'write a.txt: x'], 'full-access');
      await using stage = await home.stage({ resume: { sessionId, onMiss: home.miss } });
      expect(stage.sessionId).toBe(sessionId);
      expect(stage.modes?.currentModeId).toBe('full-access');
      expect(texts(stage.updates, 'user_message_chunk')).toEqual(['say: one', 'write a.txt: x']);
      expect(said(stage.updates)).toEqual(['one']);
      const seen = stage.updates.length;
      expect(await stage.openSession()).not.toBe(sessionId);
      expect(stage.updates).toHaveLength(seen);
      expect(home.missed).toEqual([]);
    });

    test('without an id it is the last one of the directory', async () => {
      await using home = await openHome();
      await home.talk(['say: first']);
      const second = await home.talk(['say: second']);
      await using stage = await home.stage({ resume: { onMiss: home.miss } });
      expect(stage.sessionId).toBe(second);
    });

    test.each([
      ['nothing is kept', undefined],
      ['the id is unknown', unknownId],
      ['the id is a path', '../../x'],
    ])('a miss is a new session and a warning: %s', async (_name, sessionId) => {
      await using home = await openHome();
      const resume = { onMiss: home.miss, ...(sessionId !== undefined && { sessionId }) };
      await using stage = await home.stage({ resume });
      expect(await stage.prompt('say: hi')).toBe('end_turn');
      expect(home.missed).toHaveLength(1);
    });

    test('a miss is a new session and a warning: the file is damaged', async () => {
      await using home = await openHome();
      const sessionId = await home.talk(['say: one']);
      await writeFile(fileOf(home, sessionId), 'nothing of ours\n');
      await using stage = await home.stage({ resume: { sessionId, onMiss: home.miss } });
      expect(stage.sessionId).not.toBe(sessionId);
      expect(home.missed).toEqual([textWith('damaged')]);
    });

    test('a miss is a new session and a warning: it is open elsewhere', async () => {
      await using home = await openHome();
      await using first = await home.stage();
      await first.prompt('say: one');
      await using stage = await home.stage({ resume: { sessionId: first.sessionId, onMiss: home.miss } });
      expect(stage.sessionId).not.toBe(first.sessionId);
      expect(home.missed).toEqual([textWith('open in another place')]);
    });
  });
});

describe('C.7 session/load', () => {
  test('is declared', async () => {
    await using home = await openHome();
    await using stage = await home.stage();
    expect(stage.initialized.agentCapabilities).toMatchObject({
      loadSession: true,
      sessionCapabilities: { list: {}, resume: {}, delete: {}, close: {} },
    });
  });

  test('A31, A32: all of the conversation is shown again, before the answer', async () => {
    await using home = await openHome();
    const lines = [
      'think: hmm',
      'write a.txt: new',
      'replace new with old in a.txt',
      'read missing.txt',
      'run echo out',
      'plan: one; two',
      'say: done',
    ];
    await using first = await home.stage();
    await first.agent.request('session/set_mode', { sessionId: first.sessionId, modeId: 'full-access' });
    await first.prompt(lines.join('\n'));
    await first.prompt('say: again');
    await first.agent.request('session/close', { sessionId: first.sessionId });

    const seenAtAnswer: SessionUpdate[] = [];
    await using stage = await home.stage({ first: false });
    const answer = await stage.agent.request('session/load', stage.at(first.sessionId), {
      // In arrival order, so that nothing that comes later is counted.
    });
    seenAtAnswer.push(...stage.updates);
    expect(answer.modes?.currentModeId).toBe('full-access');
    expect(texts(seenAtAnswer, 'user_message_chunk')).toEqual([lines.join('\n'), 'say: again']);
    expect(texts(seenAtAnswer, 'agent_thought_chunk')).toEqual(['hmm']);
    expect(said(seenAtAnswer)).toEqual(said(first.updates));
    expect(seenAtAnswer.filter(({ sessionUpdate }) => sessionUpdate === 'plan')).toEqual(
      first.updates.filter(({ sessionUpdate }) => sessionUpdate === 'plan'),
    );
    const ends = (updates: readonly SessionUpdate[]): unknown[] =>
      toolUpdates(updates).filter(({ status }) => status === 'completed' || status === 'failed');
    const begins = (updates: readonly SessionUpdate[]): unknown[] =>
      toolUpdates(updates).filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
    expect(begins(seenAtAnswer)).toEqual(begins(first.updates));
    // What was said while a call ran is in its end.
    expect(ends(seenAtAnswer)).toMatchObject(ends(first.updates));
    const meta = { decision: 'allow', by: 'mode', mode: 'full-access' };
    expect(ends(seenAtAnswer)[0]).toMatchObject({ _meta: { 'parley/permission': meta } });
    expect(JSON.stringify(ends(seenAtAnswer))).toContain('"type":"diff"');
    expect(ends(seenAtAnswer)).toContainEqual(expect.objectContaining({ status: 'failed' }));
  });

  test('the conversation continues, with new ids for messages and calls', async () => {
    await using home = await openHome();
    const sessionId = await home.talk(['list .']);
    await using stage = await home.stage({ first: false });
    await stage.agent.request('session/load', stage.at(sessionId));
    await stage.prompt('list .', sessionId);
    const ids = toolUpdates(stage.updates).flatMap((update) =>
      update.sessionUpdate === 'tool_call' ? [update.toolCallId] : [],
    );
    expect(new Set(ids).size).toBe(2);
    const records = await recordsOf(home, sessionId);
    const roles = records.flatMap((record) => (record.type === 'message' ? [record.message.role] : []));
    expect(roles).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
  });

  test('an id that is no mode changes no rights, before and after', async () => {
    await using home = await openHome();
    await using first = await home.stage();
    const { sessionId } = first;
    await first.agent.request('session/set_mode', { sessionId, modeId: 'plan' });
    await first.agent.request('session/set_mode', { sessionId, modeId: 'code' });
    await first.agent.request('session/close', { sessionId });
    await using stage = await home.stage({ first: false });
    const answer = await stage.agent.request('session/load', stage.at(sessionId));
    expect(answer.modes?.currentModeId).toBe('plan');
  });

  test('the model reads what was said before', async () => {
    await using home = await openHome();
    const sessionId = await home.talk([`say: ${'more '.repeat(1000)}`]);
    await using stage = await home.stage({ first: false });
    await stage.agent.request('session/resume', stage.at(sessionId));
    await stage.prompt('say: b', sessionId);
    const usage = stage.updates.find(({ sessionUpdate }) => sessionUpdate === 'usage_update');
    expect(usage?.sessionUpdate === 'usage_update' && usage.used).toBeGreaterThan(1500);
  });

  test.each([
    ['of another session', unknownId],
    ['that is only the beginning of one', 'prefix'],
    ['that leads elsewhere', '../sessions/x'],
    ['that is empty', ''],
  ])('an id %s is unknown: -32002 with the id', async (_name, given) => {
    await using home = await openHome();
    const sessionId = await home.talk(['say: one']);
    const wanted = given === 'prefix' ? sessionId.slice(0, 12) : given;
    await using stage = await home.stage({ first: false });
    for (const method of ['session/load', 'session/resume'] as const) {
      await expect(stage.agent.request(method, stage.at(wanted))).rejects.toMatchObject({
        code: -32002,
        data: { sessionId: wanted },
      });
    }
  });

  test('another working directory is refused, naming both', async () => {
    await using home = await openHome();
    const sessionId = await home.talk(['say: one']);
    await using stage = await home.stage({ first: false });
    await mkdir(join(home.directory, 'other'));
    const cwd = join(home.directory, 'other');
    for (const method of ['session/load', 'session/resume'] as const) {
      const refused = stage.agent.request(method, { ...stage.at(sessionId), cwd });
      await expect(refused).rejects.toMatchObject({ code: -32602, message: textWith(cwd) });
      await expect(refused).rejects.toMatchObject({ message: textWith(`${home.directory},`) });
    }
    expect(stage.updates).toEqual([]);
  });

  test('other MCP servers than before are accepted, and the user is notified', async () => {
    await using home = await openHome();
    const sessionId = await home.talk(['say: one']);
    await using stage = await home.stage({ first: false });
    const server = { name: 'x', command: join(home.directory, 'none'), args: [], env: [] };
    await stage.agent.request('session/load', { ...stage.at(sessionId), mcpServers: [server] });
    await stage.prompt('say: two', sessionId);
    expect(JSON.stringify(stage.updates)).toContain('The MCP servers are not those of before');
    expect(await readFile(fileOf(home, sessionId), 'utf8')).not.toContain(server.command);
  });

  test('a session that is open on the same connection is reopened', async () => {
    await using home = await openHome();
    await using stage = await home.stage();
    await stage.prompt('say: one');
    await stage.agent.request('session/load', stage.at(stage.sessionId));
    expect(said(stage.updates)).toEqual(['one', 'one']);
    expect(await stage.prompt('say: two')).toBe('end_turn');
  });

  test('a session with a running turn is refused', async () => {
    await using home = await openHome();
    let started = (): void => undefined;
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    await using stage = await home.stage({
      onUpdate: (update) => {
        if (update.sessionUpdate === 'agent_message_chunk') started();
      },
    });
    const turn = stage.prompt('say: one\nsleep 3600');
    await running;
    await expect(stage.agent.request('session/load', stage.at(stage.sessionId))).rejects.toMatchObject({
      code: -32600,
    });
    await stage.cancel();
    expect(await turn).toBe('cancelled');
  });

  test('a session that is open on another connection is refused until it is closed there', async () => {
    await using home = await openHome();
    await using first = await home.stage();
    await first.prompt('say: one');
    await using stage = await home.stage({ first: false });
    const load = (): Promise<unknown> => stage.agent.request('session/load', stage.at(first.sessionId));
    await expect(load()).rejects.toMatchObject({ code: -32600, message: textWith('open in another place') });
    await first.agent.request('session/close', { sessionId: first.sessionId });
    await load();
  });

  test('the lock of an ended process is ignored', async () => {
    await using home = await openHome();
    const sessionId = await home.talk(['say: one']);
    for (const lock of ['{"pid":999999999}', `{"pid":${String(process.pid)},"started":"1"}`, 'garbage', '']) {
      if (process.platform !== 'linux' && lock.includes('started')) continue;
      await writeFile(join(home.sessions, `${sessionId}.lock`), lock);
      await using stage = await home.stage({ first: false });
      expect(await stage.agent.requestExtension('session/status', { sessionId })).toEqual({
        status: 'saved',
      });
      await stage.agent.request('session/load', stage.at(sessionId));
    }
    expect(await readdir(home.sessions)).toEqual([`${sessionId}.jsonl`]);
  });

  test('an interrupted turn is reported as interrupted, with its open call as failed, in every later load', async () => {
    await using home = await openHome();
    const sessionId = await home.talk(['say: one', 'run echo two']);
    const text = await readFile(fileOf(home, sessionId), 'utf8');
    // As if it was ended while the command ran: the call has begun, and nothing came of it.
    await truncate(
      fileOf(home, sessionId),
      text.indexOf('\n', text.indexOf('"sessionUpdate":"tool_call"')) + 1,
    );
    await appendFile(fileOf(home, sessionId), '{"crc":"12');
    for (let round = 0; round < 2; round += 1) {
      await using stage = await home.stage({ first: false });
      await stage.agent.request('session/load', stage.at(sessionId));
      expect(toolUpdates(stage.updates)).toMatchObject([
        { sessionUpdate: 'tool_call' },
        { status: 'failed', rawOutput: { error: { code: 'interrupted' } } },
      ]);
      expect(texts(stage.updates, 'agent_thought_chunk')).toEqual([textWith('interrupted')]);
    }
    const messages = (await recordsOf(home, sessionId)).flatMap((record) =>
      record.type === 'message' ? [record.message] : [],
    );
    expect(messages.at(-1)).toMatchObject({ role: 'tool', results: [{ isError: true }] });
  });

  test('a session that is cut at any byte opens, or is unknown when not even its beginning is left', async () => {
    await using home = await openHome();
    const sessionId = await home.talk(['say: one', 'list .\nsay: two']);
    const whole = await readFile(fileOf(home, sessionId));
    const headEnd = whole.indexOf('\n', whole.indexOf('\n') + 1) + 1;
    await using stage = await home.stage({ first: false });
    for (let length = 0; length <= whole.length; length += 97) {
      await writeFile(fileOf(home, sessionId), whole.subarray(0, length));
      const loaded = stage.agent.request('session/load', stage.at(sessionId));
      if (length < headEnd) {
        await expect(loaded).rejects.toMatchObject({ code: -32002 });
        continue;
      }
      await loaded;
      expect(await stage.prompt('say: on', sessionId)).toBe('end_turn');
      await stage.agent.request('session/close', { sessionId });
    }
  });

  test('damage in the middle loses one entry, and is reported', async () => {
    await using home = await openHome();
    const sessionId = await home.talk(['say: one', 'say: two']);
    const text = await readFile(fileOf(home, sessionId), 'utf8');
    await writeFile(fileOf(home, sessionId), text.replace('"text":"one"', '"text":"0ne"'));
    await using stage = await home.stage({ first: false });
    await stage.agent.request('session/load', stage.at(sessionId));
    expect(said(stage.updates)).toEqual(['two']);
    await stage.prompt('say: three', sessionId);
    expect(JSON.stringify(stage.updates)).toContain('Part of this session is lost');
  });

  test('repeated text is stored once, and replayed in long pieces', async () => {
    await using home = await openHome();
    const sessionId = await home.talk(['repeat 200000: say: abcdef', 'repeat 300: list .'], 'confirm');
    expect((await stat(fileOf(home, sessionId))).size).toBeLessThan(300_000);
    await using stage = await home.stage({ first: false });
    await stage.agent.request('session/load', stage.at(sessionId));
    expect(said(stage.updates).join('')).toBe('abcdef'.repeat(200_000));
    expect(stage.updates.length).toBeLessThan(1000);
    expect(
      toolUpdates(stage.updates).filter(({ sessionUpdate }) => sessionUpdate === 'tool_call'),
    ).toHaveLength(200);
    expect(texts(stage.updates, 'agent_thought_chunk')).toEqual([textWith('100 more tool calls')]);
  });
});

test('a prompt that is too long for an entry is stored with its text cut', async () => {
  await using home = await openHome();
  const line = `nothing: ${'x'.repeat(1024 * 1024)}`;
  const sessionId = await home.talk([Array.from({ length: 33 }, () => line).join('\n'), 'say: two']);
  expect((await stat(fileOf(home, sessionId))).size).toBeLessThan(1024 * 1024);
  await using stage = await home.stage({ first: false });
  await stage.agent.request('session/load', stage.at(sessionId));
  expect(texts(stage.updates, 'user_message_chunk')[0]).toMatch(
    /\n\[\d+ characters are left out here\]\nx+$/u,
  );
  expect(said(stage.updates).at(-1)).toBe('two');
});

describe('images', () => {
  const read = { type: 'tool-call', id: '1', name: 'read', input: { path: 'a.png' } } as const;

  test('of the prompt and of results are shown again, and the model still gets them', async () => {
    await using home = await openHome();
    await writeFile(join(home.directory, 'a.png'), Buffer.from(png, 'base64'));
    const shot = pngOf(5 * 1024 * 1024);
    const before = scriptedModel([[read, { type: 'stop', reason: 'tool-calls' }], []]);
    const first = await home.stage({ model: before });
    const { sessionId } = first;
    await first.agent.request('session/prompt', {
      sessionId,
      prompt: [
        { type: 'text', text: 'look' },
        { type: 'image', mimeType: 'image/png', data: shot },
      ],
    });
    await first[Symbol.asyncDispose]();

    const after = scriptedModel();
    await using stage = await home.stage({ model: after, first: false });
    await stage.agent.request('session/load', stage.at(sessionId));
    expect(stage.updates).toContainEqual({
      sessionUpdate: 'user_message_chunk',
      content: { type: 'image', mimeType: 'image/png', data: shot },
    });
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
      content: [{ content: { type: 'image', data: png } }],
    });
    await stage.prompt('again', sessionId);
    expect(after.requests[0]?.messages.slice(0, 3)).toMatchObject([
      { role: 'user', text: 'look', images: [{ mimeType: 'image/png', data: shot }] },
      { role: 'assistant' },
      { role: 'tool', results: [{ images: [{ data: png }] }] },
    ]);
  });

  test('that are too many for an entry are omitted whole, and the text is stored', async () => {
    await using home = await openHome();
    const image = { type: 'image', mimeType: 'image/png', data: pngOf(13 * 1024 * 1024) } as const;
    const first = await home.stage({ model: scriptedModel() });
    const { sessionId } = first;
    await first.agent.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text: 'x'.repeat(200_000) }, image, image],
    });
    await first[Symbol.asyncDispose]();
    expect((await stat(fileOf(home, sessionId))).size).toBeLessThan(1024 * 1024);

    const after = scriptedModel();
    await using stage = await home.stage({ model: after, first: false });
    await stage.agent.request('session/load', stage.at(sessionId));
    expect(texts(stage.updates, 'user_message_chunk')).toEqual([
      'x'.repeat(200_000),
      textWith('omitted: too long to be stored'),
      textWith('omitted: too long to be stored'),
    ]);
    await stage.prompt('again', sessionId);
    expect(after.requests[0]?.messages[0]).toMatchObject({
      text: 'x'.repeat(200_000),
      context: [{ text: textWith('too long to be stored') }, { text: textWith('too long to be stored') }],
    });
  });
});

describe('session/resume', () => {
  test('A33: nothing of the history is sent', async () => {
    await using home = await openHome();
    const sessionId = await home.talk(['say: one'], 'read-only');
    await using stage = await home.stage({ first: false });
    const answer = await stage.agent.request('session/resume', { sessionId, cwd: home.directory });
    expect(answer.modes?.currentModeId).toBe('read-only');
    expect(stage.updates).toEqual([]);
    expect(await stage.prompt('say: two', sessionId)).toBe('end_turn');
    expect(said(stage.updates)).toEqual(['two']);
    expect(JSON.stringify(stage.updates)).not.toContain('not a language model');
  });

  test('an interruption is reported in the next turn', async () => {
    await using home = await openHome();
    const sessionId = await home.talk(['say: one']);
    const text = await readFile(fileOf(home, sessionId), 'utf8');
    await truncate(fileOf(home, sessionId), text.lastIndexOf('\n', text.length - 2) + 1);
    await using stage = await home.stage({ first: false });
    await stage.agent.request('session/resume', stage.at(sessionId));
    await stage.prompt('say: two', sessionId);
    expect(texts(stage.updates, 'agent_thought_chunk')).toEqual([textWith('interrupted')]);
  });

  test('A36, A37: further directories are those of the request, and none are restored', async () => {
    await using home = await openHome();
    const extra = join(home.directory, 'extra');
    await mkdir(extra);
    await using first = await home.stage();
    const { sessionId } = await first.agent.request('session/new', {
      ...first.at(''),
      additionalDirectories: [extra],
    });
    await first.prompt('say: one', sessionId);
    const [listed] = (await first.agent.request('session/list', {})).sessions;
    expect(listed).toMatchObject({ sessionId, additionalDirectories: [extra] });
    await first.agent.request('session/close', { sessionId });
    await first.agent.request('session/resume', first.at(sessionId));
    await first.agent.request('session/close', { sessionId });
    expect((await recordsOf(home, sessionId)).at(-1)).toEqual({ type: 'directories', directories: [] });
    await expect(
      first.agent.request('session/resume', { ...first.at(sessionId), additionalDirectories: ['extra'] }),
    ).rejects.toMatchObject({ code: expect.anything() });
  });
});

describe('session/close', () => {
  test('A34: a running turn is cancelled, saved, and the session can be resumed', async () => {
    await using home = await openHome();
    let started = (): void => undefined;
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    await using stage = await home.stage({
      onUpdate: (update) => {
        if (update.sessionUpdate === 'agent_message_chunk') started();
      },
    });
    const turn = stage.prompt('say: one\nsleep 3600');
    await running;
    await stage.agent.request('session/close', { sessionId: stage.sessionId });
    expect(await turn).toBe('cancelled');
    expect((await recordsOf(home, stage.sessionId)).at(-1)).toMatchObject({ stopReason: 'cancelled' });
    await stage.agent.request('session/load', stage.at(stage.sessionId));
  });

  test('A35: a session that is not open is unknown', async () => {
    await using home = await openHome();
    await using stage = await home.stage();
    await expect(stage.agent.request('session/close', { sessionId: unknownId })).rejects.toBeDefined();
  });

  test('an empty session can be resumed while its connection lasts, and ends with it', async () => {
    await using home = await openHome();
    const stage = await home.stage();
    await stage.agent.request('session/close', { sessionId: stage.sessionId });
    await stage.agent.request('session/load', stage.at(stage.sessionId));
    await stage.agent.request('session/close', { sessionId: stage.sessionId });
    await stage[Symbol.asyncDispose]();
    expect(await readdir(home.sessions)).toEqual([]);
  });
});

describe('session/list', () => {
  test('A46, A47: lists stored sessions, newest first, with title and time; an empty list where none matches', async () => {
    await using home = await openHome();
    const one = await home.talk(['\n  say: first   line  \nsay: second']);
    const two = await home.talk([`say: ${'ä'.repeat(200)}`]);
    await using stage = await home.stage({ first: false });
    const { sessions, nextCursor } = await stage.agent.request('session/list', {});
    expect(nextCursor).toBeUndefined();
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([two, one]);
    expect(sessions[1]).toEqual({
      sessionId: one,
      cwd: home.directory,
      title: 'say: first line',
      updatedAt: sessions[1]?.updatedAt,
      archived: false,
    });
    expect(sessions[0]?.title).toHaveLength(80);
    for (const { updatedAt = '' } of sessions) expect(new Date(updatedAt).toISOString()).toBe(updatedAt);
    expect(await stage.agent.request('session/list', { cwd: join(home.directory, 'other') })).toEqual({
      sessions: [],
    });
  });

  test('A48: an unknown cursor is refused', async () => {
    await using home = await openHome();
    await using stage = await home.stage();
    for (const cursor of ['', 'x', btoa('[]'), btoa('{"a":1}'), btoa('[1,2]')]) {
      await expect(stage.agent.request('session/list', { cursor })).rejects.toMatchObject({ code: -32602 });
    }
  });

  test('A49: pages are bounded, and together they are the list', async () => {
    await using home = await openHome();
    const kept: string[] = [];
    for (let count = 0; count < 5; count += 1) kept.push(await home.talk([`say: ${String(count)}`]));
    await using stage = await home.stage({ first: false, limits: { listedSessions: 2 } });
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await stage.agent.request('session/list', cursor === undefined ? {} : { cursor });
      expect(page.sessions.length).toBeLessThanOrEqual(2);
      found.push(...page.sessions.map(({ sessionId }) => sessionId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(found.toSorted()).toEqual(kept.toSorted());
  });

  test('A50: a directory filters, however it is written', async () => {
    await using home = await openHome();
    const sessionId = await home.talk(['say: one']);
    await using stage = await home.stage({ first: false });
    const { sessions } = await stage.agent.request('session/list', { cwd: `${home.directory}/` });
    expect(sessions).toMatchObject([{ sessionId, cwd: home.directory }]);
  });

  test('a session in which nothing was said is listed only where it is open', async () => {
    await using home = await openHome();
    await using first = await home.stage();
    await using second = await home.stage({ first: false });
    expect((await first.agent.request('session/list', {})).sessions).toMatchObject([
      { sessionId: first.sessionId },
    ]);
    expect((await second.agent.request('session/list', {})).sessions).toEqual([]);
  });

  test('a file that is damaged is left out', async () => {
    await using home = await openHome();
    const sessionId = await home.talk(['say: one']);
    await writeFile(join(home.sessions, 'sess_bad.jsonl'), 'nothing of ours\n');
    await using stage = await home.stage({ first: false });
    expect((await stage.agent.request('session/list', {})).sessions).toMatchObject([{ sessionId }]);
  });
});

describe('session/delete', () => {
  test('A52: a session that is missing is deleted already', async () => {
    await using home = await openHome();
    await using stage = await home.stage();
    for (const sessionId of [unknownId, '../../x', '']) {
      expect(await stage.agent.request('session/delete', { sessionId })).toEqual({});
    }
  });

  test('A53: a deleted session is in no list, and cannot be loaded', async () => {
    await using home = await openHome();
    const sessionId = await home.talk(['say: one']);
    await using stage = await home.stage();
    await stage.prompt('say: two');
    await stage.agent.request('session/delete', { sessionId });
    await stage.agent.request('session/delete', { sessionId: stage.sessionId });
    expect((await stage.agent.request('session/list', {})).sessions).toEqual([]);
    await expect(stage.agent.request('session/load', stage.at(sessionId))).rejects.toMatchObject({
      code: -32002,
    });
    expect(await readdir(home.sessions)).toEqual([]);
  });

  test('a session that is open elsewhere is not deleted', async () => {
    await using home = await openHome();
    await using first = await home.stage();
    await first.prompt('say: one');
    await using stage = await home.stage({ first: false });
    await expect(stage.agent.request('session/delete', { sessionId: first.sessionId })).rejects.toMatchObject(
      { code: -32600 },
    );
  });
});

test('A51: the title comes with the first prompt, once, and only what changed', async () => {
  await using home = await openHome();
  await using stage = await home.stage();
  await stage.prompt('say: one');
  await stage.prompt('say: two');
  const infos = stage.updates.filter(({ sessionUpdate }) => sessionUpdate === 'session_info_update');
  expect(infos).toEqual([
    { sessionUpdate: 'session_info_update', title: 'say: one', updatedAt: expect.any(String) },
  ]);
});

test('sessions side by side are kept apart', async () => {
  await using home = await openHome();
  await using stage = await home.stage({ first: false });
  const ids = await Promise.all(Array.from({ length: 10 }, () => stage.openSession()));
  await Promise.all(ids.map((id) => stage.prompt(`repeat 5: say: ${id}\nlist .\nsay: ${id}`, id)));
  await Promise.all(ids.map((sessionId) => stage.agent.request('session/close', { sessionId })));
  for (const id of ids) {
    const bySession: SessionNotification['update'][] = [];
    const before = stage.updates.length;
    await stage.agent.request('session/load', stage.at(id));
    bySession.push(...stage.updates.slice(before));
    expect(said(bySession).join('')).toBe(id.repeat(6));
  }
});

test.runIf(process.platform !== 'win32' && process.getuid?.() !== 0)(
  'a directory that becomes unwritable is reported once, and the session goes on',
  async () => {
    await using home = await openHome();
    await using stage = await home.stage();
    await chmod(home.sessions, 0o500);
    expect(await stage.prompt('say: one', await stage.openSession())).toBe('end_turn');
    await chmod(home.sessions, 0o700);
    expect(JSON.stringify(stage.updates)).toContain('is not saved');
  },
);
