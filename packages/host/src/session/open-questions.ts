import { invalidParams, resourceNotFound, type ElicitationContentValue } from '@parley/acp';
import type { Sender } from '../event/sender.ts';
import type {
  HubAnswer,
  HubQuestion,
  PermissionQuestion,
  SettledAnswer,
  SettledQuestion,
  SignInQuestion,
} from '../hub/hub-question.ts';
import type { ElicitationAnswer } from '../interact.ts';
import type { SignedAnswer } from '../permission/permission-answer.ts';
import { scopeText } from '../permission/remembered/stored-answer.ts';

/** The answer to a sign-in question; undefined if it was declined. */
export type SignInAnswer = Extract<HubAnswer, { readonly kind: 'sign-in' }> | undefined;

interface OpenQuestion {
  readonly question: HubQuestion;
  /** Takes the answer, if it is one. */
  answer(answer: HubAnswer, by: Sender): void;
}

/** The result of a question without an answer. */
interface WithoutAnswer<Answer> {
  /** It is no longer needed. */
  readonly dismissal: Answer;
  /** No client is connected that may answer. */
  readonly unattended: Answer;
}

/** The questions of a session that wait for a user. The first answer counts, from any client. */
export class OpenQuestions {
  readonly #open = new Map<string, OpenQuestion>();
  readonly #limit: number;
  readonly #refuses: (question: HubQuestion) => boolean;
  readonly #onChange: (settled?: SettledQuestion) => void;

  /**
   * @param limit Maximum number of open questions; further ones are dismissed.
   *
   * @param onChange Called when a question was added or settled.
   * @param refuses Whether to reject a question when it arises, because no client may or can answer it. A question that waits is not checked again.
   */
  constructor(
    limit: number,
    onChange: (settled?: SettledQuestion) => void,
    refuses: (question: HubQuestion) => boolean = () => false,
  ) {
    this.#refuses = refuses;
    this.#limit = limit;
    this.#onChange = onChange;
  }

  /** All open questions, in order of arrival. */
  get all(): readonly HubQuestion[] {
    return Array.from(this.#open.values(), ({ question }) => question);
  }

  get size(): number {
    return this.#open.size;
  }

  /** @throws {RpcError} -32002: it was answered, or is no longer needed; -32602: that is no answer to it. */
  answer(requestId: string, answer: HubAnswer, by: Sender): void {
    const open = this.#open.get(requestId);
    if (open === undefined) throw resourceNotFound(`question ${requestId}`);
    open.answer(answer, by);
  }

  askPermission(question: PermissionQuestion, signal: AbortSignal): Promise<SignedAnswer> {
    return this.#ask<SignedAnswer>(
      question,
      signal,
      { dismissal: { kind: 'cancel' }, unattended: 'nobody' },
      (answer, by) => toPermissionAnswer(answer, question, by),
    );
  }

