/** The level of a requirement: only a failed required one fails the agent or client. */
export type Level = 'required' | 'recommended';

/** A rule of the protocol. */
export interface Rule {
  /** That of the public conformance kit where it has one; our own end in a number from 101 to 199. */
  readonly id: string;
  readonly level: Level;
  /** In one sentence. */
  readonly rule: string;
  /** The page of the specification. */
  readonly source: string;
}

/** The outcome of a check: `detail` says what happened instead, or why the check does not apply. */
export type Outcome =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed'; readonly detail: string }
  | { readonly outcome: 'skipped'; readonly detail: string };

/** The outcome of one requirement. */
export type CheckResult = Rule & Outcome;

/** The results for one agent or client. The same program has the same card each time. */
export interface ConformanceCard {
  /** As it introduced itself; `unknown` where it did not. */
  readonly target: { readonly name: string; readonly version: string };
  readonly checks: readonly CheckResult[];
}

/** A page of version 1 of the specification. */
export function specification(page: string): string {
  return `https://agentclientprotocol.com/protocol/v1/${page}`;
}

export const jsonRpcSpecification = 'https://www.jsonrpc.org/specification';
