import { idKey } from '@parley/recording';
import { isJsonObject, type JsonObject, valueAt } from '@parley/wire';
import { findDifference } from './find-difference.ts';
import type { RecordedLane, Step } from './recording-index.ts';
import { Rewrite } from './rewrite.ts';
import type { Asked, LiveCall, Stage } from './stage.ts';

/** A request of the client that the recording answers later. */
interface Taken {
  readonly id: unknown;
  /** The directory that it names. */
  readonly cwd?: string;
}

/**
 * Replays the messages of one session in order: sends the agent's messages at their time, and waits for the client's.
 */
export class LanePlayer {
  readonly rewrite: Rewrite = new Rewrite();
  readonly #steps: readonly Step[];
  readonly #stage: Stage;
  #cursor = 0;
  /** Messages of the client that the replay has not reached yet. */
  readonly #inbox: LiveCall[] = [];
  readonly #taken = new Map<Step, Taken>();
  readonly #asked = new Map<Step, Asked>();
  /** Requests that were not sent when it was their turn; they may still come. */
  readonly #skipped: Step[] = [];
  #wake: (() => void) | undefined;
  /** Whether the client has cancelled the turn: the rest of it is sent without delays. */
  #isHurried = false;
  /** How often a turn was left before its recorded end. */
  #jumps = 0;
  #lastTime: number | undefined;
  #lastNow: number;

  constructor({ steps }: RecordedLane, stage: Stage) {
    this.#steps = steps;
    this.#stage = stage;
    this.#lastNow = stage.clock.now();
  }

  /** The method with which a client has to start this lane. */
  get firstMethod(): string | undefined {
    return this.#steps[0]?.method;
  }

  /** The first thing that the client did not say, by its name. */
  get unsaid(): string | undefined {
    const said = new Set(this.#inbox.map(({ method }) => method));
    const step = this.#steps.slice(this.#cursor).find((each) => isExpected(each) && !said.has(each.method));
    return step && nameOf(step);
  }

  /** Plays until the replay ends. */
  async play(): Promise<void> {
    const { signal } = this.#stage;
    const onAbort = (): void => this.#wake?.();
    signal.addEventListener('abort', onAbort, { once: true });
    while (!signal.aborted) {
      const step = this.#steps[this.#cursor];
      if (step === undefined) await this.#endLane();
      else if (step.direction === 'in') await this.#say(step);
      else if (step.kind === 'answer') await this.#hearAnswer(step);
      else await this.#hear(step);
    }
  }

  /** Handles a message of the client; messages that the recording does not contain are rejected. */
  async take(call: LiveCall): Promise<void> {
    if (call.method === 'session/cancel') return this.#cancel(call);
    if (this.#inbox.length < maxWaiting && this.#isExpected(call)) {
      this.#inbox.push(call);
      this.#wake?.();
      return;
    }
    const late = this.#skipped.findIndex(({ method }) => method === call.method);
    const [step] = late === -1 ? [] : this.#skipped.splice(late, 1);
    if (step === undefined) {
      await this.#stage.refuse(call, `the recording has no ${call.method} here`);
      return;
    }
    this.#accept(step, call);
    const answer = this.#steps.find(({ request }) => request === step);
    if (answer !== undefined) await this.#answer(answer, this.#jumps);
  }

  /** The client does not want the answer to this request any more. */
  async cancelRequest(id: unknown): Promise<boolean> {
    const found = [...this.#taken].find(([, taken]) => idKey(taken.id) === idKey(id));
    if (found === undefined) return false;
    await this.#leave(found[0], { error: { code: -32800, message: 'Request cancelled' } });
    return true;
  }

  async #say(step: Step): Promise<void> {
    if (step.kind === 'answer' && step.request !== undefined && !this.#taken.has(step.request)) {
      this.#pass(step);
      return;
    }
    const wait = this.#waitFor(step);
    if (wait > 0) return this.#sleep(wait);
    this.#pass(step);
    const jumps = this.#jumps;
    if (step.kind === 'answer') return this.#answer(step, jumps);
    const message = await this.#read(step, jumps);
    if (message === undefined) return;
    if (step.kind === 'request') {
      const asked = this.#stage.ask(message);
      this.#asked.set(step, asked);
      await asked.isSent;
    } else if (step.method !== '$/cancel_request') {
      await this.#stage.send(message);
    } else {
      const requestId = step.request && this.#asked.get(step.request)?.id;
      if (requestId !== undefined) await this.#stage.send({ ...message, params: { requestId } });
    }
  }

  async #answer(step: Step, jumps: number): Promise<void> {
    const { request } = step;
    const taken = request && this.#taken.get(request);
    if (request === undefined || taken === undefined) return;
    const message = await this.#read(step, jumps);
    if (message === undefined) return;
    this.#taken.delete(request);
    if (request.method === 'session/prompt') this.#isHurried = false;
    await this.#stage.send({ ...message, id: taken.id });
    if (step.opens !== undefined) this.#stage.open(step, taken.cwd);
  }

