import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientOptions, CreateTerminalRequest } from '@parley/acp';
import { RpcError } from '@parley/wire';
import { describe, expect, test } from 'vitest';
import type { Model } from '../src/model/model.ts';
import { openHome } from './home.ts';
import { courses, openStage, ranAndFailed, refused, said, succeeded, toolUpdates } from './stage.ts';
import type { Stage, StageOptions } from './stage.ts';

const never = new Promise<never>(() => undefined);

type TerminalMethod = `terminal/${'create' | 'output' | 'wait_for_exit' | 'kill' | 'release'}`;
type Handlers = Required<Pick<ClientOptions['handlers'], TerminalMethod>>;

/** A client with one terminal at a time: what it was asked, and answers that say "done". */
interface Terminals {
  readonly handlers: Handlers;
  /** The methods it was asked, without `terminal/`, in order. */
  readonly asked: string[];
  readonly created: CreateTerminalRequest[];
  /** Settles when it was asked this. */
  was(method: string): Promise<void>;
}

function terminals(own: Partial<Handlers> = {}): Terminals {
  const asked: string[] = [];
  const created: CreateTerminalRequest[] = [];
  const waiting = new Map<string, () => void>();
  const note = (method: string): void => {
    asked.push(method);
    waiting.get(method)?.();
  };
  const handlers: Handlers = {
    'terminal/create': (request, context) => {
      note('create');
      created.push(request);
      return own['terminal/create']?.(request, context) ?? { terminalId: `term_${String(created.length)}` };
    },
    'terminal/output': (request, context) => {
      note('output');
      return own['terminal/output']?.(request, context) ?? { output: 'done\n', truncated: false };
    },
    'terminal/wait_for_exit': (request, context) => {
      note('wait_for_exit');
      return own['terminal/wait_for_exit']?.(request, context) ?? { exitCode: 0 };
    },
    'terminal/kill': (request, context) => {
      note('kill');
      return own['terminal/kill']?.(request, context) ?? {};
    },
    'terminal/release': (request, context) => {
      note('release');
      return own['terminal/release']?.(request, context) ?? {};
    },
  };
  const was = async (method: string): Promise<void> => {
    if (asked.includes(method)) return;
    await new Promise<void>((resolve) => waiting.set(method, resolve));
  };
  return { handlers, asked, created, was };
}

function open({ handlers }: Terminals, options: StageOptions = {}): Promise<Stage> {
  return openStage({ capabilities: { terminal: true }, handlers, ...options });
}

/** A model that runs one command, and keeps what it reads of it. */
function runningOnce(): { readonly model: Model; readonly read: readonly string[] } {
  const read: string[] = [];
  const model: Model = {
    id: 'test/once',
    contextSize: 1000,
    async *respond({ messages }) {
      const last = messages.at(-1);
      if (last?.role === 'tool') read.push(...last.results.map(({ text }) => text));
      else yield { type: 'tool-call', id: '1', name: 'run', input: { command: 'it' } };
    },
  };
  return { model, read };
}

const lastCall = (stage: Stage) => toolUpdates(stage.updates).at(-1);

