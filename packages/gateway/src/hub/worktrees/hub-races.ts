import { invalidParams, invalidRequest } from '@parley/acp';
import {
  freeRaceId,
  openTogether,
  runnerName,
  runRaceRunner,
  toLabels,
  toRpcError,
  type RaceRunnerOptions,
  type RunnerTurn,
  type Sender,
  type Session,
} from '@parley/host';
import type { BeginRaceParams, BeginRaceResult } from '@parley/host/hub';
import type { ListedAgent } from '../agents/hub-catalogue.ts';
import type { HubOptions } from '../hub-options.ts';
import { expectWorktrees, type HubWorktree } from '../hub-worktrees.ts';
import type { BegunSession, NewSession } from '../sessions/new-session.ts';

/** What races need of the hub. */
export interface RaceHub {
  readonly options: HubOptions;
  readonly agents: {
    find(name: string): object | undefined;
    findNow(name: string): Promise<Pick<ListedAgent, 'spec'> | undefined>;
  };
  readonly worktrees: { look(): void };
  begin(wanted: NewSession): Promise<BegunSession>;
  steer(key: string): Promise<Session>;
}

/** Whose race it is. */
export interface RaceOwner {
  /** The id of the token to which the sessions belong. */
  readonly owner: string;
  /** Who the prompt is from. */
  readonly from: Sender;
}

/** The races that run: one prompt for several agents, each a session of the hub in a worktree of its own. */
export class HubRaces {
  readonly #hub: RaceHub;
  readonly #running = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();

  constructor(hub: RaceHub) {
    this.#hub = hub;
  }

  /** Opens the worktrees, and starts all runners at once. @throws {RpcError} Nothing was started. */
  async begin(params: BeginRaceParams, owner: RaceOwner): Promise<BeginRaceResult> {
    const { agents: known, options } = this.#hub;
    const { cwd, agents, prompt, check, base, withChanges } = params;
    const worktrees = expectWorktrees('race', options.worktrees);
    if (this.#ending.signal.aborted) throw invalidRequest('the server is ending');
    for (const [at, name] of agents.entries()) {
      if (known.find(name) !== undefined) continue;
      throw invalidParams(`agents[${String(at)}]`, 'the name of an agent');
    }
    const { stateFolder } = worktrees;
    const labels = toLabels(agents);
    const onDamaged = (error: unknown): void => options.onFault?.(error);
    const id = await freeRaceId(labels, { stateFolder, onDamaged });
    const beginning = { ...(base !== undefined && { base }), ...(withChanges === true && { withChanges }) };
    const places = await openTogether(
      labels.map((label) => worktrees.open(cwd, { ...beginning, name: runnerName(id, label) })),
    );
    const race = { id, prompt, ...(check !== undefined && { command: check }) };
    for (const [at, place] of places.entries()) {
      const agent = agents[at] ?? '';
      const running = this.#run(place, {
        race: { ...race, agent },
        record: place.record,
        stateFolder,
        cwd: place.cwd,
        takeTurn: () => this.#takeTurn(place, { cwd, agent, prompt }, owner),
        signal: this.#ending.signal,
        // What matters is in its entry.
        log: () => undefined,
        onProgress: () => {
          this.#hub.worktrees.look();
        },
      }).finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
    return { id, notes: places.flatMap(({ notes }) => notes) };
  }

  /** Starts no more checks, ends running ones, and waits until all runners have ended with their turns. */
  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#running);
  }

  /** Never rejects. The worktree is released at the end: until then it shows that the runner has a process. */
  async #run(place: HubWorktree, options: RaceRunnerOptions): Promise<void> {
    try {
      await runRaceRunner(options);
    } catch (error) {
      this.#hub.options.onFault?.(error);
    } finally {
      await place[Symbol.asyncDispose]();
      this.#hub.worktrees.look();
    }
  }

  /** Begins the session of a runner, and sends the prompt. */
  async #takeTurn(
    place: HubWorktree,
    { cwd, agent, prompt }: { readonly cwd: string; readonly agent: string; readonly prompt: string },
    { owner, from }: RaceOwner,
  ): Promise<RunnerTurn> {
    let held: Pick<RunnerTurn, 'sandbox'> = {};
    try {
      const spec = (await this.#hub.agents.findNow(agent))?.spec;
      const sandbox = spec && (await this.#hub.options.sandboxFor?.({ spec, cwd: place.cwd }));
      if (sandbox !== undefined) held = { sandbox };
      const meta = { 'parley/agent': agent };
      const { key } = await this.#hub.begin({ cwd, additionalDirectories: [], meta, owner, place });
      const { turns } = await this.#hub.steer(key);
      const { ended } = turns.send([{ type: 'text', text: prompt }], { from, isUnattended: false });
      const { rawStopReason, stopReason, usage } = await ended;
      return { stopReason: rawStopReason ?? stopReason, usage, ...held };
    } catch (error) {
      const refusal = toRpcError(error);
      if (refusal === undefined) this.#hub.options.onFault?.(error);
      return { error: refusal?.message ?? 'the turn failed here', ...held };
    }
  }
}
