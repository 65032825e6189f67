import { valueAt } from '@parley/wire';
import type { AgentRequirement, ConversationCheck, ExchangeCheck } from './agent-requirement.ts';
import { CheckError } from './check-error.ts';
import { CheckKit, type CheckOptions, type OpenedAgent, textPrompt } from './check-kit.ts';
import type { AgentProgram } from './checked-agent.ts';
import { type CheckClient, type OrdinaryConversation, converse, type Reach } from './conversation.ts';
import { passed, skipped, toResult } from './outcome.ts';
import type { CheckResult, ConformanceCard, Rule } from './requirement.ts';
import { agentChecks } from './requirements.ts';
import { toPrintable } from './stable-text.ts';

/** What an agent has to do by version 1 of the protocol. */
export const agentRequirements: readonly Rule[] = agentChecks;

/** How many checks, and which. */
export interface CheckAgentOptions extends CheckOptions {
  /** Which of `agentRequirements` are checked. @default all of them */
  readonly requirements?: readonly Rule[];
  /** Agents that run at once. @default 3 */
  readonly atOnce?: number;
  /** Called after each check. @default not at all */
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Checks an ACP agent against version 1 of the protocol. Most checks share one agent, with sessions of their own; one that
 * fails there is repeated with a new agent, so that no check fails because of another.
 */
export async function checkAgent(
  program: AgentProgram,
  options: CheckAgentOptions = {},
): Promise<ConformanceCard> {
  const { requirements: wanted = agentRequirements, atOnce = 3, signal } = options;
  const ids = new Set(wanted.map(({ id }) => id));
  const requirements = agentChecks.filter(({ id }) => ids.has(id));
  const suite = new AgentSuite(program, options, requirements.length);
  try {
    await suite.probe();
    const results = new Map<AgentRequirement, CheckResult>();
    const check = async (requirement: AgentRequirement): Promise<void> => {
      if (signal?.aborted !== true) results.set(requirement, await suite.check(requirement));
    };
    const isShared = (requirement: AgentRequirement): boolean =>
      'run' in requirement && requirement.isAlone !== true;
    const inOne = async (): Promise<void> => {
      for (const requirement of requirements.filter(isShared)) await check(requirement);
    };
    const alone = requirements.filter((requirement) => !isShared(requirement));
    await inParallel([inOne, ...alone.map((requirement) => () => check(requirement))], atOnce);
    signal?.throwIfAborted();
    const checks = requirements.flatMap((requirement) => results.get(requirement) ?? []);
    return { target: suite.target, checks };
  } finally {
    await suite[Symbol.asyncDispose]();
  }
}

class AgentSuite implements AsyncDisposable {
  target = { name: 'unknown', version: 'unknown' };
  readonly #program: AgentProgram;
  readonly #options: CheckAgentOptions;
  readonly #of: number;
  #done = 0;
  #reach: Reach = 'start';
  #signInReason: string | undefined;
  #shared: SharedAgent | undefined;
  readonly #conversations = new Map<CheckClient, Promise<CheckedConversation>>();
  readonly #kits: CheckKit[] = [];

  constructor(program: AgentProgram, options: CheckAgentOptions, of: number) {
    this.#program = program;
    this.#options = options;
    this.#of = of;
  }

  /** Finds out how far the agent can be used: what builds on a step that fails is skipped. */
  async probe(): Promise<void> {
    const kit = this.#kit();
    try {
      const opened = await kit.openAs();
      this.#reach = 'initialize';
      for (const key of ['name', 'version'] as const) {
        const text = valueAt(opened.initialized, 'agentInfo', key);
        if (typeof text === 'string' && text !== '') this.target[key] = toPrintable(text).slice(0, 100);
      }
      kit.limit.restart();
      const session = await kit.openSession(opened.agent);
      this.#reach = 'session';
      kit.limit.restart();
      await opened.agent.request('session/prompt', textPrompt(session, kit.prompts.plain));
      this.#reach = 'turn';
      this.#shared = { kit, opened, isFresh: false };
    } catch (error) {
      if (error instanceof CheckError && error.code === 'not-applicable') this.#signInReason = error.message;
      await kit[Symbol.asyncDispose]();
    }
  }

  async check(requirement: AgentRequirement): Promise<CheckResult> {
    const result = await this.#check(requirement);
    this.#done += 1;
    this.#options.onProgress?.(this.#done, this.#of);
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#kits.map((kit) => kit[Symbol.asyncDispose]()));
  }

