import type { CallPermission, Run } from '@parley/aap/server';
import type { PermissionOption, ToolCallUpdate } from '@parley/acp';
import { agentTerminalReport, createReportedOutputs, together } from '@parley/host';
import { systemClock, type Clock } from '@parley/wire';
import { isSameCall } from '../../client-tools/find-tool.ts';
import type { AgentToolCall } from '../../client-tools/tool-endpoint.ts';
import { GatewayError } from '../../gateway-error.ts';
import type { EarlierAnswers } from './earlier-answers.ts';
import { isInputKnown, toCallMeta, toToolCall } from './tool-call-input.ts';
import { progressText, toOutcome } from './tool-result.ts';

/**
 * Remembered calls of a run. Those that have ended are dropped first, so that later updates of a call are not
 * mistaken for another one.
 */
const callLimit = 10_000;

/** How long the announcement of a call is delayed after its last update: some agents ask for permission only then. */
const beginMs = 250;

/**
 * - `held`: announced, and perhaps not all of it; it may still be asked about.
 * - `begun`: it runs, and is sent in a moment, unless it is asked about before.
 * - `asking`: the application is asked.
 * - `reported`: sent to the application; its result is due.
 * - `settled`: sent, with its result.
 * - `hidden`: a call of one of the application's own tools, which it receives in another way.
 */
type Stage = 'held' | 'begun' | 'asking' | 'reported' | 'settled' | 'hidden';

interface Entry {
  /** What the application calls it. */
  readonly id: string;
  /** All that the agent sent about it. */
  view: ToolCallUpdate;
  stage: Stage;
}

type Report = () => void | Promise<void>;

/** Options of {@link CallTracker}. */
export interface CallTrackerOptions {
  readonly run: Pick<Run, 'announce' | 'toolCall' | 'toolResult' | 'permission' | 'extension'>;
  readonly earlier: EarlierAnswers;
  /** Ids of calls that the session has had; those of this run are added. */
  readonly usedIds: Set<string>;
  /** Whether the call is one of the application's own tools. */
  readonly isApplicationCall: (call: ToolCallUpdate) => boolean;
  /** Sends a delayed report if no update arrived. */
  readonly later: (report: Report) => void;
  /** @default the machine's own time */
  readonly clock?: Clock;
}

/**
 * Tracks the tool calls of a run. An agent sends a call in several updates; an application receives each call once
 * and its result once.
 */
export class CallTracker {
  readonly #options: CallTrackerOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #outputs = createReportedOutputs();
  /** Calls that have begun and are not sent yet, and how to cancel sending them. */
  readonly #begun = new Map<Entry, () => void>();
  /** Calls that were announced and neither asked about nor started. */
  readonly #announced = new Set<Entry>();

  constructor(options: CallTrackerOptions) {
    this.#options = options;
  }

