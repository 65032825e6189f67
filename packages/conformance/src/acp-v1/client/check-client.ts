import { valueAt } from '@parley/wire';
import { CheckError } from '../check-error.ts';
import { passed, skipped, toResult } from '../outcome.ts';
import type { CheckResult, ConformanceCard, Rule } from '../requirement.ts';
import { StableText, toPrintable } from '../stable-text.ts';
import type { ClientProgram } from './client-program.ts';
import type { ClientRequirement } from './client-requirement.ts';
import { clientChecks } from './client-requirements.ts';
import { type Scenario, ScriptedAgent, type Talk } from './scripted-agent.ts';

/** What a client has to do by version 1 of the protocol. */
export const clientRequirements: readonly Rule[] = clientChecks;

/** How a client is checked. */
export interface CheckClientOptions {
  /** How long the client may run in each scenario. @default 30 s */
  readonly timeoutMs?: number;
  /** Texts to redact in reports. @default texts that look like secrets */
  readonly secrets?: readonly string[];
  /** Ends the checks and the client. @default never */
  readonly signal?: AbortSignal;
}

/** Checks a client against version 1 of the protocol: it is started once for each scenario, with a scripted agent. */
export async function checkClient(
  program: ClientProgram,
  options: CheckClientOptions = {},
): Promise<ConformanceCard> {
  const { signal, secrets } = options;
  const names = new StableText(secrets);
  const talks = new Map<Scenario, Talk>();
  let failure: unknown;
  for (const scenario of scenarios) {
    signal?.throwIfAborted();
    try {
      talks.set(scenario, await talk(program, scenario, options));
    } catch (error) {
      failure ??= error;
    }
  }
  signal?.throwIfAborted();
  const info = valueAt(talks.get('ordinary')?.messages[0], 'params', 'clientInfo');
  const text = (key: string): string => {
    const value = valueAt(info, key);
    return typeof value === 'string' && value !== '' ? toPrintable(value).slice(0, 100) : 'unknown';
  };
  return {
    target: { name: text('name'), version: text('version') },
    checks: clientChecks.map((requirement) =>
      check(requirement, { names, failure, talk: talks.get(requirement.scenario ?? 'ordinary') }),
    ),
  };
}

function check(
  requirement: ClientRequirement,
  found: { readonly names: StableText; readonly failure: unknown; readonly talk: Talk | undefined },
): CheckResult {
  const { names, failure, talk: played } = found;
  const isFirst = requirement === clientChecks[0];
  if (played === undefined || played.messages.length === 0) {
    const reason = failure ?? new CheckError('broken', 'the client sent nothing to {agent}');
    if (isFirst) return toResult(requirement, reason, { names });
    return skipped(requirement, `the client did not start {agent}: see ${clientChecks[0]?.id ?? ''}`);
  }
  try {
    requirement.judge(played);
    return passed(requirement);
  } catch (error) {
    return toResult(requirement, error, { names });
  }
}

async function talk(
  program: ClientProgram,
  scenario: Scenario,
  { timeoutMs = 30_000, signal }: CheckClientOptions,
): Promise<Talk> {
  let agent: ScriptedAgent | undefined;
  const hasEnded = await program.run({
    onAgent: (streams) => {
      const next = new ScriptedAgent(scenario, streams, timeoutMs / 2);
      agent ??= next;
    },
    timeoutMs,
    signal,
  });
  const { lines = [], messages = [], asked = [], capabilities, loadedAfter } = agent ?? {};
  return { lines, messages, asked, capabilities, loadedAfter, hasEnded };
}

const scenarios: readonly Scenario[] = [
  'ordinary',
  'unsupported-version',
  'unknown-error',
  'interrupt',
  'stored',
];
