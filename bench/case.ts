/** Whose programs are measured side by side. */
export type Contender = 'ours' | 'official' | 'vscode-jsonrpc' | 'limit';

/** What one run of one contender measured, by metric. */
export type Sample = Readonly<Record<string, number>>;

/** How much of its work a run does. */
export interface Scale {
  /** Takes the full count, gives the one to use. */
  count(full: number): number;
}

/** One thing that is measured, for all contenders in turn. */
export interface Case {
  /** What `--only` takes. */
  readonly name: string;
  readonly title: string;
  readonly metrics: readonly Metric[];
  readonly contenders: Readonly<Partial<Record<Contender, (scale: Scale) => Promise<Sample>>>>;
}

/** One number of a case, and what it should be beside the official SDK's. */
export interface Metric {
  readonly key: string;
  readonly title: string;
  readonly unit: Unit;
  readonly better: 'more' | 'less';
  readonly goal: Goal;
}

/** The unit a value is given in; what is shown may be scaled. */
export type Unit = 'per second' | 'microseconds' | 'milliseconds' | 'seconds' | 'bytes' | 'times' | 'count';

/** What a metric should reach. */
export type Goal =
  /** So many times better than the official SDK. */
  | { readonly kind: 'times-better'; readonly atLeast: number }
  /** Such a part of what the official SDK takes. */
  | { readonly kind: 'part'; readonly atMost: number }
  /** Such a part of what the bare limit reaches. */
  | { readonly kind: 'of-limit'; readonly atLeast: number }
  /** Our own value, regardless of the official SDK's. */
  | { readonly kind: 'value'; readonly atMost: number }
  /** None: it is there to explain another metric. */
  | { readonly kind: 'none' };
