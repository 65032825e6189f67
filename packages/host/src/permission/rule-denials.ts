import {
  Invalid,
  parseSessionUpdate,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@parley/acp';
import { openFiles } from '@parley/workspace';
import type { ConfiguredRule } from '@parley/workspace/rule';
import { denialOf } from './decide.ts';
import { settle, toPermissionResponse } from './decision.ts';
import { subjectOf } from './request/permission-subject.ts';
import type { RequestedAction } from './request/requested-action.ts';
import { filesElsewhere, toRequestedAction, type ActionPlace } from './request/to-requested-action.ts';
import { createToolCalls } from './request/tool-calls.ts';

/** The rules, and the session that they apply to. */
export interface RuleDenialsOptions {
  readonly agentName: string;
  /** All rules; only those that deny are used. */
  readonly rules: readonly ConfiguredRule[];
  /** The session's directory, which the paths of rules are relative to. */
  readonly cwd: string;
  /** Further directories of the session. @default none */
  readonly directories?: readonly string[];
  /** What time it is, in milliseconds since 1970. @default the clock of this system */
  readonly now?: () => number;
}

/** Why a request for permission is rejected, and what the agent is answered. */
export interface RuleDenial {
  readonly reason: string;
  /** The requested action. */
  readonly action: RequestedAction;
  readonly response: RequestPermissionResponse;
}

/** The `deny` rules of this configuration for one session whose permission requests another client answers. */
export interface RuleDenials {
  /** Reads an unmodified `session/update`: the announced tool call is considered when the agent asks for permission. */
  note(update: unknown): void;
  /** The denial of a request, if a rule denies it, or may be meant to and the call cannot be judged. */
  find(request: RequestPermissionRequest): Promise<RuleDenial | undefined>;
  /** A turn has ended: its calls are forgotten. */
  endTurn(): void;
}

/** Applies the `deny` rules of this configuration to permission requests that another client answers. */
export function createRuleDenials(options: RuleDenialsOptions): RuleDenials {
  const { agentName, cwd, directories = [] } = options;
  const rules = options.rules.filter(({ decision }) => decision === 'deny');
  const toolCalls = createToolCalls();
  return {
    note(update) {
      if (!isOfCall(update)) return;
      const view = parseSessionUpdate(update);
      if (view instanceof Invalid) return;
      if (view.sessionUpdate !== 'tool_call' && view.sessionUpdate !== 'tool_call_update') return;
      toolCalls.note(view);
    },
    async find(request) {
      const seen = await toRequestedAction(toolCalls.complete(request.toolCall), {
        files: await filesHere(),
      });
      const subject = subjectOf(seen);
      const reason = denialOf({ ...subject, agent: agentName }, rules, cwd, options.now?.());
      if (reason === undefined) return undefined;
      const decision = settle(request.options, 'reject', { by: 'rule', reason });
      return {
        reason: decision.reason,
        action: seen.action,
        response: toPermissionResponse({ ...decision, userReason: sentReason }),
      };
    },
    endTurn() {
      toolCalls.clear();
    },
  };

  /** Opened for each request: until then a directory may have come, or have become a link. */
  async function filesHere(): Promise<ActionPlace['files']> {
    try {
      return await openFiles({ cwd, directories });
    } catch {
      // The directory is not here: the call is judged by the names it gives.
      return filesElsewhere({ cwd, directories });
    }
  }
}

/** The reason sent to the agent. It does not reveal the rule. */
const sentReason = 'the configuration of the server denies it, regardless of what its client allows';

function isOfCall(update: unknown): boolean {
  if (typeof update !== 'object' || update === null || !('sessionUpdate' in update)) return false;
  return update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update';
}
