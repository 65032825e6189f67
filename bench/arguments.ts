import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface Arguments {
  readonly format: 'text' | 'json' | 'markdown';
  /** Beginnings of the names of the cases to run; none means all. */
  readonly only: readonly string[];
  readonly rounds: number;
  /** What all counts are divided by. */
  readonly divisor: number;
  /** A file with the output of an earlier run with `--json`, to compare with. */
  readonly compareWith?: string;
}

/** What `--help` prints. */
export const usage = `npm run bench -- [options]

  --only NAME    run only the cases whose name begins so (may be repeated)
  --rounds N     interleaved rounds (default 5)
  --quick        a tenth of the work and 2 rounds: to see that it works, not to compare
  --json         one JSON document for machines
  --markdown     the table of docs/performance.md
  --compare FILE compare with an earlier run on this machine, whose output of --json is in FILE;
                 the status is 1 when a metric is worse by more than its noise
  --no-build     measure what was built before
`;

/** Reads the command line; undefined when help is asked for. */
export function parseArguments(args: readonly string[]): Arguments | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
      compare: { type: 'string' },
      'no-build': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const rounds = Number(values.rounds ?? (values.quick ? 2 : 5));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds wants a whole number from 1');
  return {
    format: values.json ? 'json' : values.markdown ? 'markdown' : 'text',
    only: values.only,
    rounds,
    divisor: values.quick ? 10 : 1,
    ...(values.compare !== undefined && { compareWith: values.compare }),
  };
}
