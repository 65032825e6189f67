import type { PromptContext } from '@parley/acp/unstable';
import type { Session, SessionNotice } from '../session/session.ts';

/** Tells what the user of a session should know and was not told yet. */
export async function tellNotices(session: Session, context: PromptContext): Promise<void> {
  const { servers, jobs } = session.workplace;
  const notices = [...session.takeNotices(), ...servers.takeNotices(), ...jobs.takeNotices()];
  for (const notice of notices) await tellNotice(context, session.createMessageId(), notice);
}

/** Tells the user something that is no answer: as a notice where the client has them, else as a thought. */
export async function tellNotice(
  context: PromptContext,
  messageId: string,
  { severity, title, description }: SessionNotice,
): Promise<void> {
  if (context.client.capabilities.session?.notices !== undefined) {
    return await context.update({ sessionUpdate: 'notice', severity, title, description });
  }
  await context.update({
    sessionUpdate: 'agent_thought_chunk',
    messageId,
    content: { type: 'text', text: `${title}. ${description}` },
  });
}
