import {
  emptyState,
  reduce,
  runningTurn,
  turnCount,
  type SessionFacts,
  type SessionState,
} from '@parley/host/state';
import type { ChatSession } from '../chat/chat-session.ts';
import { collectLines } from '../chat/talk.ts';
import type { HubEvent } from '../hub/hub-client.ts';
import type { AttachedAgentSession } from './attached-agent-session.ts';
import type { AttachedQuestions } from './attached-questions.ts';
import type { AttachedSession } from './attached-session.ts';
import { toHostEvent } from './to-host-event.ts';

/** Shows what happens in a session of the hub in a chat: turns of all clients, and questions. */
export class ShownEvents {
  /** The state that follows from the events so far. */
  view: SessionState = emptyState;
  /** The questions that the user of this terminal is asked. @default none */
  questions: AttachedQuestions | undefined;
  readonly #chat: ChatSession;
  readonly #collecting: Collecting;
  /** What is shown, once the conversation until then has been. */
  #live: Live | undefined;
  /** A turn of another client. */
  #followed: FollowedTurn | undefined;

  /** @param collecting How lines are collected that are typed while another client's turn runs. */
  constructor(chat: ChatSession, collecting: Omit<Collecting, 'history'>) {
    this.#chat = chat;
    this.#collecting = { ...collecting, history: () => Promise.resolve(this.view) };
  }

  /** Takes the next event. A promise settles when it has been shown. */
  take(event: HubEvent, facts: SessionFacts, before: SessionFacts): Promise<void> | undefined {
    this.view = reduce(this.view, event);
    return this.#live === undefined ? undefined : this.#show(event, { facts, before }, this.#live);
  }

  /** Shows events from now on: those until now are part of the conversation. */
  begin(live: Live): void {
    this.#live = live;
    const { facts } = live.session;
    if (facts.questions.length > 0) this.#remarkApplication(live);
    if (runningTurn(facts) !== undefined) this.#follow();
  }

  async #show(event: HubEvent, { facts, before }: Change, live: Live): Promise<void> {
    if (event.type === 'turn-start' && !live.session.isOwn(facts)) {
      // While a prompt of this terminal waits behind it, the turn is part of that wait.
      if (!this.#chat.isBusy) this.#follow();
      this.#chat.showPrompt({
        type: 'prompt',
        turn: turnCount(facts),
        content: event.prompt,
        ...sentBy(event),
      });
    }
    if (event.type === 'steering' && !live.own.forgetSteered(event.promptId)) {
      const { outcome, prompt } = event;
      this.#chat.showPrompt({
        type: 'steering',
        turn: turnCount(facts),
        outcome,
        content: prompt,
        ...sentBy(event),
      });
    }
    if (event.type === 'elicitation' && this.questions?.takeAnswered(event.requestId) === true) return;
    const shown = toHostEvent(event, facts.sessionId ?? live.session.key);
    if (shown !== undefined) await this.#chat.take(shown);
    if (event.type === 'permission-request') this.#remarkApplication(live);
    if (runningTurn(before) !== undefined && runningTurn(facts) === undefined) await this.#endFollowing();
  }

  /** Only the application that began the session answers its questions. */
  #remarkApplication({ session }: Live): void {
    if (session.client.session(session.key)?.origin !== 'aap') return;
    this.#chat.remark('waiting for the application');
  }

  /** Shows a turn of another client. What is typed meanwhile is sent when it has ended. */
  #follow(): void {
    const stop = collectLines(this.#chat, this.#collecting);
    this.#followed = { stop, endTurn: this.#chat.showTurn() };
  }

  async #endFollowing(): Promise<void> {
    const followed = this.#followed;
    this.#followed = undefined;
    followed?.stop();
    await followed?.endTurn();
  }
}

/** What is needed to show events of a session as they come. */
interface Live {
  readonly session: AttachedSession;
  /** The same session, as the chat sees it. */
  readonly own: AttachedAgentSession;
}

interface Change {
  readonly facts: SessionFacts;
  readonly before: SessionFacts;
}

interface FollowedTurn {
  readonly stop: () => void;
  readonly endTurn: () => Promise<void>;
}

type Collecting = Parameters<typeof collectLines>[1];

function sentBy({ from }: Extract<HubEvent, { readonly type: 'turn-start' | 'steering' }>): Sender {
  const { client, person: token } = from ?? {};
  return { ...(client !== undefined && { client }), ...(token !== undefined && { token }) };
}

type Sender = Pick<Parameters<ChatSession['showPrompt']>[0], 'client' | 'token'>;