  /** Waits for the client's response to a request of the agent. */
  async #hearAnswer(step: Step): Promise<void> {
    const asked = step.request && this.#asked.get(step.request);
    this.#pass(step);
    if (asked === undefined) return;
    const { isStrict } = this.#stage;
    const live = await asked.answer;
    if (step.request !== undefined) this.#asked.delete(step.request);
    if (live === undefined) return;
    this.#lastNow = this.#stage.clock.now();
    if (step.method !== 'terminal/create' && !isStrict) return;
    const recorded = await this.#stage.read(step);
    const [from, to] = [valueAt(recorded, 'result', 'terminalId'), valueAt(live, 'result', 'terminalId')];
    if (typeof from === 'string' && typeof to === 'string') this.rewrite.id(from, to);
    if (isStrict) this.#compare(step, ['result', 'error'], recorded, live);
  }

  /** The client has to say something. */
  async #hear(step: Step): Promise<void> {
    const found = this.#inbox.findIndex(({ method }) => method === step.method);
    const [call] = found === -1 ? [] : this.#inbox.splice(found, 1);
    if (call === undefined) {
      // What it said instead comes later in the recording: this one is not going to come now.
      if (this.#inbox.length > 0) this.#skip(step);
      else await this.#sleep();
      return;
    }
    this.#pass(step);
    this.#accept(step, call);
    if (!this.#stage.isStrict || step.method === 'initialize') return;
    this.#compare(step, ['params'], await this.#stage.read(step), { params: call.params });
  }

  #accept(step: Step, { id, params }: LiveCall): void {
    const cwd = valueAt(params, 'cwd');
    const isDirectory = typeof cwd === 'string';
    if (isDirectory && step.cwd !== undefined) this.rewrite.cwd(step.cwd, cwd);
    if (step.kind === 'request') this.#taken.set(step, { id, ...(isDirectory && { cwd }) });
  }

  #skip(step: Step): void {
    this.#stage.depart(`${nameOf(step)} was not sent`);
    if (step.method !== 'session/prompt') {
      this.#pass(step);
      if (step.kind === 'request') this.#skipped.push(step);
      return;
    }
    // A turn that is not asked for is not played; what the client said may be from the middle of it.
    const methods = new Set(this.#inbox.map(({ method }) => method));
    this.#jump(step, (later) => isExpected(later) && methods.has(later.method));
  }

  async #cancel(call: LiveCall): Promise<void> {
    const prompt = [...this.#taken.keys()].findLast(({ method }) => method === 'session/prompt');
    if (prompt === undefined) return this.#cancelIdle(call);
    const end = this.#steps.findIndex((step) => step.request === prompt);
    const turn = this.#steps.slice(this.#cursor, end === -1 ? undefined : end);
    if (turn.some((step) => isExpected(step) && step.method === call.method)) {
      this.#isHurried = true;
      this.#inbox.push(call);
      this.#wake?.();
      return;
    }
    this.#stage.depart(`session/cancel is not in the recording of ${nameOf(prompt)}: the turn ends here`);
    await this.#leave(prompt, { result: { stopReason: 'cancelled' } });
  }

  /** Handles a cancellation while no turn is running: one may be about to start, or have just ended. */
  async #cancelIdle(cancel: LiveCall): Promise<void> {
    const waiting = this.#inbox.findIndex(({ method }) => method === 'session/prompt');
    if (waiting === -1) {
      if (this.#steps.slice(this.#cursor).find(isExpected)?.method !== cancel.method) return;
      this.#inbox.push(cancel);
      this.#wake?.();
      return;
    }
    const [call] = this.#inbox.splice(waiting, 1);
    this.#stage.depart('session/cancel came before the recording came to its session/prompt');
    await this.#stage.send({ jsonrpc: '2.0', id: call?.id, result: { stopReason: 'cancelled' } });
  }

  /** Answers a request before its recorded answer; of a turn the rest is left out. */
  async #leave(step: Step, answer: JsonObject): Promise<void> {
    const taken = this.#taken.get(step);
    this.#taken.delete(step);
    const isTurn = step.method === 'session/prompt';
    const calls = isTurn ? this.#inbox.splice(0) : [];
    if (isTurn) this.#jump(step, () => false);
    await this.#stage.send({ jsonrpc: '2.0', id: taken?.id, ...answer });
    // What was said for the middle of the turn has no place any more; the rest has.
    for (const call of calls) await this.take(call);
  }

  /** Continues after the end of the turn that this prompt started, or at the next message of the client. */
  #jump(prompt: Step, isTarget: (step: Step) => boolean): void {
    const rest = this.#steps.slice(this.#cursor);
    const end = rest.findIndex((step) => step.request === prompt);
    const target = rest.findIndex((step) => step !== prompt && isTarget(step));
    const ends = [end === -1 ? rest.length : end + 1, target === -1 ? rest.length : target];
    this.#cursor += Math.min(...ends);
    this.#jumps += 1;
    this.#isHurried = false;
    this.#lastTime = this.#steps[this.#cursor - 1]?.time;
    this.#lastNow = this.#stage.clock.now();
    this.#wake?.();
  }

  /** Nothing more was recorded: requests are not left waiting for an answer that will not come. */
  async #endLane(): Promise<void> {
    for (const [step, { id }] of this.#taken) {
      this.#taken.delete(step);
      const what = `the recording ends before ${nameOf(step)} was answered`;
      this.#stage.depart(what);
      await this.#stage.send({ jsonrpc: '2.0', id, error: { code: -32603, message: what } });
    }
    await this.#sleep();
  }

  /** The message to send; undefined if the turn was left meanwhile. */
  async #read(step: Step, jumps: number): Promise<JsonObject | undefined> {
    const message = this.rewrite.apply(await this.#stage.read(step));
    return jumps === this.#jumps && isJsonObject(message) ? message : undefined;
  }

  #compare(step: Step, members: readonly string[], recorded: unknown, live: unknown): void {
    for (const member of members) {
      const difference = findDifference(this.rewrite.apply(valueAt(recorded, member)), valueAt(live, member));
      if (difference === undefined) continue;
      this.#stage.depart(`${nameOf(step)} is another at ${member}: ${difference}`);
    }
  }

  /** Whether the recording still contains a message of this method from the client. */
  #isExpected({ method, id }: LiveCall): boolean {
    const kind = id === undefined ? 'notification' : 'request';
    const waiting = this.#inbox.filter((call) => call.method === method).length;
    const left = this.#steps.slice(this.#cursor).filter((step) => isExpected(step) && step.method === method);
    return left.length > waiting && left[0]?.kind === kind;
  }

  #pass(step: Step): void {
    this.#cursor += 1;
    this.#lastTime = step.time;
    this.#lastNow = this.#stage.clock.now();
  }

  /** Milliseconds until it is time for a step. */
  #waitFor({ time }: Step): number {
    if (this.#isHurried || time === undefined || this.#lastTime === undefined) return 0;
    const due = this.#lastNow + (time - this.#lastTime) / this.#stage.speed;
    return due - this.#stage.clock.now();
  }

  /** Settles when something happened, or after a while. */
  #sleep(ms?: number): Promise<void> {
    if (this.#stage.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = ms === undefined ? undefined : this.#stage.clock.after(ms, () => this.#wake?.());
      this.#wake = () => {
        stop?.();
        this.#wake = undefined;
        resolve();
      };
    });
  }
}

/** Calls of the client that wait for the recording to reach them. */
const maxWaiting = 1024;

function isExpected({ direction, kind }: Step): boolean {
  return direction === 'out' && kind !== 'answer';
}

function nameOf({ method, seq }: Step): string {
  return `${method} (frame ${seq})`;
}
