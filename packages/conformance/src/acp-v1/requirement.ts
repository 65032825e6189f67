import type { CheckKit } from './check-kit.ts';

/** What a requirement is worth: only the first two count against an agent, the second one where it declares the capability. */
export type Tier = 'mandatory' | 'capability' | 'advisory' | 'informational';

/** How a check ended. */
export type Outcome =
  | { readonly outcome: 'pass' }
  | { readonly outcome: 'fail'; readonly reason: string }
  | { readonly outcome: 'skipped'; readonly reason: string }
  | { readonly outcome: 'recorded'; readonly info: string };

/** One thing an ACP agent has to do, under the id that the public conformance kit gives it. */
export interface AgentRequirement {
  readonly id: string;
  readonly tier: Tier;
  readonly title: string;
  /** Settles when it holds, with what is worth recording; rejects with a `CheckError` that says what happened instead. */
  run(kit: CheckKit): Promise<string | void>;
}