describe('a command in a terminal of the client', () => {
  test('is a shell line in the session’s directory, shown at once, waited for, read and released', async () => {
    const client = terminals();
    await using stage = await open(client);
    await stage.prompt('run echo "a b" && pwd');
    const shell = process.platform === 'win32' ? ['cmd', '/d', '/s', '/c'] : ['sh', '-c'];
    const [command, ...args] = [...shell, 'echo "a b" && pwd'];
    expect(client.created).toEqual([
      { sessionId: stage.sessionId, command, args, cwd: stage.directory, outputByteLimit: 40_000 },
    ]);
    expect(client.asked).toEqual(['create', 'wait_for_exit', 'output', 'release']);
    const terminal = { type: 'terminal', terminalId: 'term_1' };
    expect(toolUpdates(stage.updates).slice(1)).toMatchObject([
      { status: 'in_progress' },
      { status: 'in_progress', content: [terminal] },
      {
        status: 'completed',
        content: [terminal, { type: 'content', content: { text: 'Exit status 0' } }],
        rawOutput: { exitCode: 0, signal: null, truncated: false },
      },
    ]);
  });

  test('ends with the status or signal that the client reports', async () => {
    const ends = [{ exitCode: 3 }, { signal: 'SIGKILL' }];
    const client = terminals({ 'terminal/wait_for_exit': () => ends.shift() ?? {} });
    await using stage = await open(client);
    await stage.prompt('run first');
    expect(lastCall(stage)).toMatchObject({ status: 'failed', rawOutput: { exitCode: 3, signal: null } });
    await stage.prompt('run second');
    expect(lastCall(stage)).toMatchObject({
      status: 'failed',
      rawOutput: { exitCode: null, signal: 'SIGKILL' },
    });
  });

  test('uses the status of terminal/output if wait_for_exit has none', async () => {
    const client = terminals({
      'terminal/wait_for_exit': () => ({}),
      'terminal/output': () => ({ output: '', truncated: false, exitStatus: { exitCode: 0 } }),
    });
    await using stage = await open(client);
    await stage.prompt('run it');
    expect(lastCall(stage)).toMatchObject({ status: 'completed', rawOutput: { exitCode: 0 } });
  });

  test('whose end the client does not report fails, and the result says so', async () => {
    const client = terminals({ 'terminal/wait_for_exit': () => ({}) });
    await using stage = await open(client);
    await stage.prompt('run it');
    expect(lastCall(stage)).toMatchObject({ status: 'failed', rawOutput: { exitCode: null, signal: null } });
    expect(JSON.stringify(lastCall(stage)?.content)).toContain('not known');
  });

  test.each([
    ['was cut by the client', { output: 'the end', truncated: true }],
    ['is more than was asked for', { output: `${'x'.repeat(200)}the end`, truncated: false }],
  ])('output that %s is said to be cut', async (_, output) => {
    const client = terminals({ 'terminal/output': () => output });
    const { model, read } = runningOnce();
    await using stage = await open(client, { model, limits: { outputBytes: 100 } });
    await stage.prompt('run it');
    expect(lastCall(stage)).toMatchObject({ rawOutput: { truncated: true } });
    const text = read.join('');
    expect(text).toContain('The beginning is omitted');
    expect(text).toContain('the end');
    expect(text).not.toContain('x'.repeat(101));
  });

  test.each(['run true', 'call run {"command": "true"}'])(
    'is not asked for where undeclared: %s',
    async (line) => {
      const client = terminals();
      await using stage = await open(client, { capabilities: {} });
      await stage.prompt(line);
      expect(courses(stage.updates)).toEqual([succeeded]);
      expect(client.asked).toEqual([]);
    },
  );

  test('is not created if the user rejects the call, or for irreversible commands', async () => {
    const client = terminals();
    await using stage = await open(client, {
      onPermission: () => ({ outcome: 'selected', optionId: 'reject_once' }),
    });
    await stage.prompt('run true\nrun rm -rf /');
    expect(courses(stage.updates)).toEqual([refused, refused]);
    expect(client.asked).toEqual([]);
  });
});

