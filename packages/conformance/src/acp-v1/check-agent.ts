import { CheckError } from './check-error.ts';
import { CheckKit } from './check-kit.ts';
import type { CheckOptions } from './check-kit.ts';
import type { AgentRequirement, Outcome, Tier } from './requirement.ts';
import { agentRequirements } from './requirements.ts';

/** What a check of one requirement found. */
export type CheckResult = Outcome & { readonly id: string; readonly tier: Tier; readonly title: string };

/** How many checks, and which. */
export interface CheckAgentOptions extends CheckOptions {
  /** @default all of them */
  readonly requirements?: readonly AgentRequirement[];
  /** Checks that run at once, each with agents of its own. @default 2 */
  readonly atOnce?: number;
  /** Ends the checks: none is begun any more. @default never */
  readonly signal?: AbortSignal;
}

/**
 * Checks an ACP agent by its command line against version 1 of the protocol. The results come in the order of the
 * requirements, each as soon as it and those before it are there.
 */
export async function* checkAgent(
  command: readonly string[],
  options: CheckAgentOptions = {},
): AsyncGenerator<CheckResult, void, undefined> {
  const { requirements = agentRequirements, atOnce = 2, signal, ...rest } = options;
  const running: Promise<CheckResult>[] = [];
  const begin = (): void => {
    const next = requirements[begun];
    if (next === undefined || signal?.aborted === true) return;
    begun++;
    running.push(checkRequirement(next, command, rest).finally(begin));
  };
  let begun = 0;
  for (let index = 0; index < atOnce; index++) begin();
  try {
    for (let index = 0; index < running.length; index++) {
      const result = await running[index];
      if (result !== undefined) yield result;
    }
  } finally {
    begun = requirements.length;
    await Promise.allSettled(running);
  }
}

/** Checks one requirement, with agents of its own, which are gone when it settles. It does not reject. */
export async function checkRequirement(
  requirement: AgentRequirement,
  command: readonly string[],
  options: CheckOptions = {},
): Promise<CheckResult> {
  const { id, tier, title } = requirement;
  return { id, tier, title, ...(await run(requirement, command, options)) };
}

async function run(
  requirement: AgentRequirement,
  command: readonly string[],
  options: CheckOptions,
): Promise<Outcome> {
  await using kit = new CheckKit(command, options);
  try {
    const info = await requirement.run(kit);
    return info === undefined ? { outcome: 'pass' } : { outcome: 'recorded', info };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isSkipped = error instanceof CheckError && error.code === 'not-applicable';
    return { outcome: isSkipped ? 'skipped' : 'fail', reason };
  }
}
