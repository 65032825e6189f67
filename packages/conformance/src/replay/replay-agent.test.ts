import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, type ClientConnection, type SessionUpdate } from '@parley/acp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replayAgent, type ReplayedAgent } from './replay-agent.ts';
import type { ReplayOptions } from './replay.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-replay-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Frames, 100 ms apart: `>` is what the client said, `<` what the agent said. */
type Frame = readonly ['>' | '<', Readonly<Record<string, unknown>>];

const hello: readonly Frame[] = [
  ['>', { id: 0, method: 'initialize', params: { protocolVersion: 1 } }],
  ['<', { id: 0, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } }],
  ['>', { id: 1, method: 'session/new', params: { cwd: '/old', mcpServers: [] } }],
  ['<', { id: 1, result: { sessionId: 's1' } }],
];

function prompt(id: number, text = 'go', sessionId = 's1'): Frame {
  return ['>', { id, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text }] } }];
}

function says(text: string, sessionId = 's1'): Frame {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  return ['<', { method: 'session/update', params: { sessionId, update } }];
}

function ends(id: number, stopReason = 'end_turn'): Frame {
  return ['<', { id, result: { stopReason } }];
}

/** A client of a replay, and what it heard. */
interface Played extends AsyncDisposable {
  readonly agent: ReplayedAgent;
  readonly client: ClientConnection;
  readonly texts: readonly string[];
  readonly read: readonly string[];
  ask(text: string, sessionId?: string, signal?: AbortSignal): Promise<string>;
  open(cwd?: string): Promise<string>;
  /** Settles when so many texts were heard. */
  hears(count: number): Promise<void>;
}

