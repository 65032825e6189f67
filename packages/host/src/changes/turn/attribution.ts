import path from 'node:path';
import type { ToolCallUpdate, ToolKind } from '@parley/acp';
import type { PermissionEvent, PermissionRequestEvent } from '../../event/question-event.ts';
import type { FileWriteEvent, TerminalEndEvent, TerminalStartEvent } from '../../event/resource-event.ts';
import { claimedKind } from '../../permission/request/action-kind.ts';
import { createToolCalls, isFinished, type ToolCalls } from '../../permission/request/tool-calls.ts';

/** What an agent does that may write files. */
export type WritingEvent =
  | { readonly type: 'tool-call'; readonly call: ToolCallUpdate }
  | Pick<PermissionRequestEvent, 'type' | 'toolCall'>
  | ({ readonly type: 'permission' } & DecidedPermission)
  | Pick<FileWriteEvent, 'type' | 'path'>
  | Pick<TerminalStartEvent, 'type' | 'terminalId'>
  | Pick<TerminalEndEvent, 'type' | 'terminalId'>;

type DecidedPermission = Pick<PermissionEvent, 'toolCallId' | 'options' | 'decision'>;

/**
 * Decides which changes of a turn its tool calls account for: the files that a writing call names, those in a folder
 * that it names, and those that changed while such a call or a command of the client ran.
 */
export class Attribution {
  readonly #folders: readonly string[];
  readonly #calls: ToolCalls = createToolCalls();
  /** Files that calls name, by call id. Files that the client wrote have no id. */
  readonly #named = new Map<string, Set<string>>();
  /** Calls that a user allowed, with the time when, and calls that were rejected. */
  readonly #allowed = new Map<string, number>();
  readonly #rejected = new Set<string>();
  /** Calls and terminals that may write now, by their ids, with the time since when. */
  readonly #open = new Map<string, number>();
  /** When something last began to be done for the agent. */
  #writeBegan: number | undefined;
  #spans: { readonly from: number; readonly to: number }[] = [];

  /** @param folders The session's folder, as it is called and by its real path. */
  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Begins a turn. Commands that still run from an earlier turn may write; calls of that turn may not. */
  beginTurn(time: number): void {
    this.#calls.clear();
    this.#named.clear();
    this.#allowed.clear();
    this.#rejected.clear();
    this.#spans = [];
    for (const id of this.#open.keys()) {
      if (id.startsWith(terminalPrefix)) this.#open.set(id, time);
      else this.#open.delete(id);
    }
  }

  /** A command is about to be started for the agent: it may have written before that is an event. */
  beginWrite(time: number): void {
    this.#writeBegan = time;
  }

  /** @param time When it was received, in milliseconds since 1970. */
  note(event: WritingEvent, time: number): void {
    switch (event.type) {
      case 'tool-call':
        this.#noteCall(event.call, time);
        return;
      case 'permission-request':
        // While a user decides, the call does nothing, and the user may edit.
        this.#close(event.toolCall.toolCallId, time);
        return;
      case 'permission':
        this.#decide(event, time);
        return;
      case 'file-write':
        this.#name('', event.path);
        return;
      case 'terminal-start':
        this.#openAt(`${terminalPrefix}${event.terminalId}`, this.#writeBegan ?? time);
        return;
      case 'terminal-end':
        this.#close(`${terminalPrefix}${event.terminalId}`, time);
    }
  }

  /** Ends the turn: what is open may have written until then. */
  endTurn(time: number): void {
    for (const from of this.#open.values()) this.#addSpan(from, time);
  }

  /** Whether a call names the file or a folder above it. */
  names(file: string): boolean {
    for (let name = file; name !== '' && name !== '.'; name = path.posix.dirname(name)) {
      for (const named of this.#named.values()) if (named.has(name)) return true;
    }
    return false;
  }

  /**
   * Whether something ran at that time that can write.
   *
   * @param time Also of parts of a millisecond, as file systems note it: spans are of whole ones.
   */
  covers(time: number): boolean {
    return this.#spans.some(({ from, to }) => time >= from && Math.floor(time) <= to);
  }

  /**
   * Handles the decision about a call that waited for permission. Files and commands of the client itself have their
   * own events.
   */
  #decide({ toolCallId, options, decision }: DecidedPermission, time: number): void {
    const chosen = options.find(({ optionId }) => optionId === decision);
    if (chosen?.kind === 'allow_once' || chosen?.kind === 'allow_always') {
      this.#allowed.set(toolCallId, time);
      const asked = { toolCallId };
      // Of a call that was not announced nothing says when it ends.
      if (this.#calls.complete(asked) !== asked) this.#openAt(toolCallId, time);
      return;
    }
    this.#rejected.add(toolCallId);
    this.#named.delete(toolCallId);
  }

  #noteCall(update: ToolCallUpdate, time: number): void {
    if (this.#rejected.has(update.toolCallId)) return;
    const call = this.#calls.note(update);
    const kind = claimedKind(call);
    const { toolCallId } = call;
    if (kind !== undefined && harmless.has(kind)) {
      this.#close(toolCallId, time);
      return;
    }
    const names = namesOf(call);
    for (const name of names) this.#name(toolCallId, name);
    // A command writes as soon as it runs, and its call may be read later: one that names its files does not need that.
    const since = this.#allowed.get(toolCallId) ?? (names.length > 0 ? time : time - readingMs);
    if (!isFinished(call)) this.#openAt(toolCallId, since);
    else if (this.#open.has(toolCallId)) this.#close(toolCallId, time);
    else this.#addSpan(since, time);
  }

  #openAt(id: string, time: number): void {
    if (!this.#open.has(id)) this.#open.set(id, time);
  }

  #close(id: string, time: number): void {
    const from = this.#open.get(id);
    if (from === undefined) return;
    this.#open.delete(id);
    this.#addSpan(from, time);
  }

  /** Spans that touch become one: of many short calls a few remain. */
  #addSpan(begin: number, end: number): void {
    let [from, to] = [Math.min(begin, end) - clockMs, Math.max(begin, end)];
    const apart = this.#spans.filter((span) => {
      if (span.from > to || span.to < from) return true;
      [from, to] = [Math.min(from, span.from), Math.max(to, span.to)];
      return false;
    });
    this.#spans = [...apart, { from, to }];
  }

  #name(id: string, named: string): void {
    const names = this.#named.get(id) ?? new Set();
    this.#named.set(id, names);
    for (const folder of this.#folders) {
      const relative = path.relative(folder, path.resolve(folder, named));
      const isBelow = relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`);
      if (isBelow && !path.isAbsolute(relative)) names.add(relative.replaceAll(path.sep, '/'));
    }
  }
}

/** Kinds of calls that write nothing. */
const harmless: ReadonlySet<ToolKind> = new Set(['think', 'search', 'read', 'fetch', 'switch_mode']);

const terminalPrefix = 'terminal ';

/** How long a message of the agent may be in transit. */
const readingMs = 100;

/** Allowed difference between file time stamps and the system's clock: the time stamps may be behind. */
export const clockMs = 20;

function namesOf({ locations, content }: ToolCallUpdate): readonly string[] {
  return [
    ...(locations ?? []).map((location) => location.path),
    ...(content ?? []).flatMap((piece) => (piece.type === 'diff' ? [piece.path] : [])),
  ];
}
