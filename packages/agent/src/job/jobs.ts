import { AgentError } from '../agent-error.ts';
import type { ConversationNotice } from '../conversation/conversation-notice.ts';
import type { CommandSandbox, Environment } from '../environment.ts';
import type { AgentLimits } from '../limits.ts';
import { toTitle } from '../tools/argument/title.ts';
import { Job } from './job.ts';

/** Where the jobs of a session run. */
export interface JobsOptions {
  readonly environment: Environment;
  readonly limits: AgentLimits;
  readonly cwd: string;
  /** How often the session was resumed before; it makes the ids of jobs unique. */
  readonly opening: number;
}

/** The commands that a session runs in the background, and the last ones that ended. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #jobs = new Map<string, Job>();
  readonly #announced = new WeakSet<Job>();
  #started = 0;
  #isClosed = false;
  #wasCancelled = false;

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** Starts a command, in a sandbox if one is required. */
  start(command: string, sandbox?: CommandSandbox): Job {
    const { environment, limits, cwd, opening } = this.#options;
    if (this.#isClosed) throw new AgentError('refused', 'The session is being closed');
    const running = this.#running();
    if (running.length >= limits.jobs) {
      const ids = running.map(({ id }) => id).join(', ');
      throw new AgentError(
        'limit',
        `${String(limits.jobs)} commands are already running in the background: ${ids}`,
      );
    }
    this.#started += 1;
    const id = `job_${opening === 0 ? '' : `${String(opening)}_`}${String(this.#started)}`;
    const job = new Job({
      id,
      command,
      cwd,
      environment: sandbox ?? environment,
      limitChars: limits.outputBytes,
    });
    this.#jobs.set(id, job);
    this.#forgetOldest();
    return job;
  }

  find(id: string): Job {
    const job = this.#jobs.get(id);
    if (job !== undefined) return job;
    const known = [...this.#jobs.keys()];
    const message =
      known.length === 0
        ? `No job "${id}": none was started since this session was opened`
        : `No job "${id}"; the jobs are ${known.join(', ')}`;
    throw new AgentError('unknown-job', message);
  }

  /** What the model should know: which jobs run, and which ended without its knowledge. */
  describe(): readonly string[] {
    return [...this.#jobs.values()]
      .filter(({ isEndKnown }) => !isEndKnown)
      .map(({ id, command, end }) => `${id} (${toTitle(command)}): ${end ?? 'runs'}`);
  }

  /** Notices that the user has not seen yet: which jobs ended, and which run on after a cancel. */
  takeNotices(): readonly ConversationNotice[] {
    const ended = [...this.#jobs.values()].filter((job) => job.state.state !== 'running');
    const unannounced = ended.filter((job) => !job.isEndKnown && !this.#announced.has(job));
    for (const job of unannounced) this.#announced.add(job);
    const running = this.#wasCancelled ? this.#running() : [];
    this.#wasCancelled = false;
    return [
      ...unannounced.map((job) => toNotice('A command in the background ended', job)),
      ...running.map((job) => toNotice('A command still runs in the background', job)),
    ];
  }

  /** Reports the jobs that continue after a cancelled turn. */
  noteCancel(): void {
    this.#wasCancelled = true;
  }

  /** Ends all jobs, rejects new ones, and waits for their processes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#jobs.values()].map((job) => job.stop()));
  }

  #running(): readonly Job[] {
    return [...this.#jobs.values()].filter(({ state }) => state.state === 'running');
  }

  #forgetOldest(): void {
    const ended = [...this.#jobs.values()].filter(({ state }) => state.state !== 'running');
    const surplus = Math.max(0, ended.length - this.#options.limits.jobs);
    for (const { id } of ended.slice(0, surplus)) this.#jobs.delete(id);
  }
}

function toNotice(title: string, { id, command, end }: Job): ConversationNotice {
  const description = `${toTitle(command)} (${id})${end === undefined ? '' : `: ${end}`}`;
  return { severity: 'info', title, description };
}
