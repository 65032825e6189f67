import type { CreateElicitationRequest, RequestPermissionRequest } from '@parley/acp';
import type { AnswerScope, RememberOffer } from '@parley/workspace/rule';
import type { SignInMethod } from '../agent/authentication/sign-in-method.ts';
import type { ClientName } from '../event/sender.ts';
import type { PermissionAnswer } from '../permission/permission-answer.ts';
import type { PolicyReason } from '../permission/reason.ts';
import type { RequestedAction } from '../permission/request/requested-action.ts';

/** A question that waits for a user, with all that is needed to decide. */
export type HubQuestion = PermissionQuestion | ElicitationQuestion | SignInQuestion;

interface QuestionBase {
  /** The session's key. */
  readonly key: string;
  /** As the session's events name it. */
  readonly requestId: string;
  /** Since when it waits, in milliseconds since 1970. */
  readonly since: number;
}

/** An agent wants to do something. */
export interface PermissionQuestion extends QuestionBase {
  readonly kind: 'permission';
  /** Its tool call holds all that is known of the call. */
  readonly request: RequestPermissionRequest;
  /** What it asks for, whole: what the user sees is drawn from it. */
  readonly action: RequestedAction;
  /** Why it is asked: the rule or the level that wants it. */
  readonly why: string;
  /** The same, for words of another language. */
  readonly because?: PolicyReason;
  /** The call shows nothing of what it would do. */
  readonly opaque?: true;
  /** What an answer could count for beyond this call. */
  readonly remember?: RememberOffer;
  /** Whether the agent accepts the reason of a rejection. */
  readonly takesReason?: true;
}

/** An agent asks for something to be filled in, or to be done in a browser. */
export interface ElicitationQuestion extends QuestionBase {
  readonly kind: 'elicitation';
  readonly request: CreateElicitationRequest;
}

/** An agent requires a sign-in. */
export interface SignInQuestion extends QuestionBase {
  readonly kind: 'sign-in';
  readonly agent: string;
  readonly methods: readonly SignInMethod[];
  /** The command that a way of the kind `terminal` runs, by its id. */
  readonly commands?: Readonly<Record<string, string>>;
  /** Why the last attempt failed, where one did. */
  readonly failure?: string;
}

/** A question that waits no longer, and what became of it. */
export interface SettledQuestion {
  readonly key: string;
  readonly requestId: string;
  /** Who answered; absent when it was withdrawn. */
  readonly person?: string;
  /** The client that they used. */
  readonly client?: ClientName;
  /** What they answered, in a few words, as the session's events have it. */
  readonly outcome?: string;
  /** The same where it is not one of the agent's options, for words of another language. */
  readonly answer?: SettledAnswer;
}

/** The answer to a question, without its private content. */
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
