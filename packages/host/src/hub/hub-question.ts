import type { CreateElicitationRequest, RequestPermissionRequest } from '@parley/acp';
import type { AnswerScope, RememberOffer } from '@parley/workspace/rule';
import type { SignInMethod } from '../agent/authentication/sign-in-method.ts';
import type { ClientName } from '../event/sender.ts';
import type { SubagentName } from '../event/subagent-name.ts';
import type { PermissionAnswer } from '../permission/permission-answer.ts';
import type { PolicyReason } from '../permission/reason.ts';
import type { RequestedAction } from '../permission/request/requested-action.ts';

/** A question that waits for a user, with all data to decide it. */
export type HubQuestion = PermissionQuestion | ElicitationQuestion | SignInQuestion;

interface QuestionBase {
  /** The session's key. */
  readonly key: string;
  /** As the session's events name it. */
  readonly requestId: string;
  /** Since when it waits, in milliseconds since 1970. */
  readonly since: number;
  /** The sub-agent that asks. @default the session itself */
  readonly subagent?: SubagentName;
}

/** A permission request of an agent. */
export interface PermissionQuestion extends QuestionBase {
  readonly kind: 'permission';
  /** The request; its tool call contains everything known about the call. */
  readonly request: RequestPermissionRequest;
  /** The complete requested action, which clients display. */
  readonly action: RequestedAction;
  /** Why the user is asked: the rule or the approval level. */
  readonly why: string;
  /** The reason as data, for texts in other languages. */
  readonly because?: PolicyReason;
  /** Set if the call does not show its effect. */
  readonly opaque?: true;
  /** What a remembered answer could cover. @default only this call can be decided */
  readonly remember?: RememberOffer;
  /** Whether the agent accepts the reason of a rejection. */
  readonly takesReason?: true;
}

/** A form that an agent wants filled in, or a page to open in a browser. */
export interface ElicitationQuestion extends QuestionBase {
  readonly kind: 'elicitation';
  readonly request: CreateElicitationRequest;
}

/** An agent requires a sign-in. */
export interface SignInQuestion extends QuestionBase {
  readonly kind: 'sign-in';
  readonly agent: string;
  readonly methods: readonly SignInMethod[];
  /** The commands of sign-in methods of the type `terminal`, by id. */
  readonly commands?: Readonly<Record<string, string>>;
  /** Why the last attempt failed, if there was one. */
  readonly failure?: string;
}

/** A question that is no longer open, and its outcome. */
export interface SettledQuestion {
  readonly key: string;
  readonly requestId: string;
  /** Who answered; absent if the question was withdrawn. */
  readonly person?: string;
  /** The client of the answer. */
  readonly client?: ClientName;
  /** A short text of the answer, as in the session's events. */
  readonly outcome?: string;
  /** The answer as data if it is not one of the agent's options, for texts in other languages. */
  readonly answer?: SettledAnswer;
}

/** The answer to a question, without private content. */
export type SettledAnswer =
  | { readonly kind: 'remember'; readonly decision: 'allow' | 'deny'; readonly scope: AnswerScope }
  | { readonly kind: 'form'; readonly action: 'accept' | 'decline' | 'cancel' }
  | { readonly kind: 'cancel' };

/** The answer of a user. */
export type HubAnswer =
  | PermissionAnswer
  | { readonly kind: 'form'; readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly kind: 'form'; readonly action: 'decline' | 'cancel' }
  | {
      readonly kind: 'sign-in';
      readonly methodId: string;
      readonly values?: Readonly<Record<string, string>>;
    };
