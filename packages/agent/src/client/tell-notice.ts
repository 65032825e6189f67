import type { PromptContext } from '@parley/acp/unstable';
import type { SessionNotice } from '../session/session-notice.ts';
import type { Session } from '../session/session.ts';

/** Tells what the user of a session should know and was not told yet. */
export async function tellNotices(session: Session, context: PromptContext): Promise<void> {
  const notices = [
    ...session.takeNotices(),
    ...session.servers.takeNotices(),
    ...session.workplace.jobs.takeNotices(),
  ];
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
