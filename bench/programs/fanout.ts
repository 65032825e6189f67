/** What each stream of a fan-out is to say. */
export interface FanoutWork {
  readonly events: number;
  /** From one event of a stream to its next; 0 for one in each turn of the event loop. */
  readonly gapMs: number;
}

/** Reads what a client of a fan-out asks for. */
export function parseFanoutWork(text: string): FanoutWork {
  const [events = 0, gapMs = 0] = text.split(' ').map(Number);
  return { events, gapMs };
}

/** What a client of a fan-out asks for. */
export function toFanoutText({ events, gapMs }: FanoutWork): string {
  return `${String(events)} ${String(gapMs)}`;
}

/** A piece of text that says when it was made, in microseconds of the machine's clock. */
export function timedText(): string {
  return `${String(nowMicros()).padStart(16, '0')} and then some words more of it`;
}

/** A clock that all processes of the machine share. */
export function nowMicros(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Says what one stream is to say, at its pace. `say` gives a promise when it is to be waited for. */
export async function fanOut(
  { events, gapMs }: FanoutWork,
  say: (text: string) => void | Promise<void>,
): Promise<void> {
  // Streams do not say everything at the same moment.
  const begun = performance.now() + Math.random() * gapMs;
  for (let index = 0; index < events; index++) {
    await (gapMs === 0 ? nextTurn() : until(begun + index * gapMs));
    await say(timedText());
  }
}

let turn: Promise<void> | undefined;

/** The next turn of the event loop, the same for all that wait for it. */
function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

function until(time: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, time - performance.now());
  });
}

/** Where the server of a fan-out is, and which agent it has. */
export interface FanoutServer {
  readonly url: string;
  readonly token: string;
  /** A scripted agent, or the offline model. */
  readonly agent: 'scripted' | 'offline';
}

/**
 * Sends the client of a fan-out the address. It writes a line to standard input when it begins to measure; what was
 * taken since then is reported when it closes that, and then this process ends.
 */
export function serveFanout(server: FanoutServer, close?: () => Promise<void>): void {
  console.log(JSON.stringify(server));
  let before = process.cpuUsage();
  process.stdin.on('data', () => {
    before = process.cpuUsage();
  });
  process.stdin.once('end', () => {
    const { user, system } = process.cpuUsage(before);
    const peakBytes = process.resourceUsage().maxRSS * 1024;
    console.log(JSON.stringify({ cpuMicros: user + system, peakBytes }));
    void Promise.resolve(close?.()).finally(() => process.exit());
  });
}
