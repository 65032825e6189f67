/** The data of a race's runner in the record of its worktree. */
export interface RaceEntry {
  /** The id of the race. */
  readonly id: string;
  /** The name of the agent, as the user entered it. */
  readonly agent: string;
  /** The beginning of the prompt. */
  readonly prompt: string;
  /** The command of the check. @default no check */
  readonly command?: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** One whose process was killed stays where it was. */
  readonly state: 'running' | 'checking' | 'ended';
  /** The exit status that `parley run` would have. @default it ran in the hub, or has not ended */
  readonly exitCode?: number;
  readonly stopReason?: string;
  /** Why the turn failed. */
  readonly error?: string;
  /** The duration of the turn. */
  readonly seconds?: number;
  /** Tokens and other usage, by the names of the protocol. */
  readonly usage?: Readonly<Record<string, number>>;
  /** The number of changed files at the end of the turn. */
  readonly files?: number;
  readonly additions?: number;
  readonly deletions?: number;
  /** How the check ended. */
  readonly check?: {
    readonly exitCode: number;
    readonly seconds: number;
    /** The end of what it wrote. */
    readonly output: string;
  };
}

/** Stored characters of a race's texts: 2,000. */
const mostTextLength = 2000;

/** Stored numbers of an agent's usage report. */
const mostUsageFields = 16;

/** The same within the bounds of a record. */
export function boundedEntry(entry: RaceEntry): RaceEntry {
  const { prompt, command, error, usage, check } = entry;
  return {
    ...entry,
    prompt: prompt.slice(0, mostTextLength),
    ...(command !== undefined && { command: command.slice(0, mostTextLength) }),
    ...(error !== undefined && { error: error.slice(0, mostTextLength) }),
    ...(usage !== undefined && {
      usage: Object.fromEntries(Object.entries(usage).slice(0, mostUsageFields)),
    }),
    ...(check !== undefined && { check: { ...check, output: check.output.slice(-mostTextLength) } }),
  };
}

/** Whether a stored value is an entry, as far as its readers rely on it. */
export function isRaceEntry(value: unknown): value is RaceEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { id, agent, prompt, startedAt, state }: Readonly<Record<string, unknown>> = { ...value };
  return (
    [id, agent, prompt].every((text) => typeof text === 'string') &&
    typeof startedAt === 'number' &&
    (state === 'running' || state === 'checking' || state === 'ended')
  );
}