  askForm(
    question: Extract<HubQuestion, { readonly kind: 'elicitation' }>,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer> {
    const without = { dismissal: { action: 'cancel' }, unattended: 'nobody' } as const;
    return this.#ask<ElicitationAnswer>(question, signal, without, toElicitationAnswer);
  }

  askSignIn(question: SignInQuestion, signal: AbortSignal): Promise<SignInAnswer> {
    const without = { dismissal: undefined, unattended: undefined };
    return this.#ask<SignInAnswer>(question, signal, without, (answer) => toSignInAnswer(answer, question));
  }

  #ask<Answer>(
    question: HubQuestion,
    signal: AbortSignal,
    { dismissal, unattended }: WithoutAnswer<Answer>,
    read: (answer: HubAnswer, by: Sender) => Answer,
  ): Promise<Answer> {
    if (signal.aborted || this.#open.size >= this.#limit) return Promise.resolve(dismissal);
    if (this.#refuses(question)) return Promise.resolve(unattended);
    return new Promise((resolve) => {
      const { key, requestId } = question;
      const settle = (answer: Answer, by: Omit<SettledQuestion, 'key' | 'requestId'> = {}): void => {
        signal.removeEventListener('abort', onAbort);
        this.#open.delete(requestId);
        this.#onChange({ key, requestId, ...by });
        resolve(answer);
      };
      const onAbort = (): void => {
        settle(dismissal);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#open.set(requestId, {
        question,
        answer: (answer, by) => {
          const settled = toSettledAnswer(answer);
          settle(read(answer, by), {
            ...by,
            outcome: outcomeOf(answer, question),
            ...(settled !== undefined && { answer: settled }),
          });
        },
      });
      this.#onChange();
    });
  }
}

/** What was answered, in a few words. The content of forms is private. */
function outcomeOf(answer: HubAnswer, question: HubQuestion): string {
  switch (answer.kind) {
    case 'option': {
      const options = question.kind === 'permission' ? question.request.options : [];
      return options.find(({ optionId }) => optionId === answer.optionId)?.name ?? answer.optionId;
    }
    case 'remember':
      return `${answer.decision} ${scopeText(answer.scope)}`;
    case 'form':
      return answer.action;
    case 'sign-in': {
      const methods = question.kind === 'sign-in' ? question.methods : [];
      return methods.find(({ id }) => id === answer.methodId)?.name ?? answer.methodId;
    }
    case 'cancel':
      return 'cancel';
  }
}

/** The same, for other words; undefined where it is in the agent's. */
function toSettledAnswer(answer: HubAnswer): SettledAnswer | undefined {
  switch (answer.kind) {
    case 'remember': {
      const { kind, decision, scope } = answer;
      return { kind, decision, scope };
    }
    case 'form':
      return { kind: 'form', action: answer.action };
    case 'cancel':
      return answer;
    case 'option':
    case 'sign-in':
      return undefined;
  }
}

function toPermissionAnswer(
  answer: HubAnswer,
  { request, remember }: PermissionQuestion,
  by: Sender,
): SignedAnswer {
  switch (answer.kind) {
    case 'option':
      if (!request.options.some(({ optionId }) => optionId === answer.optionId)) {
        throw invalidParams('answer.optionId', 'one of the options');
      }
      return { ...answer, ...by };
    case 'remember':
      if (remember?.scopes.includes(answer.scope) !== true) {
        throw invalidParams('answer.scope', 'one that is offered');
      }
      return { ...answer, ...by };
    case 'cancel':
      return answer;
    case 'form':
    case 'sign-in':
      throw invalidParams('answer.kind', 'an answer to a permission question');
  }
}

function toElicitationAnswer(answer: HubAnswer, by: Sender): ElicitationAnswer {
  switch (answer.kind) {
    case 'form':
      return answer.action === 'accept'
        ? { action: 'accept', content: toContent(answer.content), ...by }
        : { action: answer.action, ...by };
    case 'cancel':
      return { action: 'cancel', ...by };
    case 'option':
    case 'remember':
    case 'sign-in':
      throw invalidParams('answer.kind', 'an answer to a form');
  }
}

function toContent(
  content: Readonly<Record<string, unknown>>,
): Readonly<Record<string, ElicitationContentValue>> {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => {
      if (!isContentValue(value)) {
        throw invalidParams(`answer.content.${name}`, 'text, a number, true, false, or a list of texts');
      }
      return [name, value];
    }),
  );
}

function isContentValue(value: unknown): value is ElicitationContentValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function toSignInAnswer(answer: HubAnswer, { methods }: SignInQuestion): SignInAnswer {
  if (answer.kind === 'cancel') return undefined;
  if (answer.kind !== 'sign-in') throw invalidParams('answer.kind', 'a way to sign in');
  if (!methods.some(({ id }) => id === answer.methodId)) {
    throw invalidParams('answer.methodId', 'one of the ways that are offered');
  }
  return answer;
}
