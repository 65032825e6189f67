import { mostRunners, toLabels } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { parseRunFlags, type PromptSource, type RunFlags, type TypedRunFlags } from '../run/flags.ts';

/** The flags of `parley race`, as typed. */
export interface TypedRaceFlags extends Pick<
  TypedRunFlags,
  'cwd' | 'config' | 'approve' | 'sandbox' | 'onAsk' | 'timeout' | 'idleTimeout'
> {
  readonly prompt: string;
  readonly agent?: readonly string[];
  readonly check?: string;
  readonly base?: string;
  readonly withChanges?: boolean;
  readonly json?: boolean;
}

/** What one race is to do. */
export interface RaceFlags {
  readonly prompt: PromptSource;
  /** One runner each: what it is called, and how it runs. */
  readonly runners: readonly RunnerFlags[];
  readonly check?: string;
  readonly isJson: boolean;
}

/** A runner before the race: `A`, and `A-2` where an agent runs twice. */
export interface RunnerFlags {
  readonly label: string;
  /** The name as typed. */
  readonly agent: string;
  readonly flags: RunFlags;
}

/** Checks the flags of `parley race`. */
export function parseRaceFlags(typed: TypedRaceFlags, cwd: string): RaceFlags {
  const { agent: agents = [], check, base, withChanges, json, ...run } = typed;
  if (agents.length > mostRunners) {
    throw new CliError(
      'usage',
      `race: ${String(agents.length)} agents; at most ${String(mostRunners)} run at once`,
    );
  }
  if (check?.trim() === '') throw new CliError('usage', '--check: the command is empty');
  const labels = toLabels(agents);
  const runners = agents.map((agent, index): RunnerFlags => {
    const beginning = {
      ...(base !== undefined && { base }),
      ...(withChanges === true && { withChanges }),
    };
    const flags = parseRunFlags({ ...run, agent, worktree: true, ...beginning }, cwd);
    return { label: labels[index] ?? agent, agent, flags };
  });
  const [first] = runners;
  if (first === undefined) throw new CliError('usage', 'race: expected at least one -a AGENT');
  return {
    prompt: first.flags.prompt,
    runners,
    ...(check !== undefined && { check }),
    isJson: json === true,
  };
}