describe('a terminal is released', () => {
  const failing = (): never => {
    throw new RpcError(-32603, 'the editor fell over');
  };

  test.each(['terminal/wait_for_exit', 'terminal/output'] as const)('when %s fails', async (method) => {
    const client = terminals({ [method]: failing });
    await using stage = await open(client);
    await stage.prompt('run it\nsay: go on');
    expect(lastCall(stage)).toMatchObject({
      status: 'failed',
      rawOutput: {
        error: { code: 'client-failed', message: 'run: the client failed: the editor fell over' },
      },
    });
    expect(client.asked.at(-1)).toBe('release');
    expect(said(stage.updates).at(-1)).toBe('go on');
  });

  test('also when that fails itself', async () => {
    const client = terminals({ 'terminal/release': failing });
    await using stage = await open(client);
    await stage.prompt('run it');
    expect(courses(stage.updates)).toEqual([succeeded]);
  });

  test('and killed before when the turn is cancelled, with what it wrote', async () => {
    const client = terminals({ 'terminal/wait_for_exit': () => never });
    await using stage = await open(client);
    const turn = stage.prompt('run sleep 600');
    await client.was('wait_for_exit');
    await stage.cancel();
    expect(await turn).toBe('cancelled');
    expect(client.asked).toEqual(['create', 'wait_for_exit', 'kill', 'output', 'release']);
    expect(courses(stage.updates)).toEqual([ranAndFailed]);
    expect(lastCall(stage)).toMatchObject({ content: [{ type: 'terminal' }, {}] });
  });

  test('and killed before when it was silent for too long', async () => {
    const client = terminals({ 'terminal/wait_for_exit': () => never });
    await using stage = await open(client, { limits: { commandIdleMs: 40, terminalPollMs: 10 } });
    await stage.prompt('run sleep 600');
    expect(JSON.stringify(lastCall(stage)?.content)).toContain('without output');
    expect(client.asked.slice(-3)).toEqual(['kill', 'output', 'release']);
  });

  test('not before its end while it writes', async () => {
    let looks = 0;
    let exit = (): void => undefined;
    const exited = new Promise<{ exitCode: number }>((resolve) => {
      exit = () => {
        resolve({ exitCode: 0 });
      };
    });
    const client = terminals({
      'terminal/wait_for_exit': () => exited,
      'terminal/output': () => {
        looks += 1;
        if (looks === 12) exit();
        return { output: 'x'.repeat(looks), truncated: false };
      },
    });
    await using stage = await open(client, { limits: { commandIdleMs: 20, terminalPollMs: 10 } });
    await stage.prompt('run build');
    expect(courses(stage.updates)).toEqual([succeeded]);
    expect(client.asked).not.toContain('kill');
  });

  test('eventually, even if the client stops responding', async () => {
    const client = terminals({
      'terminal/wait_for_exit': () => never,
      'terminal/output': () => never,
      'terminal/kill': () => never,
      'terminal/release': () => never,
    });
    await using stage = await open(client, { limits: { terminalEndMs: 10 } });
    const turn = stage.prompt('run sleep 600');
    await client.was('wait_for_exit');
    await stage.cancel();
    expect(await turn).toBe('cancelled');
    expect(client.asked.at(-1)).toBe('release');
  });

  test('even if the client creates it after the turn was cancelled', async () => {
    let make = (): void => undefined;
    const made = new Promise<{ terminalId: string }>((resolve) => {
      make = () => {
        resolve({ terminalId: 'late' });
      };
    });
    const client = terminals({ 'terminal/create': () => made });
    await using stage = await open(client);
    const turn = stage.prompt('run sleep 600');
    await client.was('create');
    await stage.cancel();
    expect(await turn).toBe('cancelled');
    make();
    await client.was('release');
    expect(client.asked).toEqual(['create', 'release']);
  });
});

test('a terminal that the client refuses to create fails the call, and no command runs elsewhere', async () => {
  const client = terminals({
    'terminal/create': () => {
      throw new RpcError(403, 'Not allowed: run "touch a"');
    },
  });
  await using stage = await open(client);
  await stage.prompt('run touch a');
  expect(lastCall(stage)).toMatchObject({ status: 'failed', rawOutput: { error: { code: 'refused' } } });
  expect(client.asked).toEqual(['create']);
  expect(await readdir(stage.directory)).toEqual([]);
});

test('a stored session contains the output of its terminals', async () => {
  await using home = await openHome();
  const client = terminals();
  const run = await home.stage({ capabilities: { terminal: true }, handlers: client.handlers });
  const { sessionId } = run;
  await run.prompt('run it');
  await run[Symbol.asyncDispose]();
  await using stage = await home.stage({ first: false });
  await stage.agent.request('session/load', stage.at(sessionId));
  const shown = JSON.stringify(toolUpdates(stage.updates));
  expect(shown).toContain('done');
  expect(shown).not.toContain('"terminal"');
  const [file = ''] = await readdir(home.sessions);
  expect(await readFile(join(home.sessions, file), 'utf8')).not.toContain('term_1');
});
