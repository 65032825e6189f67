import type { ToolCallContent, ToolCallUpdate } from '@parley/acp';
import type { UpdateEvent } from '@parley/host';
import type { Output, ShownPrompt } from './output.ts';
import type { Writer } from './writer.ts';

/** Remembered tool calls; the oldest are dropped first. */
const maxAnnounced = 1024;

/** How the lines are numbered and dated. */
export interface Numbering {
  /** The number of the next line; undefined for one without. @default one more than that of the line before, from 1 */
  readonly next: () => number | undefined;
  /** In milliseconds since 1970. @default now */
  readonly now: () => number;
}

/** One JSON object a line, numbered; `parley run` ends with exactly one `stop`. */
export function createJsonOutput(writer: Writer, { now = Date.now, next }: Partial<Numbering> = {}): Output {
  const time = createTimestamps(now);
  let lines = 0;
  const announced = new Set<string>();
  /** The calls that are asked about without having been announced, by the request: no other line says what they are. */
  const unannounced = new Map<string, ToolCallUpdate>();

  /** `fields` is the rest of the object behind `type`: `"name":…}` */
  function line(type: string, fields: string): void {
    lines += 1;
    const number = next === undefined ? lines : next();
    const seq = number === undefined ? '' : `"seq":${String(number)},`;
    writer.write(`{"v":1,${seq}"time":"${time()}","type":"${type}",${fields}\n`);
  }

  return {
    session({ sessionId, agent, protocolVersion, cwd, worktree, sandbox }) {
      const fields = { sessionId, agent, protocolVersion, cwd, worktree, sandbox };
      line('session', JSON.stringify(fields).slice(1));
    },
    event(event) {
      switch (event.type) {
        case 'update':
          // The hot path: the update is turned into text once, unchanged.
          line('update', `${subagentField(event)}"update":${event.text ?? JSON.stringify(event.update)}}`);
          if (event.view.sessionUpdate === 'tool_call') remember(announced, callName(event.view, event));
          break;
        case 'permission-request': {
          // The answer follows, and is one line with it.
          const { requestId, toolCall } = event;
          if (!announced.has(callName(toolCall, event))) unannounced.set(requestId, toolCall);
          break;
        }
        case 'permission': {
          const { requestId, subagent, toolCallId, decision, by, client, person: token, reason } = event;
          const options = event.options.map((option) => (option.kind === 'unknown' ? option.raw : option));
          const call = unannounced.get(requestId);
          unannounced.delete(requestId);
          const toolCall = call === undefined ? {} : { toolCall: asItCame(call) };
          line(
            'permission',
            JSON.stringify({
              sessionId: subagent,
              toolCallId,
              options,
              decision,
              by,
              client,
              token,
              reason,
              ...toolCall,
            }).slice(1),
          );
          break;
        }
        case 'elicitation': {
          const { subagent: sessionId, message, mode, action, by, client, person: token } = event;
          line(
            'elicitation',
            JSON.stringify({ sessionId, message, mode, action, by, client, token }).slice(1),
          );
          break;
        }
        case 'changes': {
          const { files, more } = event;
          line('changes', JSON.stringify({ files, more }).slice(1));
          break;
        }
        case 'network': {
          const { hosts, moreHosts } = event;
          line('network', JSON.stringify({ hosts, moreHosts }).slice(1));
          break;
        }
        case 'prompt': {
          const { turn, client, token } = event;
          line('prompt', JSON.stringify({ turn, content: toRaw(event), client, token }).slice(1));
          break;
        }
        case 'steering': {
          const { turn, outcome, client, token } = event;
          line('steering', JSON.stringify({ turn, outcome, content: toRaw(event), client, token }).slice(1));
          break;
        }
        case 'diagnostic': {
          const { level, code, message } = event;
          line('diagnostic', JSON.stringify({ level, code, message }).slice(1));
          break;
        }
      }
      return writer.ready();
    },
    makeRoom: () => writer.flush(),
    async stop({ stopReason, error, usage, exitStatus }) {
      line('stop', JSON.stringify({ stopReason, error, usage, exitCode: exitStatus }).slice(1));
      await writer.flush();
    },
  };
}

/** What is of a sub-agent carries the id of its session; what is of the session itself carries none. */
function subagentField({ subagent }: UpdateEvent): string {
  return subagent === undefined ? '' : `"sessionId":${JSON.stringify(subagent)},`;
}

function toRaw({ content }: Pick<ShownPrompt, 'content'>): readonly object[] {
  return content.map((block) => (block.type === 'unknown' ? block.raw : block));
}

/** A tool call is named within its session. */
function callName(
  { toolCallId }: { readonly toolCallId: string },
  { subagent }: { readonly subagent?: string },
): string {
  return subagent === undefined ? toolCallId : `${subagent} ${toolCallId}`;
}

function remember(announced: Set<string>, toolCallId: string): void {
  announced.add(toolCallId);
  if (announced.size <= maxAnnounced) return;
  const [oldest] = announced;
  if (oldest !== undefined) announced.delete(oldest);
}

/** A call whose unknown content is as the agent sent it. */
function asItCame({ content, ...call }: ToolCallUpdate): object {
  return content === undefined ? call : { ...call, content: content.map(contentAsItCame) };
}

function contentAsItCame(item: ToolCallContent): object {
  if (item.type === 'unknown') return item.raw;
  if (item.type !== 'content' || item.content.type !== 'unknown') return item;
  return { ...item, content: item.content.raw };
}

/** The current time as ISO 8601; formatted again only if the clock changed. */
function createTimestamps(now: () => number): () => string {
  let last = Number.NaN;
  let text = '';
  return () => {
    const current = now();
    if (current !== last) {
      last = current;
      text = new Date(current).toISOString();
    }
    return text;
  };
}
