import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { openRemote } from '@parley/host';
import {
  hubMethods,
  questionsAfter,
  type EventsNote,
  type HubChanges,
  type HubQuestion,
} from '@parley/host/hub';
import { connect, type Connection } from '@parley/wire';
import { finish, startParley, type Finished, type Line } from './command.ts';

/** What `hub.json` says. */
export interface HubFile {
  readonly url: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly token: string;
}

/** A hub of a test. */
export interface TestHub extends AsyncDisposable {
  readonly file: HubFile;
  /** Ends it with a signal. */
  end(signal?: NodeJS.Signals): Promise<Finished>;
}

/** The file in which a hub of this folder says where it is. */
export function hubFileIn(folder: string): string {
  return path.join(folder, '.home', 'hub.json');
}

export async function readHubFile(folder: string): Promise<HubFile> {
  return JSON.parse(await readFile(hubFileIn(folder), 'utf8')) as HubFile;
}

/** Starts `parley serve` for sessions in the folder. */
export async function startTestHub(folder: string, flags: readonly string[] = []): Promise<TestHub> {
  await mkdir(folder, { recursive: true });
  const child = startParley(['serve', '--port', '0', '--workspace', '.', ...flags], { cwd: folder });
  const finished = finish(child);
  child.stdin.end();
  await new Promise<void>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (part: string) => {
      text += part;
      if (text.includes('?code=')) resolve();
    });
    void finished.then(({ stderr }) => {
      reject(new Error(`it ended: ${stderr}`));
    });
  });
  const end = (signal: NodeJS.Signals = 'SIGTERM'): Promise<Finished> => {
    child.kill(signal);
    return finished;
  };
  return {
    file: await readHubFile(folder),
    end,
    [Symbol.asyncDispose]: async () => {
      await end('SIGKILL');
    },
  };
}

/** A client of the hub, as the page is one. */
export interface HubHere extends AsyncDisposable {
  readonly connection: Connection;
  /** The next question of a session. */
  question(): Promise<HubQuestion>;
  /** Settles when an event of this type has come from the session that is watched. */
  event(type: string): Promise<EventsNote['events'][number]>;
}

export async function joinHub(
  { url, token }: Pick<HubFile, 'url' | 'token'>,
  name = 'page',
): Promise<HubHere> {
  const transport = await openRemote({
    url: `${url.replace(/^http/u, 'ws')}/acp`,
    headers: { Authorization: `Bearer ${token}` },
  });
  let questions: readonly HubQuestion[] = [];
  const events: EventsNote['events'][number][] = [];
  const waiting = new Set<() => void>();
  const connection = connect(transport, {
    onNotification: (method, params) => {
      const changes = params as HubChanges;
      if (method === hubMethods.update) questions = questionsAfter(questions, changes);
      if (method === hubMethods.events) events.push(...(params as EventsNote).events);
      for (const look of waiting) look();
    },
  });
  await connection.request('initialize', { protocolVersion: 1, clientInfo: { name, version: '1' } });
  await connection.request(hubMethods.attend, {});
  const first = <Value>(find: () => Value | undefined): Promise<Value> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return {
    connection,
    question: () => first(() => questions[0]),
    event: (type) => first(() => events.find((event) => event.type === type)),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

/** `parley attach … --format json` while it runs. */
export interface Attached {
  readonly lines: readonly Line[];
  /** Settles when such a line is there. */
  line(isIt: (line: Line) => boolean): Promise<Line>;
  kill(signal: NodeJS.Signals): void;
  readonly finished: Promise<Finished>;
}

export function startAttach(
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Attached {
  const child = startParley(['attach', ...words, '--format', 'json'], { cwd: folder, env });
  const finished = finish(child);
  child.stdin.end();
  const lines: Line[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  child.stdout.on('data', (text: string) => {
    const parts = `${rest}${text}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((part) => JSON.parse(part) as Line));
    for (const look of waiting) look();
  });
  return {
    lines,
    finished,
    line: (isIt) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.find(isIt);
          if (found !== undefined) resolve(found);
        };
        waiting.add(look);
        look();
        void finished.then(({ stderr }) => {
          reject(new Error(`it ended without that line: ${stderr}\n${JSON.stringify(lines)}`));
        });
      }),
    kill: (signal) => {
      child.kill(signal);
    },
  };
}

/** The lines of a command that has ended. */
export function linesOf({ stdout }: Finished): Line[] {
  return stdout
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as Line);
}
