import { withoutSecretDefaults } from '@parley/host';
import type { HubQuestion } from '@parley/host/hub';

/** A question as it is stored for the other replicas, in plain. */
export function toShared(question: HubQuestion): HubQuestion {
  return question.kind === 'elicitation'
    ? { ...question, request: withoutSecretDefaults(question.request) }
    : question;
}
