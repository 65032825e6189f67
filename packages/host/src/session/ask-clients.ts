import type { SubagentName } from '../event/subagent-name.ts';
import type { PermissionQuestion } from '../hub/hub-question.ts';
import type { Interact } from '../interact.ts';
import { redactAction } from '../redaction/redact-action.ts';
import { redactElicitation, redactPermission } from '../redaction/redact-question.ts';
import { redactPolicyReason, redactRule } from '../redaction/redact-rule.ts';
import type { Redaction } from '../redaction/redaction.ts';
import type { OpenQuestions } from './open-questions.ts';

/** Options of {@link askClients}. */
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
      const { requestId, signal, why, because, action, opaque, remember, subagent } = asked;
      const hidden = redaction();
      const question: PermissionQuestion = {
        key,
        requestId,
        since: Date.now(),
        ...toSubagent(subagent, hidden),
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
    elicitation: (request, { requestId, signal, subagent }) =>
      questions.askForm(
        {
          key,
          requestId,
          since: Date.now(),
          ...toSubagent(subagent, redaction()),
          kind: 'elicitation',
          request: redactElicitation(request, redaction()),
        },
        signal,
      ),
  };
}

function toSubagent(
  subagent: SubagentName | undefined,
  redaction: Redaction,
): { readonly subagent?: SubagentName } {
  if (subagent === undefined) return {};
  const { sessionId, title } = subagent;
  return { subagent: { sessionId, ...(title !== undefined && { title: redaction.text(title) }) } };
}
