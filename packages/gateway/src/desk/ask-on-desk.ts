import type { Interact, PermissionInteractOptions } from '@parley/host';
import type { LastingChoice, PermissionQuestion } from '@parley/host/desk';
import { ruleWords } from '@parley/workspace';
import type { OpenQuestions } from './open-questions.ts';

/** Where the questions of a session are put. */
export interface AskOnDeskOptions {
  /** The session's key. */
  readonly key: string;
  readonly questions: OpenQuestions;
  /** Whether its agent can be told why something was rejected. */
  readonly takesReason: () => boolean;
}

/** The persons at the desk, as an agent's questions reach them. */
export function askOnDesk({ key, questions, takesReason }: AskOnDeskOptions): Interact {
  return {
    permission: (request, asked) => {
      const { requestId, signal, why, opaque } = asked;
      const lasting = toLastingChoice(asked);
      const question: PermissionQuestion = {
        key,
        requestId,
        since: Date.now(),
        kind: 'permission',
        request,
        why,
        ...(opaque === true && { opaque }),
        ...(lasting !== undefined && { lasting }),
        ...(takesReason() && { takesReason: true }),
      };
      return questions.askPermission(question, signal);
    },
    elicitation: (request, { requestId, signal }) =>
      questions.askForm({ key, requestId, since: Date.now(), kind: 'elicitation', request }, signal),
  };
}

function toLastingChoice({ lasting }: PermissionInteractOptions): LastingChoice | undefined {
  if (lasting === undefined) return undefined;
  const { about, scopes } = lasting;
  return {
    about: about.map((scope) => ruleWords({ ...scope, decision: 'allow' }).slice('allow '.length)),
    scopes,
  };
}
