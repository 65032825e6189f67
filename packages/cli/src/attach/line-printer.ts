import { randomUUID } from 'node:crypto';
import type { SteeringEvent, SteeringOutcome } from '@parley/host';
import { runningTurn, turnCount, type SessionFacts } from '@parley/host/state';
import { FailedTurn, outcomeOfError, outcomeOfTurn } from '../conversation/outcome.ts';
import type { HubEvent } from '../hub/hub-client.ts';
import type { Numbering } from '../output/json.ts';
import { isShown } from '../output/output.ts';
import type { Format } from '../run/flags.ts';
import type { RunContext } from '../run/run-to-end.ts';
import { toStep } from '../run/turn-steps.ts';
import { agentNameOf, killedTurn } from './attached-session.ts';
import { toHostEvent } from './to-host-event.ts';

type SentText = Pick<SteeringEvent, 'prompt' | 'from'>;

/** Prints the events of an attached session as `run` prints those of its own, with their numbers. */
export class LinePrinter {
  readonly numbering: Numbering;
  readonly #format: Format;
  /** The number of the last event that has a line; 0 before the first. */
  #seq = 0;
  /** The number of the last line that has one. */
  #numbered = 0;
  #time = Date.now();
  #context: RunContext | undefined;
  #from: number | undefined;
  #hasBegun = false;
  /** Events to be printed whose session is not known yet. */
  #waiting: (readonly [HubEvent, SessionFacts, SessionFacts])[] = [];
  #promptId: string | undefined;
  /** Why the session waits for a machine, if it does. */
  #wait: readonly [HubEvent, SessionFacts, SessionFacts] | undefined;
  /** Texts that were sent into the turn, and have no outcome. */
  readonly #sent = new Map<string, SentText>();
  /** The session's id on the hub. */
  key = '';

