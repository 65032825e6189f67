import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import {
  openAgent,
  openSession,
  toLoggedEntry,
  type AgentConnection,
  type ApprovalLevel,
  type HostEvent,
  type OpenAgentOptions,
  type OpenSessionOptions,
  type Policy,
  type PromptResult,
  type AgentSession,
} from '../src/index.ts';
import { noFacts, reduceFacts, type SessionPhase } from '../src/state/index.ts';

/** A step of the scripted agent; see `agents/scripted.mjs`. */
export type Step = Readonly<Record<string, unknown>>;

/** An empty folder, removed after the test. */
export async function folder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'parley-host-')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A folder beside a session's, which the session may not touch. */
export async function folders(): Promise<{ readonly inside: string; readonly outside: string }> {
  const path = await folder();
  const [inside, outside] = [join(path, 'inside'), join(path, 'outside')];
  await Promise.all([mkdir(inside), mkdir(outside)]);
  return { inside, outside };
}

/** A policy that consists of a given level. */
export function approve(level: ApprovalLevel): Policy {
  return { approve: { level, given: true }, rules: [] };
}

/** The command that starts an agent of the folder `agents`, with its behavior. */
export function fixture(
  name: string,
  start: object = {},
): { readonly command: string; readonly args: string[] } {
  const file = fileURLToPath(new URL(`agents/${name}.mjs`, import.meta.url));
  return { command: process.execPath, args: [file, JSON.stringify(start)] };
}

/** An agent, and all that was heard of it. */
export interface Opened {
  readonly connection: AgentConnection;
  readonly events: readonly HostEvent[];
  /** Settles with the first event of that sort, or when it comes. */
  event<T extends HostEvent['type']>(type: T): Promise<EventOf<T>>;
}

/** How a fixture is started: like any agent, with its behavior. */
export interface FixtureOptions extends Partial<OpenAgentOptions> {
  readonly start?: object;
}

/** Starts a fixture, and ends it after the test. */
export async function open(name: string, { start = {}, ...options }: FixtureOptions = {}): Promise<Opened> {
  const events: HostEvent[] = [];
  const listeners = new Set<(event: HostEvent) => void>();
  const connection = await openAgent({
    ...fixture(name, start),
    cwd: tmpdir(),
    clientInfo: { name: 'test', version: '1.0.0' },
    policy: approve('reads'),
    ...options,
    onEvent: (event) => {
      events.push(event);
      for (const listener of listeners) listener(event);
      return options.onEvent?.(event);
    },
  });
  onTestFinished(async () => {
    await connection.end();
  });
  const event = <T extends HostEvent['type']>(type: T): Promise<EventOf<T>> => {
    const [known] = only(events, type);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => {
      listeners.add((next) => {
        if (isOf(next, type)) resolve(next);
      });
    });
  };
  return { connection, events, event };
}

/** A scripted agent with one session. */
export interface Scripted extends Opened {
  readonly session: AgentSession;
  readonly cwd: string;
  /** Lets the agent carry out steps in one turn. */
  play(...steps: readonly Step[]): Promise<PromptResult>;
  /** The responses to the agent's requests, in order: `{ result }` or `{ error }`. */
  answers(): readonly unknown[];
}

/** Starts the scripted agent and opens a session, in a folder of its own unless an option names one. */
export async function script(
  options: FixtureOptions & { readonly session?: Partial<OpenSessionOptions> } = {},
): Promise<Scripted> {
  const { session: sessionOptions = {}, ...agentOptions } = options;
  const opened = await open('scripted', agentOptions);
  const cwd = sessionOptions.cwd ?? (await folder());
  const session = await openSession(opened.connection, { ...sessionOptions, cwd });
  return {
    ...opened,
    session,
    cwd,
    play: (...steps) => session.prompt([{ type: 'text', text: JSON.stringify(steps) }]),
    answers: () => texts(opened.events).map((text): unknown => JSON.parse(text)),
  };
}

/** The texts of the agent's message chunks. */
export function texts(events: readonly HostEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type !== 'update' || event.view.sessionUpdate !== 'agent_message_chunk') return [];
    return event.view.content.type === 'text' ? [event.view.content.text] : [];
  });
}

/** An event of one sort. */
export type EventOf<T extends HostEvent['type']> = Extract<HostEvent, { readonly type: T }>;

/** The phases that a session goes through according to its state; events of the agent apply to each session. */
export function phases(events: readonly HostEvent[], sessionId: string): readonly SessionPhase[] {
  let facts = noFacts;
  const found: SessionPhase[] = [];
  for (const event of events) {
    const entry = toLoggedEntry(event);
    if (entry === undefined || ('sessionId' in event && event.sessionId !== sessionId)) continue;
    if (event.type === 'session' && found.length === 0) found.push('starting');
    facts = reduceFacts(facts, { ...entry, seq: facts.seq + 1, time: 0 });
    if (found.length > 0 && found.at(-1) !== facts.phase) found.push(facts.phase);
  }
  return found;
}

/** The events of one sort. */
export function only<T extends HostEvent['type']>(
  events: readonly HostEvent[],
  type: T,
): readonly EventOf<T>[] {
  return events.filter((event) => isOf(event, type));
}

function isOf<T extends HostEvent['type']>(event: HostEvent, type: T): event is EventOf<T> {
  return event.type === type;
}

/** The codes of the diagnostics. */
export function codes(events: readonly HostEvent[]): readonly string[] {
  return only(events, 'diagnostic').map((event) => event.code);
}

/** Whether the system has a POSIX shell, signals, links and named pipes. */
export const isPosix: boolean = process.platform !== 'win32';

/** A process that runs. */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** Its whole command line. */
  readonly command: string;
}

/** The processes that run; not those that have ended and were not collected. */
export function processes(): readonly RunningProcess[] {
  const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
  return list.split('\n').flatMap((line) => {
    const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state.startsWith('Z') || command.startsWith('ps -A ')) return [];
    return [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** The command lines of running processes that contain the word. */
export function running(word: string): readonly string[] {
  return processes()
    .map(({ command }) => command)
    .filter((command) => command.split(' ').includes(word));
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  return processes().some((process) => process.pid === pid);
}