async function play(frames: readonly Frame[], options: ReplayOptions = {}): Promise<Played> {
  const file = path.join(folder, 'talk.jsonl');
  const lines = frames.map(([way, message], index) => ({
    seq: index + 1,
    time: new Date(index * 100).toISOString(),
    direction: way === '>' ? 'out' : 'in',
    message: { jsonrpc: '2.0', ...message },
  }));
  await writeFile(file, [{ recording: 1 }, ...lines].map((line) => JSON.stringify(line)).join('\n'));
  const agent = await replayAgent(file, options);
  const texts: string[] = [];
  const read: string[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const client = createClient({
    info: { name: 'test', version: '1.0.0' },
    capabilities: { fs: { readTextFile: true }, terminal: true },
    handlers: {
      'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
      'fs/read_text_file': ({ path: file_ }) => {
        read.push(file_);
        return { content: '' };
      },
      'terminal/create': () => ({ terminalId: 'live' }),
      'terminal/output': () => ({ output: '', truncated: false }),
      'terminal/wait_for_exit': () => ({ exitCode: 0 }),
      'terminal/kill': () => ({}),
      'terminal/release': ({ terminalId }) => {
        read.push(terminalId);
        return {};
      },
      'session/update': ({ update }) => {
        texts.push(toText(update));
        for (const { count, resolve } of waiting) if (texts.length >= count) resolve();
      },
    },
  }).connect(agent);
  await client.initialize();
  return {
    agent,
    client,
    texts,
    read,
    open: async (cwd = '/old') =>
      (await client.agent.request('session/new', { cwd, mcpServers: [] })).sessionId,
    ask: async (text, sessionId = 's1', signal) => {
      const params = { sessionId, prompt: [{ type: 'text' as const, text }] };
      return (await client.agent.request('session/prompt', params, { ...(signal && { signal }) })).stopReason;
    },
    hears: (count) =>
      texts.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function toText(update: SessionUpdate): string {
  return update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
    ? update.content.text
    : '';
}

test('a recording is an agent, in one line', async () => {
  await using played = await play([...hello, prompt(2), says('one'), says('two'), ends(2)]);
  expect(await played.open()).toBe('s1');
  expect(await played.ask('go')).toBe('end_turn');
  expect(played.texts).toEqual(['one', 'two']);
  expect(played.agent.departures).toEqual([]);
});

test('the second prompt has the second answer', async () => {
  const turns = [prompt(2, 'a'), says('one'), ends(2), prompt(3, 'b'), says('two'), ends(3, 'refusal')];
  await using played = await play([...hello, ...turns]);
  await played.open();
  expect(await played.ask('anything')).toBe('end_turn');
  expect(played.texts).toEqual(['one']);
  expect(await played.ask('else')).toBe('refusal');
  expect(played.texts).toEqual(['one', 'two']);
});

test('paths are in the directory of the client that is there', async () => {
  const update = says('in /old/a.txt, not in /older or /very/old/b');
  const read: Frame = [
    '<',
    { id: 7, method: 'fs/read_text_file', params: { sessionId: 's1', path: '/old/a' } },
  ];
  const content: Frame = ['>', { id: 7, result: { content: 'x' } }];
  await using played = await play([...hello, prompt(2), update, read, content, ends(2)]);
  await played.open('/new/$&');
  expect(await played.ask('go')).toBe('end_turn');
  expect(played.texts).toEqual(['in /new/$&/a.txt, not in /older or /very/old/b']);
  expect(played.read).toEqual(['/new/$&/a']);
});

test('recorded requests of the agent are sent, and the turn continues when they are answered', async () => {
  const create = { sessionId: 's1', command: 'true' };
  await using played = await play([
    ...hello,
    prompt(2),
    ['<', { id: 0, method: 'terminal/create', params: create }],
    ['>', { id: 0, result: { terminalId: 'recorded' } }],
    ['<', { id: 1, method: 'terminal/release', params: { sessionId: 's1', terminalId: 'recorded' } }],
    ['>', { id: 1, result: {} }],
    ends(2),
  ]);
  await played.open();
  expect(await played.ask('go')).toBe('end_turn');
  // The terminal has the id that this client gave it.
  expect(played.read).toEqual(['live']);
});

test('two sessions are played each in its own order', async () => {
  const second: readonly Frame[] = [
    ['>', { id: 2, method: 'session/new', params: { cwd: '/old', mcpServers: [] } }],
    ['<', { id: 2, result: { sessionId: 's2' } }],
  ];
  const turns = [
    prompt(3, 'a', 's1'),
    prompt(4, 'b', 's2'),
    says('one', 's1'),
    says('two', 's2'),
    ends(3),
    ends(4, 'refusal'),
  ];
  await using played = await play([...hello, ...second, ...turns]);
  await played.open();
  await played.open();
  expect(await played.ask('b', 's2')).toBe('refusal');
  expect(played.texts).toEqual(['two']);
  expect(await played.ask('a', 's1')).toBe('end_turn');
  expect(played.agent.departures).toEqual([]);
});

test('a session that was loaded may be loaded under another id', async () => {
  const load = { sessionId: 'kept', cwd: '/old', mcpServers: [] };
  await using played = await play([
    ...hello.slice(0, 2),
    ['>', { id: 1, method: 'session/load', params: load }],
    says('before', 'kept'),
    ['<', { id: 1, result: {} }],
    prompt(2, 'go', 'kept'),
    ends(2),
  ]);
  await played.client.agent.request('session/load', { ...load, sessionId: 'other' });
  expect(played.texts).toEqual(['before']);
  expect(await played.ask('go', 'other')).toBe('end_turn');
});

test('updates that a session sent before its answer are replayed before it', async () => {
  await using played = await play([
    ...hello.slice(0, 3),
    says('early'),
    ...hello.slice(3),
    prompt(2),
    ends(2),
  ]);
  await played.open();
  await played.ask('go');
  expect(played.texts).toEqual(['early']);
});

test('a request that is not in the recording is refused, and reported', async () => {
  await using played = await play([...hello, prompt(2), ends(2)]);
  const sessionId = await played.open();
  const mode = played.client.agent.request('session/set_mode', { sessionId, modeId: 'm' });
  await expect(mode).rejects.toMatchObject({ code: -32601 });
  expect(await played.ask('go')).toBe('end_turn');
  await expect(played.ask('once more')).rejects.toMatchObject({ code: -32600 });
  expect(played.agent.departures).toEqual([
    'the recording has no session/set_mode here',
    'the recording has no session/prompt here',
  ]);
});

test('a request that the client leaves out is skipped and reported; a late one is answered', async () => {
  const mode = { sessionId: 's1', modeId: 'm' };
  await using played = await play([
    ...hello,
    ['>', { id: 2, method: 'session/set_mode', params: mode }],
    ['<', { id: 2, result: { _meta: { late: true } } }],
    prompt(3),
    ends(3),
  ]);
  await played.open();
  expect(await played.ask('go')).toBe('end_turn');
  expect(played.agent.departures).toEqual(['session/set_mode (frame 5) was not sent']);
  expect(await played.client.agent.request('session/set_mode', mode)).toEqual({ _meta: { late: true } });
});

test('a cancel that was recorded is waited for', async () => {
  const cancel: Frame = ['>', { method: 'session/cancel', params: { sessionId: 's1' } }];
  const turn = [prompt(2), says('one'), cancel, says('two'), ends(2, 'cancelled')];
  await using played = await play([...hello, ...turn, prompt(3), ends(3)]);
  await played.open();
  const stopReason = played.ask('go');
  await played.hears(1);
  await played.client.agent.notify('session/cancel', { sessionId: 's1' });
  expect(await stopReason).toBe('cancelled');
  expect(played.texts).toEqual(['one', 'two']);
  expect(await played.ask('next')).toBe('end_turn');
  expect(played.agent.departures).toEqual([]);
});

test('a cancel that was recorded as too late may be too late again', async () => {
  const cancel: Frame = ['>', { method: 'session/cancel', params: { sessionId: 's1' } }];
  await using played = await play([...hello, prompt(2), ends(2), cancel, prompt(3), says('next'), ends(3)], {
    strict: true,
  });
  await played.open();
  await played.ask('go');
  await played.client.agent.notify('session/cancel', { sessionId: 's1' });
  expect(await played.ask('go')).toBe('end_turn');
  expect(played.agent.departures).toEqual([]);
});

test('a cancel that was not recorded ends the turn where it is', async () => {
  const ask: Frame = [
    '<',
    {
      id: 5,
      method: 'session/request_permission',
      params: { sessionId: 's1', options: [], toolCall: { toolCallId: 'c' } },
    },
  ];
  // The recording waits for this one, in the middle of the turn.
  const mode: Frame = ['>', { id: 9, method: 'session/set_mode', params: { sessionId: 's1', modeId: 'm' } }];
  const turn = [prompt(2), says('one'), mode, ask, ends(2)];
  await using played = await play([...hello, ...turn, prompt(3), says('next'), ends(3)]);
  await played.open();
  const stopReason = played.ask('go');
  await played.hears(1);
  await played.client.agent.notify('session/cancel', { sessionId: 's1' });
  expect(await stopReason).toBe('cancelled');
  expect(await played.ask('go on')).toBe('end_turn');
  expect(played.texts).toEqual(['one', 'next']);
  expect(played.agent.departures).toEqual([
    'session/cancel is not in the recording of session/prompt (frame 5): the turn ends here',
  ]);
});

test('at the end of the recording an open prompt is answered with an error', async () => {
  await using played = await play([...hello, prompt(2), says('one')]);
  await played.open();
  await expect(played.ask('go')).rejects.toMatchObject({ code: -32603 });
  expect(played.texts).toEqual(['one']);
});

test('recorded time passes between what the agent says, at the speed that is wanted', async () => {
  const waits: number[] = [];
  let now = 0;
  const clock = {
    now: () => now,
    after: (ms: number, run: () => void) => {
      waits.push(ms);
      now += ms;
      queueMicrotask(run);
      return () => undefined;
    },
  };
  await using played = await play([...hello, prompt(2), says('one'), says('two'), ends(2)], {
    clock,
    speed: 2,
  });
  await played.open();
  await played.ask('go');
  // initialize, session/new, and three things in the turn; how long the client took is not waited for.
  expect(waits).toEqual([50, 50, 50, 50, 50]);
});

test('a strict replay ends where the client deviates', async () => {
  const frames = [...hello, prompt(2, 'go in /old'), ends(2)];
  await using same = await play(frames, { strict: true });
  await same.open('/new');
  expect(await same.ask('go in /new')).toBe('end_turn');
  expect(same.agent.departures).toEqual([]);

  await using other = await play(frames, { strict: true });
  await other.open('/new');
  await expect(other.ask('stop')).rejects.toMatchObject({ code: 'closed' });
  expect(other.agent.departures).toEqual(['session/prompt (frame 5) is another at params: prompt.0.text']);
});

test('a strict replay reports what the client never sent', async () => {
  await using played = await play([...hello, prompt(2), ends(2)], { strict: true });
  await played.open();
  await played.client.close();
  expect(played.agent.departures).toEqual(['the client left before session/prompt (frame 5)']);
});

test('a file that is no recording is reported at once', async () => {
  await expect(replayAgent(path.join(folder, 'none.jsonl'))).rejects.toMatchObject({ code: 'ENOENT' });
  const file = path.join(folder, 'a.txt');
  await writeFile(file, 'hello\n');
  await expect(replayAgent(file)).rejects.toMatchObject({ code: 'not-a-recording' });
});
