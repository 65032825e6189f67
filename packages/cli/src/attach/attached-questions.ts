import type { ElicitationAnswer } from '@parley/host';
import {
  hubMethods,
  type HubAnswer,
  type HubQuestion,
  type SettledQuestion,
  type SignInQuestion,
} from '@parley/host/hub';
import { RpcError } from '@parley/wire';
import { toPlainLine } from '../output/plain.ts';
import type { TerminalUser } from '../question/terminal-user.ts';
import type { AttachedSession } from './attached-session.ts';

/** Whose questions are asked, and whom. */
export interface AttachedQuestionsOptions {
  readonly session: AttachedSession;
  readonly user: TerminalUser;
}

/** The questions of an attached session, shown to the user at this terminal. The first answer counts, also another client's. */
export class AttachedQuestions {
  readonly #options: AttachedQuestionsOptions;
  readonly #asked = new Map<string, AbortController>();
  /** Questions that were answered at this terminal, and whose event has not come yet. */
  readonly #answered = new Set<string>();

  constructor(options: AttachedQuestionsOptions) {
    this.#options = options;
  }

  /** Whether a question was answered at this terminal, which shows the answer already. Forgets it. */
  takeAnswered(requestId: string): boolean {
    return this.#answered.delete(requestId);
  }

  /** Asks what is new, and closes what another client has answered. */
  look(settled: readonly SettledQuestion[]): void {
    const { session, user } = this.#options;
    const { client, key } = session;
    const open = client.questions.filter((question) => question.key === key);
    const isOpen = new Set(open.map(({ requestId }) => requestId));
    for (const [requestId, closing] of this.#asked) {
      if (isOpen.has(requestId)) continue;
      this.#asked.delete(requestId);
      if (closing.signal.aborted) continue;
      closing.abort();
      const by = settled.find((each) => each.requestId === requestId);
      // The answer to a form is shown by its event.
      if (by?.person !== undefined && by.answer?.kind !== 'form') user.showLine(`(${whoAnswered(by)})`);
    }
    for (const question of open) {
      if (this.#asked.has(question.requestId)) continue;
      const closing = new AbortController();
      this.#asked.set(question.requestId, closing);
      void this.#ask(question, closing);
    }
  }

  async #ask(question: HubQuestion, closing: AbortController): Promise<void> {
    const { session, user } = this.#options;
    const answer = await toAnswer(question, user, closing.signal);
    if (closing.signal.aborted) return;
    // It stays known until the hub says that it is settled: it is not asked twice.
    closing.abort();
    const { key: sessionId, requestId } = question;
    this.#answered.add(requestId);
    try {
      await session.client.request(hubMethods.answer, { sessionId, requestId, answer });
    } catch (error) {
      // Another client was faster, or the question went with its turn.
      this.#answered.delete(requestId);
      if (error instanceof RpcError) user.showLine('(another client answered)');
    }
  }
}

function whoAnswered({ person = '', client, outcome = '' }: SettledQuestion): string {
  const where = client === undefined ? '' : ` in ${client.name}`;
  return toPlainLine(`answered by ${person}${where}: ${outcome}`, 200);
}

async function toAnswer(question: HubQuestion, user: TerminalUser, signal: AbortSignal): Promise<HubAnswer> {
  switch (question.kind) {
    case 'permission': {
      const { request, action, remember } = question;
      const takesReason = question.takesReason === true;
      const options = { signal, action, takesReason, ...(remember !== undefined && { remember }) };
      return user.permission(request, options);
    }
    case 'elicitation':
      return ofForm(await user.elicitation(question.request, { signal }));
    case 'sign-in':
      return signIn(question, user, signal);
  }
}

function ofForm(answer: ElicitationAnswer): HubAnswer {
  if (answer === 'nobody') return { kind: 'cancel' };
  const { action } = answer;
  if (action === 'accept') return { kind: 'form', action, content: answer.content ?? {} };
  return action === 'decline' ? { kind: 'form', action } : { kind: 'cancel' };
}

/** What needs a terminal of the hub's machine cannot be done from here. */
async function signIn(
  { agent, methods, commands = {} }: SignInQuestion,
  user: TerminalUser,
  signal: AbortSignal,
): Promise<HubAnswer> {
  const choice = await user.signIn(
    {
      agentName: agent,
      methods: methods.filter(({ kind }) => kind !== 'terminal'),
      commandLine: () => Object.values(commands).join(' '),
    },
    { signal },
  );
  if (choice === undefined || choice.kind === 'terminal') return { kind: 'cancel' };
  if (choice.kind === 'agent') return { kind: 'sign-in', methodId: choice.id };
  const method = methods.find((each) => each.kind === 'variables');
  return method?.kind === 'variables'
    ? { kind: 'sign-in', methodId: method.id, values: choice.values }
    : { kind: 'cancel' };
}