  /**
   * Takes an update of a call from the agent.
   *
   * @throws {GatewayError} `too-many-calls`
   */
  note(update: ToolCallUpdate): void | Promise<void> {
    const entry = this.#entries.get(update.toolCallId) ?? this.#begin(update);
    entry.view = { ...entry.view, ...update };
    this.#outputs.note(update);
    switch (entry.stage) {
      case 'held':
        return this.#advance(entry);
      case 'begun':
        if (isFinished(entry.view)) return together(this.#report(entry), this.#settle(entry));
        return saysMore(update) ? together(this.#report(entry), this.#progress(entry, update)) : undefined;
      case 'reported':
        return isFinished(entry.view) ? this.#settle(entry) : this.#progress(entry, update);
      case 'hidden':
        if (isFinished(entry.view)) this.#expectNoMore(entry);
        return undefined;
      case 'asking':
      case 'settled':
        // What it says of a call that was denied, or of one that is the application's, is known better here.
        return undefined;
    }
  }

  /** The agent asks whether it may make a call. */
  async permission(call: ToolCallUpdate, options: readonly PermissionOption[]): Promise<CallPermission> {
    const { run, isApplicationCall } = this.#options;
    const known = this.#entries.get(call.toolCallId);
    if (known?.stage === 'hidden') return { granted: true };
    if (isApplicationCall(call)) {
      // A call that was sent already keeps its result.
      if (known === undefined || isUnreported(known)) this.#hide(known ?? this.#begin(call));
      return { granted: true };
    }
    // Another question about a call, or about one of the same id, is another call for the application.
    const entry = known !== undefined && isUnreported(known) ? known : this.#begin(call);
    this.#stopTimer(entry);
    entry.view = { ...entry.view, ...call };
    const granted = this.#options.earlier.takeGrant(toToolCall(entry.id, entry.view));
    this.#expectNoMore(entry);
    if (granted !== undefined) {
      this.#entries.set(call.toolCallId, { id: granted.toolCallId, view: entry.view, stage: 'reported' });
      if (known?.stage === 'reported') await this.#close(known, askedAgain(granted.toolCallId));
      return { granted: true };
    }
    entry.stage = 'asking';
    if (known?.stage === 'reported') await this.#close(known, askedAgain(entry.id));
    const meta = toCallMeta(entry.view, options);
    const permission = await run.permission(toToolCall(entry.id, entry.view), { meta });
    await this.#answered(entry, permission);
    return permission;
  }

  /** Hides a call of one of the application's tools, which the agent may have announced as its own. */
  hide(call: AgentToolCall): void {
    const isIt = (entry: Entry): boolean => isSameCall(entry.view, call);
    const announced = [...this.#announced].find(isIt);
    const entry = announced ?? [...this.#entries.values()].find((each) => isUnreported(each) && isIt(each));
    if (entry === undefined) return;
    this.#hide(entry);
    this.#expectNoMore(entry);
  }

  /** Reports the calls that have started, because the agent is doing something else and will not ask about them. */
  reportBegun(): void | Promise<void> {
    if (this.#begun.size === 0) return undefined;
    let reported: void | Promise<void> = undefined;
    for (const entry of this.#begun.keys()) reported = together(reported, this.#report(entry));
    return reported;
  }

  /** No more updates follow: calls without a result get one with the reason. */
  async end(reason: string): Promise<void> {
    const { run, earlier } = this.#options;
    for (const entry of this.#entries.values()) {
      if (isUnreported(entry)) await this.#report(entry);
    }
    for (const entry of this.#entries.values()) {
      if (entry.stage === 'reported') await this.#close(entry, reason);
    }
    for (const { toolCallId } of earlier.unusedGrants()) {
      const content = 'The agent did not make this call again after it was allowed.';
      await run.toolResult({ toolCallId, content }, { isError: true });
    }
  }

  #begin(update: ToolCallUpdate): Entry {
    const { toolCallId } = update;
    if (this.#entries.size >= callLimit && !this.#forgetEnded()) {
      throw new GatewayError('too-many-calls', `the agent has more than ${callLimit} open calls`);
    }
    const entry: Entry = { id: this.#freshId(toolCallId), view: update, stage: 'held' };
    this.#entries.set(toolCallId, entry);
    this.#announced.add(entry);
    this.#options.run.announce(this.#announced.size);
    return entry;
  }

  #expectNoMore(entry: Entry): void {
    if (this.#announced.delete(entry)) this.#options.run.announce(this.#announced.size);
  }

  /** Advances the stage of a call, if enough of it is known. */
  #advance(entry: Entry): void | Promise<void> {
    const { view } = entry;
    if (this.#options.isApplicationCall(view)) {
      this.#hide(entry);
      return undefined;
    }
    if (isFinished(view)) return together(this.#report(entry), this.#settle(entry));
    // A call that is pending may still be asked about, with a better input: it is sent when it runs.
    if (view.status === 'in_progress' && isInputKnown(view)) this.#reportSoon(entry);
    return undefined;
  }

  #reportSoon(entry: Entry): void {
    const { clock = systemClock, later } = this.#options;
    entry.stage = 'begun';
    const stop = clock.after(beginMs, () => {
      later(() => this.#report(entry));
    });
    this.#begun.set(entry, stop);
  }

  #hide(entry: Entry): void {
    this.#stopTimer(entry);
    entry.stage = 'hidden';
  }

  #stopTimer(entry: Entry): void {
    this.#begun.get(entry)?.();
    this.#begun.delete(entry);
  }

  #report(entry: Entry): void | Promise<void> {
    const { run, earlier } = this.#options;
    this.#stopTimer(entry);
    this.#expectNoMore(entry);
    const call = toToolCall(entry.id, entry.view);
    const granted = earlier.takeGrant(call);
    if (granted === undefined) {
      entry.stage = 'reported';
      return run.toolCall(call, { meta: toCallMeta(entry.view) });
    }
    const again: Entry = { id: granted.toolCallId, view: entry.view, stage: 'reported' };
    this.#entries.set(entry.view.toolCallId, again);
    entry.stage = 'settled';
    return isFinished(again.view) ? this.#settle(again) : undefined;
  }

  async #answered(entry: Entry, permission: CallPermission): Promise<void> {
    const { toolCallId } = entry.view;
    const current = this.#entries.get(toolCallId);
    entry.stage = permission.granted ? 'reported' : 'settled';
    if (!permission.granted) return;
    if (current !== entry) await this.#close(entry, askedAgain(current?.id ?? toolCallId));
    else if (isFinished(entry.view)) await this.#settle(entry);
  }

  #settle(entry: Entry): void | Promise<void> {
    if (entry.stage === 'settled') return undefined;
    entry.stage = 'settled';
    const shown = this.#outputs.takeContent(entry.view);
    const { content, extras } = toOutcome({ ...entry.view, content: shown });
    entry.view = { toolCallId: entry.view.toolCallId };
    return this.#options.run.toolResult({ toolCallId: entry.id, content }, extras);
  }

  async #close(entry: Entry, content: string): Promise<void> {
    entry.stage = 'settled';
    await this.#options.run.toolResult({ toolCallId: entry.id, content }, { isError: true });
  }

