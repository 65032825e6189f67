import type { Run } from '@parley/aap/server';
import type { ContentBlock, SessionUpdate } from '@parley/acp';
import { together } from '@parley/host';
import type { CallTracker } from './calls/call-tracker.ts';
import { contentText, imageUrl } from './content-text.ts';

/** What a run receives of an agent's updates, besides calls. */
export type UpdatedRun = Pick<Run, 'text' | 'thinking' | 'image' | 'endBlock' | 'extension'>;

type Speech = 'text' | 'thinking';

/** Passes the agent's updates to a run, in order. */
export class RunUpdates {
  readonly #run: UpdatedRun;
  readonly #tracker: CallTracker;
  #speech: Speech = 'text';
  #messageId: string | undefined;

  constructor(run: UpdatedRun, tracker: CallTracker) {
    this.#run = run;
    this.#tracker = tracker;
  }

  /** Handles an update. A returned promise makes the agent wait, because the run is behind. */
  take(update: SessionUpdate): void | Promise<void> {
    const run = this.#run;
    const tracker = this.#tracker;
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return together(tracker.reportBegun(), this.#say('text', update.content, update.messageId));
      case 'agent_thought_chunk':
        return together(tracker.reportBegun(), this.#say('thinking', update.content, update.messageId));
      case 'tool_call':
      case 'tool_call_update':
        return tracker.note(update);
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
      case 'subagent_update':
      case 'session_message':
      case 'session_message_chunk':
      case 'unknown':
        // What was asked is known, what concerns the session is seen to elsewhere.
        return undefined;
    }
  }

  #say(speech: Speech, content: ContentBlock, messageId: string | undefined): void | Promise<void> {
    const run = this.#run;
    if (speech !== this.#speech || messageId !== this.#messageId) run.endBlock();
    this.#speech = speech;
    this.#messageId = messageId;
    if (content.type === 'image' && speech === 'text') {
      return run.image({ type: 'image', url: imageUrl(content) });
    }
    const text = contentText(content);
    return text === '' ? undefined : run[speech](text);
  }
}