  async #check(requirement: AgentRequirement): Promise<CheckResult> {
    const missing = this.#missing(requirement.needs);
    if (missing !== undefined) return skipped(requirement, missing);
    if ('judge' in requirement) return this.#judge(requirement);
    if (requirement.isAlone === true) return this.#run(requirement);
    let shared = this.#shared;
    if (shared !== undefined && !shared.opened.agent.hasEnded) {
      const result = await this.#runShared(requirement, shared);
      if (result.outcome !== 'failed' || shared.isFresh) return result;
    }
    shared = await this.#share();
    if (shared === undefined) return this.#run(requirement);
    return this.#runShared(requirement, shared);
  }

  #missing(needs: Reach): string | undefined {
    if (steps.indexOf(needs) <= steps.indexOf(this.#reach)) return undefined;
    return this.#signInReason ?? whatFailed[this.#reach];
  }

  async #judge(requirement: AgentRequirement & ConversationCheck): Promise<CheckResult> {
    const client = requirement.client ?? 'least';
    const talk = this.#conversations.get(client) ?? this.#converse(client);
    this.#conversations.set(client, talk);
    const { kit, conversation, error } = await talk;
    try {
      if (conversation === undefined) throw error;
      requirement.judge(conversation);
      return passed(requirement);
    } catch (thrown) {
      return toResult(requirement, thrown, { names: kit.names, hasOwnIds: true });
    }
  }

  async #converse(client: CheckClient): Promise<CheckedConversation> {
    const kit = this.#kit();
    try {
      return { kit, conversation: await converse(kit, client, this.#reach), error: undefined };
    } catch (error) {
      return { kit, conversation: undefined, error };
    }
  }

  /** Starts the agent that the next checks share, in place of one that failed. */
  async #share(): Promise<SharedAgent | undefined> {
    const before = this.#shared;
    this.#shared = undefined;
    await before?.kit[Symbol.asyncDispose]();
    const kit = this.#kit();
    try {
      this.#shared = { kit, opened: await kit.openAs(), isFresh: true };
    } catch {
      // The check itself says so, with an agent of its own.
    }
    return this.#shared;
  }

  async #runShared(requirement: AgentRequirement & ExchangeCheck, shared: SharedAgent): Promise<CheckResult> {
    shared.kit.limit.restart();
    const result = await this.#run(requirement, shared.opened);
    if (result.outcome !== 'failed') shared.isFresh = false;
    else if (shared.isFresh) await this.#discard();
    return result;
  }

  async #discard(): Promise<void> {
    const shared = this.#shared;
    this.#shared = undefined;
    await shared?.kit[Symbol.asyncDispose]();
  }

  async #run(requirement: AgentRequirement & ExchangeCheck, shared?: OpenedAgent): Promise<CheckResult> {
    await using kit = new CheckKit(this.#program, this.#options, shared);
    try {
      await requirement.run(kit);
      return passed(requirement);
    } catch (error) {
      return toResult(requirement, error, { names: kit.names, evidence: kit.evidence, hasOwnIds: true });
    }
  }

  #kit(): CheckKit {
    const kit = new CheckKit(this.#program, this.#options);
    this.#kits.push(kit);
    return kit;
  }
}

/** An agent that several checks use, one after the other. */
interface SharedAgent {
  readonly kit: CheckKit;
  readonly opened: OpenedAgent;
  /** No check has used it yet: one that fails now fails for itself. */
  isFresh: boolean;
}

interface CheckedConversation {
  readonly kit: CheckKit;
  readonly conversation: OrdinaryConversation | undefined;
  /** Why there is no conversation. */
  readonly error: unknown;
}

const steps: readonly Reach[] = ['start', 'initialize', 'session', 'turn'];

/** Why the next step cannot be checked, by the last one that worked. */
const whatFailed: Readonly<Record<Reach, string>> = {
  start: 'initialize failed: see ACP-INIT-001',
  initialize: 'no session could be opened: see ACP-SESSION-001',
  session: 'no prompt was answered: see ACP-PROMPT-001',
  turn: '',
};

async function inParallel(tasks: readonly (() => Promise<void>)[], atOnce: number): Promise<void> {
  const waiting = [...tasks];
  const work = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await task();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
