import type { Run } from '@parley/aap/server';
import type { ContentBlock, SessionUpdate } from '@parley/acp';
import { RedactedText, type Redaction } from '@parley/host';
import { both } from './both.ts';
import type { CallTracker } from './call-tracker.ts';
import { contentText, imageUrl } from './content-text.ts';

/** What a run receives. */
export interface RunUpdatesOptions {
  readonly run: Pick<Run, 'text' | 'thinking' | 'image' | 'endBlock' | 'extension'>;
  readonly tracker: CallTracker;
  readonly redaction: Redaction;
}

type Speech = 'text' | 'thinking';

/** Passes to a run what its agent says, in order. */
export class RunUpdates {
  readonly #options: RunUpdatesOptions;
  readonly #waiting: RedactedText;
  #speech: Speech = 'text';
  #messageId: string | undefined;

  constructor(options: RunUpdatesOptions) {
    this.#options = options;
    this.#waiting = new RedactedText(options.redaction);
  }

  /** A promise means that the run is behind: the agent has to wait. */
  take(update: SessionUpdate): void | Promise<void> {
    const { run, tracker } = this.#options;
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return both(tracker.reportBegun(), this.#say('text', update.content, update.messageId));
      case 'agent_thought_chunk':
        return both(tracker.reportBegun(), this.#say('thinking', update.content, update.messageId));
      case 'tool_call':
      case 'tool_call_update':
        return both(this.flush(), tracker.note(update));
      case 'plan':
        return run.extension('plan', { entries: update.entries });
      case 'available_commands_update':
        return run.extension('commands', { commands: update.availableCommands });
      case 'usage_update': {
        const { used, size, cost } = update;
        return run.extension('usage', { used, size, ...(cost !== undefined && { cost }) });
      }
      case 'notice': {
        const { severity, title, description } = update;
        return run.extension('notice', {
          severity,
          title,
          ...(description !== undefined && { description }),
        });
      }
      case 'compaction_update':
        return run.extension('compaction', { compactionId: update.compactionId, status: update.status });
      case 'user_message_chunk':
      case 'compaction_summary_chunk':
      case 'current_mode_update':
      case 'config_option_update':
      case 'session_info_update':
      case 'unknown':
        // What was asked is known, what concerns the session is seen to elsewhere.
        return undefined;
    }
  }

  /** What was held back of the last message is no secret after all. */
  flush(): void | Promise<void> {
    const rest = this.#waiting.flush();
    return rest === '' ? undefined : this.#options.run[this.#speech](rest);
  }

  #say(speech: Speech, content: ContentBlock, messageId: string | undefined): void | Promise<void> {
    const { run } = this.#options;
    const isOther = speech !== this.#speech || messageId !== this.#messageId;
    const flushed = isOther ? this.flush() : undefined;
    if (isOther) run.endBlock();
    this.#speech = speech;
    this.#messageId = messageId;
    if (content.type === 'image' && speech === 'text') {
      const image = run.image({ type: 'image', url: imageUrl(content) });
      return both(both(flushed, this.flush()), image);
    }
    const text = this.#waiting.push(contentText(content));
    return text === '' ? flushed : both(flushed, run[speech](text));
  }
}
