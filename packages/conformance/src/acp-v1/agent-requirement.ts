import type { CheckKit } from './check-kit.ts';
import type { CheckClient, OrdinaryConversation, Reach } from './conversation.ts';
import type { Rule } from './requirement.ts';

/** One thing that an ACP agent has to do. */
export type AgentRequirement = Rule & {
  /** What has to work before it can be checked. */
  readonly needs: Reach;
} & (ExchangeCheck | ConversationCheck);

/** A check with an exchange of its own. */
export interface ExchangeCheck {
  /**
   * Whether it needs its own process, because it ends the agent or sends messages that would disturb other checks.
   * @default false
   */
  readonly isAlone?: true;
  /** Resolves when the rule is met; rejects with a `CheckError` that says what happened instead. */
  run(kit: CheckKit): Promise<void>;
}

/** A check of what the agent wrote in an ordinary conversation. */
export interface ConversationCheck {
  /** @default `least`: it declares nothing */
  readonly client?: CheckClient;
  /** Returns where the rule is met; throws a `CheckError` otherwise. */
  judge(conversation: OrdinaryConversation): void;
}
