import { invalidParams, invalidRequest } from '@parley/acp';
import {
  defaultDelegationLimits,
  noNotes,
  type DelegateWish,
  type DelegationLimits,
  type DelegationOptions,
  type OpenedDelegate,
  type Session,
} from '@parley/host';
import { shorten } from '@parley/wire';
import { serveDelegation } from '../client-tools/serve-delegation.ts';
import type { ToolEndpoints } from '../client-tools/tool-endpoint.ts';
import { createToolEndpoints } from '../client-tools/tool-endpoints.ts';
import type { ListedAgent } from './agents/hub-catalogue.ts';
import type { HubOptions } from './hub-options.ts';
import { expectWorktrees } from './hub-worktrees.ts';
import type { SessionBeginning } from './sessions/new-session.ts';
import type { SessionBasis } from './sessions/stored-session.ts';

/** Options of the delegation in the hub's sessions. */
export interface HubDelegationOptions extends Pick<HubOptions, 'teamIn' | 'worktrees'> {
  readonly find: (name: string) => Promise<ListedAgent | undefined>;
  readonly add: (agent: ListedAgent, basis: SessionBasis, beginning: SessionBeginning) => Session;
}

/** How the sessions of a hub delegate: to agents of the hub, in sessions of the hub. */
export class HubDelegation {
  readonly #options: HubDelegationOptions;
  readonly #endpoints: ToolEndpoints = createToolEndpoints();

  constructor(options: HubDelegationOptions) {
    this.#options = options;
  }

  /**
   * The delegation of a new session; undefined if it has no team.
   *
   * @param wanted The names that the client chose. @default those of the configuration
   * @throws {RpcError} -32602: one of them is not an agent of the hub that can be started.
   */
  async begin(cwd: string, wanted?: readonly string[]): Promise<DelegationOptions | undefined> {
    const { agents: configured = [], ...limits } = (await this.#options.teamIn?.(cwd)) ?? {};
    const team: ListedAgent[] = [];
    for (const name of new Set(wanted ?? configured)) {
      const agent = await this.#options.find(name);
      if (agent?.spec !== undefined) {
        team.push(agent);
      } else if (wanted !== undefined) {
        throw invalidParams(
          '_meta.parley/team',
          `names of agents that can be started, and ${JSON.stringify(shorten(name))} is not one`,
        );
      }
    }
    return team.length === 0 ? undefined : this.#of(team, { ...defaultDelegationLimits, ...limits });
  }

  /** The delegation of a stored session that is resumed: agents that were removed are left out. */
  async resume(cwd: string, names: readonly string[] = []): Promise<DelegationOptions | undefined> {
    const found: string[] = [];
    for (const name of names) {
      if ((await this.#options.find(name))?.spec !== undefined) found.push(name);
    }
    return found.length === 0 ? undefined : this.begin(cwd, found);
  }

  close(): Promise<void> {
    return this.#endpoints.close();
  }

  #of(team: readonly ListedAgent[], limits: DelegationLimits): DelegationOptions {
    return {
      agents: team.map(({ name, title, description, askMode }) => ({
        name,
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        ...(askMode !== undefined && { askMode }),
      })),
      limits,
      ...serveDelegation(this.#endpoints),
      open: (wish) => this.#open(wish),
    };
  }

  async #open({ agent: { name }, worktree, basis, signal }: DelegateWish): Promise<OpenedDelegate> {
    const { find, add, worktrees } = this.#options;
    const agent = await find(name);
    if (agent?.spec === undefined) {
      throw invalidRequest(`the agent ${JSON.stringify(shorten(name))} is not available here`);
    }
    const place =
      worktree === undefined
        ? undefined
        : await expectWorktrees('delegate', worktrees).open(
            basis.cwd,
            worktree === true ? {} : { name: worktree },
            { signal },
          );
    const { key, parent, cwd, worktree: parentWorktree, owner, ...beginning } = basis;
    const now = Date.now();
    const folder = place ?? { cwd, worktree: parentWorktree };
    const session = add(
      agent,
      {
        key,
        parent,
        cwd: folder.cwd,
        ...(folder.worktree !== undefined && { worktree: folder.worktree }),
        ...(owner !== undefined && { owner }),
        createdAt: now,
        updatedAt: now,
        notes: noNotes,
      },
      {
        ...beginning,
        // It works while users do something else: who has to sign in first reads so in its failure.
        askSignIn: () => Promise.resolve(undefined),
        slotWaitMs: delegateSlotWaitMs,
      },
    );
    place?.keep();
    return {
      session,
      ...(place !== undefined && { worktree: place.worktree }),
      [Symbol.asyncDispose]: async () => place?.[Symbol.asyncDispose](),
    };
  }
}

/**
 * How long the start of a delegate may wait for a slot: its parent, which may have the last one, gets the reason
 * within 5 s.
 */
const delegateSlotWaitMs = 4000;
