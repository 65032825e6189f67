import type { PermissionQuestion } from '../hub/hub-question.ts';
import type { Interact } from '../interact.ts';
import { redactAction } from '../redaction/redact-action.ts';
import { redactElicitation, redactPermission } from '../redaction/redact-question.ts';
import { redactPolicyReason, redactRule } from '../redaction/redact-rule.ts';
import type { Redaction } from '../redaction/redaction.ts';
import type { OpenQuestions } from './open-questions.ts';

/** Where the questions of a session are put. */
export interface AskClientsOptions {
  /** The session's key. */
  readonly key: string;
  readonly questions: OpenQuestions;
  /** Whether its agent accepts the reason of a rejection. */
  readonly takesReason: () => boolean;
  /** What must not be revealed, read for each question. */
  readonly redaction: () => Redaction;
}

/** The users of the hub, as an agent's questions reach them. */
export function askClients({ key, questions, takesReason, redaction }: AskClientsOptions): Interact {
  return {
    permission: (request, asked) => {
      const { requestId, signal, why, because, action, opaque, remember } = asked;
      const hidden = redaction();
      const question: PermissionQuestion = {
        key,
        requestId,
        since: Date.now(),
        kind: 'permission',
        request: redactPermission(request, hidden),
        action: redactAction(action, hidden),
        why: hidden.text(why),
        ...(because !== undefined && { because: redactPolicyReason(because, hidden) }),
        ...(opaque === true && { opaque }),
        ...(remember !== undefined && {
          remember: { ...remember, about: remember.about.map((scope) => redactRule(scope, hidden)) },
        }),
        ...(takesReason() && { takesReason: true }),
      };
      return questions.askPermission(question, signal);
    },
    elicitation: (request, { requestId, signal }) =>
      questions.askForm(
        {
          key,
          requestId,
          since: Date.now(),
          kind: 'elicitation',
          request: redactElicitation(request, redaction()),
        },
        signal,
      ),
  };
}
