import type { PromptContext } from '@parley/acp/unstable';
import type { ConversationNotice } from '../conversation/conversation-notice.ts';
import type { Conversation } from '../conversation/conversation.ts';

/** Sends the notices of a session that the user has not seen yet. */
export async function sendNotices(conversation: Conversation, context: PromptContext): Promise<void> {
  const notices = [
    ...conversation.takeNotices(),
    ...conversation.servers.takeNotices(),
    ...conversation.workplace.jobs.takeNotices(),
  ];
  for (const notice of notices) await sendNotice(context, conversation.createMessageId(), notice);
}

/** Sends the user something that is no answer: as a notice where the client supports them, else as a thought. */
export async function sendNotice(
  context: Pick<PromptContext, 'client' | 'update'>,
  messageId: string,
  { severity, title, description }: ConversationNotice,
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
