import { CliError } from '../cli-error.ts';
import { parseRunFlags, type RunFlags, type TypedRunFlags } from '../run/flags.ts';

/** The flags of `parley race`, as they were typed. */
export interface TypedRaceFlags extends Pick<
  TypedRunFlags,
  'cwd' | 'config' | 'approve' | 'onAsk' | 'timeout' | 'idleTimeout'
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
  /** One runner each: what it is called, and how it runs. */
  readonly runners: readonly RunnerFlags[];
  readonly check?: string;
  readonly isJson: boolean;
}

/** A runner before the race: `A`, and `A-2` where an agent runs twice. */
export interface RunnerFlags {
  readonly label: string;
  /** As it was typed. */
  readonly agent: string;
  readonly flags: RunFlags;
}

/** Checks the flags of `parley race`. */
export function parseRaceFlags(typed: TypedRaceFlags, cwd: string): RaceFlags {
  const { agent: agents = [], check, base, withChanges, json, ...run } = typed;
  if (agents.length === 0) throw new CliError('usage', 'race: expected at least one -a AGENT');
  if (agents.length > mostRunners) {
    throw new CliError(
      'usage',
      `race: ${String(agents.length)} agents; at most ${String(mostRunners)} run at once`,
    );
  }
  if (check?.trim() === '') throw new CliError('usage', '--check: the command is empty');
  const labels = new Map<string, number>();
  const runners = agents.map((agent): RunnerFlags => {
    const name = toLabel(agent);
    const count = (labels.get(name) ?? 0) + 1;
    labels.set(name, count);
    const beginning = {
      ...(base !== undefined && { base }),
      ...(withChanges === true && { withChanges }),
    };
    const flags = parseRunFlags({ ...run, agent, worktree: true, ...beginning }, cwd);
    return { label: count === 1 ? name : `${name}-${String(count)}`, agent, flags };
  });
  return { runners, ...(check !== undefined && { check }), isJson: json === true };
}

/** How many runners a race may have. */
const mostRunners = 16;

/** What a runner is called, as part of the name of a worktree. */
function toLabel(agent: string): string {
  const label = agent
    .replace(/^[a-z]+:\/\//u, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');
  return label === '' ? 'agent' : label.slice(0, mostLabelCharacters);
}

const mostLabelCharacters = 40;
