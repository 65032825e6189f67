import type { PermissionOption, RequestPermissionOutcome, ToolCall } from '@parley/acp';
import { configOptionUpdate, currentModeUpdate } from '../conversation/setting-updates.ts';
import type { Decision } from '../permission/decide.ts';
import type { Mode } from '../permission/mode.ts';
import { rejectionText } from '../permission/permission-options.ts';
import { textContent } from '../tools/content.ts';
import type { Turn } from './turn.ts';

/** Asks the user about a plan; approval changes the mode, and the turn continues with the new permissions. */
export async function approvePlan(
  { client, conversation }: Turn,
  toolCall: ToolCall,
  plan: string,
): Promise<Decision> {
  const outcome = await client.requestPermission(
    { ...toolCall, content: [textContent(plan)] },
    planOptions(),
  );
  client.signal.throwIfAborted();
  const answer = toPlanAnswer(outcome);
  switch (answer) {
    case 'keep-planning':
      return {
        decision: 'deny',
        reason: rejectionText(
          'The user wants you to keep planning: find out what is missing or wrong, and submit the plan again',
          outcome,
        ),
      };
    case 'no-answer':
      return { decision: 'deny', reason: 'The question about the plan received no valid response' };
    case 'confirm':
    case 'workspace-write':
      conversation.setMode(answer);
      await client.update(currentModeUpdate(answer));
      await client.update(configOptionUpdate(conversation));
      return { decision: 'allow' };
  }
}

const goAhead = 'plan_go_ahead';
const goAheadWriting = 'plan_go_ahead_writing';
const keepPlanning = 'plan_keep_planning';

function planOptions(): PermissionOption[] {
  return [
    { optionId: goAhead, kind: 'allow_once', name: 'Go ahead, ask before each change' },
    { optionId: goAheadWriting, kind: 'allow_always', name: 'Go ahead, change files without asking' },
    { optionId: keepPlanning, kind: 'reject_once', name: 'Keep planning' },
  ];
}

/** The mode the plan is carried out in, or why it is not. */
function toPlanAnswer(
  outcome: RequestPermissionOutcome,
): Extract<Mode, 'confirm' | 'workspace-write'> | 'keep-planning' | 'no-answer' {
  if (outcome.outcome !== 'selected') return 'no-answer';
  switch (outcome.optionId) {
    case goAhead:
      return 'confirm';
    case goAheadWriting:
      return 'workspace-write';
    case keepPlanning:
      return 'keep-planning';
    default:
      return 'no-answer';
  }
}
