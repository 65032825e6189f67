import type { ContentBlock, HistoryMessage, ServerToolRef, ToolCall, ToolSpec } from '@parley/aap';
import type { CallPermission, Extras, Run, RunInput } from '@parley/aap/server';

/** Options of a fake run, with the answers of its application. */
export interface FakeRunOptions {
  readonly sessionId?: string;
  readonly turnId?: string;
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

/** One output of the agent to its run; pieces of one text are one entry each. */
export type Output = readonly [what: string, ...details: unknown[]];

/** A run, and all that the agent sent to it. */
export interface FakeRun {
  readonly run: Run;
  readonly output: Output[];
  /** The outputs of one kind. */
  of(what: string): readonly Output[];
  /** What was remembered last. */
  readonly state: () => unknown;
}

/** A run as a server would make it, which records its output. */
export function fakeRun(options: FakeRunOptions = {}): FakeRun {
  const {
    sessionId = 'app-session',
    turnId = 'turn-1',
    input = 'hello',
    permission = (): CallPermission => ({ granted: true }),
    callClientTool = () => 'done',
  } = options;
  const output: Output[] = [];
  let { state, options: values = {} } = options;
  const run: Run = {
    sessionId,
    turnId,
    sender: { name: 'web-shop', client: 'shop' },
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
    text: (delta) => void output.push(['text', delta]),
    thinking: (delta) => void output.push(['thinking', delta]),
    image: (image) => void output.push(['image', image.url]),
    endBlock: () => undefined,
    flush: () => undefined,
    announce: () => undefined,
    toolCall: (call, extras) => void output.push(['call', call, extras]),
    toolResult: (result, extras) => void output.push(['result', result.toolCallId, result.content, extras]),
    async permission(call, extras) {
      output.push(['permission', call, extras]);
      return permission(call, extras);
    },
    async callClientTool(call) {
      output.push(['client-tool', call.name, call.input]);
      return callClientTool(call);
    },
    extension: (event, data) => void output.push([event, data]),
    updateSession(change) {
      output.push(['session', change]);
      if (change.options !== undefined) values = { ...values, ...change.options };
      return Promise.resolve();
    },
  };
  return {
    run,
    output,
    of: (what) => output.filter(([kind]) => kind === what),
    state: () => state,
  };
}
