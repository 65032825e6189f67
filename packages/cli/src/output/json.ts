import type { ToolCallContent, ToolCallUpdate } from '@parley/acp';
import type { Output } from './output.ts';
import type { Writer } from './writer.ts';

/** How many announced tool calls are remembered; the oldest is forgotten first. */
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
    session({ sessionId, agent, protocolVersion, cwd, worktree }) {
      line('session', JSON.stringify({ sessionId, agent, protocolVersion, cwd, worktree }).slice(1));
    },
    event(event) {
      switch (event.type) {
        case 'update':
          // The hot path: the update is turned into text once, as it came.
          line('update', `"update":${event.text ?? JSON.stringify(event.update)}}`);
          if (event.view.sessionUpdate === 'tool_call') remember(announced, event.view.toolCallId);
          break;
        case 'permission-request':
          // The answer follows, and is one line with it.
          if (!announced.has(event.toolCall.toolCallId)) unannounced.set(event.requestId, event.toolCall);
          break;
        case 'permission': {
          const { requestId, toolCallId, decision, by, client, person: token, reason } = event;
          const options = event.options.map((option) => (option.kind === 'unknown' ? option.raw : option));
          const call = unannounced.get(requestId);
          unannounced.delete(requestId);
          const toolCall = call === undefined ? {} : { toolCall: asItCame(call) };
          line(
            'permission',
            JSON.stringify({ toolCallId, options, decision, by, client, token, reason, ...toolCall }).slice(
              1,
            ),
          );
          break;
        }
        case 'elicitation': {
          const { message, mode, action, by, client, person: token } = event;
          line('elicitation', JSON.stringify({ message, mode, action, by, client, token }).slice(1));
          break;
        }
        case 'changes': {
          const { files, more } = event;
          line('changes', JSON.stringify({ files, more }).slice(1));
          break;
        }
        case 'prompt': {
          const { turn, client, token } = event;
          const content = event.content.map((block) => (block.type === 'unknown' ? block.raw : block));
          line('prompt', JSON.stringify({ turn, content, client, token }).slice(1));
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

/** The current time as ISO 8601; made anew only when the clock moved. */
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
