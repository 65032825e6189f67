import type { ContentBlock, HistoryMessage, ServerToolRef, ToolCall, ToolSpec } from '@parley/aap';
import type { CallPermission, Extras, Run, RunInput } from '@parley/aap/server';

/** What a run of a test is given, and who answers for the application. */
export interface FakeRunOptions {
  readonly sessionId?: string;
  readonly input?: RunInput | string;
  readonly history?: readonly HistoryMessage[];
  readonly options?: Readonly<Record<string, string>>;
  readonly clientTools?: readonly ToolSpec[];
  readonly state?: unknown;
  readonly signal?: AbortSignal;
  /** @default everything is granted */
  readonly permission?: (call: ToolCall, extras?: Extras) => Promise<CallPermission> | CallPermission;
  readonly callClientTool?: (call: ToolCall) => Promise<string | readonly ContentBlock[]> | string;
}

/** What a run was told, in order; pieces of one text are one entry each. */
export type Told = readonly [what: string, ...details: unknown[]];

/** A run, and all it was told. */
export interface FakeRun {
  readonly run: Run;
  readonly told: Told[];
  /** What was told of one sort. */
  of(what: string): readonly Told[];
  /** What was remembered last. */
  readonly state: () => unknown;
}

/** A run as a server would make it, which keeps what it is told. */
export function fakeRun(options: FakeRunOptions = {}): FakeRun {
  const {
    sessionId = 'app-session',
    input = 'hello',
    permission = (): CallPermission => ({ granted: true }),
    callClientTool = () => 'done',
  } = options;
  const told: Told[] = [];
  let { state, options: values = {} } = options;
  const run: Run = {
    sessionId,
    turnId: 'turn-1',
    input: typeof input === 'string' ? { role: 'user', content: input } : input,
    history: options.history ?? [],
    get options() {
      return values;
    },
    serverTools: new Map<string, ServerToolRef>(),
    clientTools: options.clientTools ?? [],
    signal: options.signal ?? new AbortController().signal,
    get state() {
      return state;
    },
    remember(next) {
      state = next;
      return Promise.resolve();
    },
    onPause: () => {},
    text: (delta) => void told.push(['text', delta]),
    thinking: (delta) => void told.push(['thinking', delta]),
    image: (image) => void told.push(['image', image.url]),
    endBlock: () => undefined,
    flush: () => undefined,
    announce: () => undefined,
    toolCall: (call, extras) => void told.push(['call', call, extras]),
    toolResult: (result, extras) => void told.push(['result', result.toolCallId, result.content, extras]),
    async permission(call, extras) {
      told.push(['permission', call, extras]);
      return permission(call, extras);
    },
    async callClientTool(call) {
      told.push(['client-tool', call.name, call.input]);
      return callClientTool(call);
    },
    extension: (event, data) => void told.push([event, data]),
    updateSession(change) {
      told.push(['session', change]);
      if (change.options !== undefined) values = { ...values, ...change.options };
      return Promise.resolve();
    },
  };
  return {
    run,
    told,
    of: (what) => told.filter(([kind]) => kind === what),
    state: () => state,
  };
}
