import { subagentOf, type SessionMessageItem, type SubagentItem } from '@parley/host/state';
import { Bot, MessagesSquare } from 'lucide-react';
import { memo, use, type ReactElement } from 'react';
import { Link } from 'wouter';
import { Honest } from '../parts/honest.tsx';
import { subagentHref } from '../subagents/subagent-address.ts';
import { useText } from '../text/language.tsx';
import { FeedContext, PlaceContext } from './conversation-context.ts';
import { Markdown } from './markdown/markdown.tsx';
import { messageText } from './message/message-text.ts';
import { Remark } from './remark.tsx';

/** Where a sub-agent was announced: a link to its conversation. */
export function Subagent({ item: { sessionId } }: { readonly item: SubagentItem }): ReactElement {
  const { sessionKey } = use(PlaceContext);
  return <SubagentLink href={subagentHref(sessionKey, sessionId)} title={useTitle(sessionId)} />;
}

/** Made again only when the title changes: the feed changes with each word of each sub-agent. */
const SubagentLink = memo(function SubagentLink({
  href,
  title,
}: {
  readonly href: string;
  readonly title: string;
}): ReactElement {
  const { subagents: text } = useText();
  return (
    <Remark icon={Bot}>
      <Link href={href}>
        <Honest text={text.name(title)} />
      </Link>
    </Remark>
  );
});

/** A message from one session to another: no speech of the one that it is shown in. */
export function SessionMessage({ item }: { readonly item: SessionMessageItem }): ReactElement {
  const { subagents: text } = useText();
  const from = useTitle(item.sender);
  const to = useTitle(item.recipient);
  return (
    <div>
      <Remark icon={MessagesSquare}>
        <Honest text={text.message(from, to)} />
      </Remark>
      <Markdown text={messageText(item)} id={`s${item.seq}`} />
    </div>
  );
}

/** What a session is called: a sub-agent, or the session of the page. */
function useTitle(sessionId: string | undefined): string {
  const { subagents: text } = useText();
  const { view } = use(FeedContext);
  if (sessionId === undefined) return '?';
  const subagent = subagentOf(view, sessionId);
  return subagent === undefined ? text.theSession : (subagent.title ?? sessionId);
}
