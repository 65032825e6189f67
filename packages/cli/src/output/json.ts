import type { Output } from './output.ts';
import type { Writer } from './writer.ts';

/** One JSON object a line, numbered, ending with exactly one `stop`. */
export function createJsonOutput(writer: Writer, now: () => number = Date.now): Output {
  const time = createTimestamps(now);
  let sequence = 0;

  /** `fields` is the rest of the object behind `type`: `"name":…}` */
  function line(type: string, fields: string): void {
    sequence += 1;
    writer.write(`{"v":1,"seq":${String(sequence)},"time":"${time()}","type":"${type}",${fields}\n`);
  }

  return {
    session({ sessionId, agent, protocolVersion, cwd }) {
      line('session', JSON.stringify({ sessionId, agent, protocolVersion, cwd }).slice(1));
    },
    event(event) {
      switch (event.type) {
        case 'update':
          // The hot path: the update is turned into text once, as it came.
          line('update', `"update":${event.text ?? JSON.stringify(event.update)}}`);
          break;
        case 'permission-request':
          // The answer follows, and is one line with it.
          break;
        case 'permission': {
          const { toolCallId, decision, by, reason } = event;
          const options = event.options.map((option) => (option.kind === 'unknown' ? option.raw : option));
          line('permission', JSON.stringify({ toolCallId, options, decision, by, reason }).slice(1));
          break;
        }
        case 'elicitation': {
          const { message, mode, action, by } = event;
          line('elicitation', JSON.stringify({ message, mode, action, by }).slice(1));
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