  constructor(format: Format) {
    this.#format = format;
    this.numbering = { next: () => this.#nextNumber(), now: () => this.#time };
  }

  /** Prints all events from this number on, or from the time on when `begin` is called. */
  follow(context: RunContext, from: number | undefined): void {
    this.#context = context;
    this.#from = from;
  }

  /** From now on only the turn of a prompt with this id is printed, and why it waits for a machine. */
  async nameOwnPrompt(): Promise<string> {
    this.#promptId = randomUUID();
    if (this.#wait !== undefined) await this.#print(...this.#wait);
    return this.#promptId;
  }

  /** Whether the turn that runs is that of the prompt. */
  isOwn(facts: SessionFacts): boolean {
    const turn = runningTurn(facts);
    return turn !== undefined && turn.promptId === this.#promptId;
  }

  /** All events that were there have come. */
  async begin(facts: SessionFacts, context: RunContext | undefined = this.#context): Promise<void> {
    this.#context = context;
    if (this.#hasBegun) return;
    // One that is to come later is the first that is printed then.
    if (this.#from === undefined || this.#from <= facts.seq) this.#from = facts.seq + 1;
    this.#introduce(facts);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [event, after, before] of waiting) await this.#print(event, after, before);
  }

  take(event: HubEvent, facts: SessionFacts, before: SessionFacts): Promise<void> | undefined {
    if (saysWait(event)) this.#wait = [event, facts, before];
    else if (event.type !== 'interruption') this.#wait = undefined;
    if (this.#hasBegun) {
      return this.#from === undefined || event.seq >= this.#from
        ? this.#print(event, facts, before)
        : undefined;
    }
    if (this.#from === undefined || event.seq < this.#from) return undefined;
    if (facts.agentLife.openedBy === undefined && this.#waiting.length < mostWaiting) {
      this.#waiting.push([event, facts, before]);
      return undefined;
    }
    return this.#beginWith(event, facts, before);
  }

  async #beginWith(event: HubEvent, facts: SessionFacts, before: SessionFacts): Promise<void> {
    this.#introduce(before.agentLife.openedBy === undefined ? facts : before);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [earlier, after, first] of waiting) await this.#print(earlier, after, first);
    await this.#print(event, facts, before);
  }

  /** The line of the session has the number of the event by which it was opened. */
  #introduce(facts: SessionFacts): void {
    const { agent, agentLife, cwd = '', worktree, sandbox, seq } = facts;
    const [first] = this.#waiting.find(([event]) => hasLine(event, this.key)) ?? [];
    this.#hasBegun = true;
    this.#seq = Math.min(agentLife.openedBy ?? seq, first === undefined ? seq : first.seq - 1);
    this.#context?.sink.introduce({
      // As `run` prints it for an agent that reports none.
      agent: { name: agentNameOf(facts), version: agent?.info?.version ?? '0.0.0' },
      protocolVersion: agent?.protocolVersion ?? 1,
    });
    void this.#context?.sink.take({
      type: 'session',
      sessionId: this.key,
      cwd,
      ...(worktree !== undefined && { worktree }),
      ...(sandbox !== undefined && { sandbox }),
      origin: 'new',
    });
  }

  /** An event has one line. A line without one, such as the last one after a lost connection, has no number. */
  #nextNumber(): number | undefined {
    if (this.#numbered === this.#seq) {
      this.#time = Date.now();
      return undefined;
    }
    this.#numbered = this.#seq;
    return this.#seq;
  }

  /** What the agent had of texts without an outcome is unknown. */
  async #printKilled({ output }: RunContext, facts: SessionFacts): Promise<void> {
    const sent = [...this.#sent.values()];
    this.#sent.clear();
    for (const text of sent) await this.#printSteering(text, 'unknown', facts);
    await output.stop(outcomeOfError(new FailedTurn(killedTurn)));
  }

  #printSteering(
    { prompt: content, from: { client, person: token } = {} }: SentText,
    outcome: SteeringOutcome,
    facts: SessionFacts,
  ): Promise<void> | undefined {
    if (this.#format !== 'json') return undefined;
    return this.#context?.output.event({
      type: 'steering',
      turn: turnCount(facts),
      outcome,
      content,
      ...(client !== undefined && { client }),
      ...(token !== undefined && { token }),
    });
  }

  #print(event: HubEvent, facts: SessionFacts, before: SessionFacts): Promise<void> | undefined {
    const context = this.#context;
    if (context === undefined) return undefined;
    const isOfPrompt = this.isOwn(before) || this.isOwn(facts);
    const isPrompting = this.#promptId !== undefined;
    if (isPrompting && !isOfPrompt && !saysWait(event)) return undefined;
    if (hasLine(event, this.key)) {
      this.#seq = event.seq;
      this.#time = event.time;
    }
    switch (event.type) {
      case 'turn-start': {
        if (this.#format !== 'json') return undefined;
        const { client, person: token } = event.from ?? {};
        return context.output.event({
          type: 'prompt',
          turn: turnCount(facts),
          content: event.prompt,
          ...(client !== undefined && { client }),
          ...(token !== undefined && { token }),
        });
      }
      case 'steering-request':
        this.#sent.set(event.promptId, event);
        return undefined;
      case 'steering':
        this.#sent.delete(event.promptId);
        return this.#printSteering(event, event.outcome, facts);
      case 'turn-end':
        // How the prompt's turn ended is printed last, with the status.
        if (isPrompting) return undefined;
        return context.output.stop(
          'error' in event
            ? outcomeOfError(new FailedTurn(event.error))
            : outcomeOfTurn(event, runningTurn(before)?.wasUnanswered === true),
        );
      case 'interruption':
        if (isPrompting || runningTurn(before) === undefined) return undefined;
        return this.#printKilled(context, facts);
      // It is introduced once.
      case 'session':
        return undefined;
      default: {
        const printed = toHostEvent(event, this.key);
        return printed === undefined ? undefined : context.sink.take(printed);
      }
    }
  }
}

/** Whether an event says that no machine can run the session: prompts wait. */
function saysWait(event: HubEvent): boolean {
  return event.type === 'diagnostic' && event.code === 'no-machine';
}

/** Whether an event has a line of its own. */
function hasLine(event: HubEvent, key: string): boolean {
  switch (event.type) {
    case 'turn-start':
    case 'turn-end':
    case 'steering':
    case 'interruption':
      return true;
    default: {
      const printed = toHostEvent(event, key);
      return printed !== undefined && (isShown(printed) || toStep(printed) !== undefined);
    }
  }
}

/** Events that wait until it is known how the session was opened. */
const mostWaiting = 1000;