  #progress({ id }: Entry, update: ToolCallUpdate): void | Promise<void> {
    const { title, status } = update;
    const text = progressText(update) || (agentTerminalReport(update)?.output ?? '');
    return this.#options.run.extension('tool_progress', {
      toolCallId: id,
      ...(title !== undefined && { title }),
      ...(status !== undefined && { status }),
      ...(text !== '' && { text }),
    });
  }

  /**
   * Returns an id that is never reused. Agents number their calls from the beginning in another session, and after a
   * restart.
   */
  #freshId(callId: string): string {
    const { usedIds } = this.#options;
    let id = callId;
    for (let n = 2; usedIds.has(id); n += 1) id = `${callId}~${n}`;
    usedIds.add(id);
    return id;
  }

  /** Forgets the oldest call that has ended, if there is one. */
  #forgetEnded(): boolean {
    for (const [callId, entry] of this.#entries) {
      const { stage } = entry;
      if (stage !== 'settled' && stage !== 'hidden') continue;
      this.#expectNoMore(entry);
      return this.#entries.delete(callId);
    }
    return false;
  }
}

function askedAgain(id: string): string {
  return `The agent asked about this call again, as ${id}.`;
}

/** Whether the call was not sent to the application yet. */
function isUnreported({ stage }: Entry): boolean {
  return stage === 'held' || stage === 'begun';
}

/** Output shows that it runs, and was not only announced. */
function saysMore(update: ToolCallUpdate): boolean {
  return progressText(update) !== '' || agentTerminalReport(update)?.output !== undefined;
}

function isFinished({ status }: ToolCallUpdate): boolean {
  return status === 'completed' || status === 'failed';
}
