import type { MessageItem } from '@parley/host/state';
import { Brain, ChevronRight } from 'lucide-react';
import { memo, use, type ReactElement } from 'react';
import { CopyButton } from '../../parts/copy-button.tsx';
import { formatDuration } from '../../parts/format-duration.ts';
import { useLanguage, useText } from '../../text/language.tsx';
import { ContentView } from '../content/content-view.tsx';
import { PlaceContext, useOpened } from '../conversation-context.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { firstLine, messageText } from './message-text.ts';
import { TextLines } from './text-lines.tsx';
import './message.css';

/** Something that was said. */
export interface MessageProps {
  readonly item: MessageItem;
  /** More of it may come. */
  readonly isOpen: boolean;
  /** Another speaker came before. */
  readonly isFirst: boolean;
}

/** A prompt, an answer or a thought. */
export function Message(props: MessageProps): ReactElement {
  switch (props.item.role) {
    case 'user':
      return <Prompt {...props} />;
    case 'agent':
      return <Answer {...props} />;
    case 'thought':
      return <Thought {...props} />;
  }
}

function Prompt({ item }: MessageProps): ReactElement {
  const { conversation: text } = useText();
  const { steering } = item;
  // The turn of its own shows it.
  if (steering === 'queued') return <></>;
  return (
    <div className="message message-user">
      <MessageHead name={text.you} item={item} />
      {item.blocks.map((block, index) =>
        block.type === 'text' ? (
          // oxlint-disable-next-line react/no-array-index-key
          <TextLines key={index} text={block.text} />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <ContentView key={index} block={block} />
        ),
      )}
      <Cut item={item} />
      {steering !== undefined && <p className="soft small">{text.steering[steering]}</p>}
    </div>
  );
}

function Answer({ item, isOpen, isFirst }: MessageProps): ReactElement {
  const { agentName } = use(PlaceContext);
  return (
    <div className="message">
      {isFirst && <MessageHead name={agentName} item={item} />}
      <Blocks item={item} isOpen={isOpen} />
      {!isOpen && <MessageTools item={item} />}
    </div>
  );
}

function Thought({ item, isOpen }: MessageProps): ReactElement {
  const { conversation: text } = useText();
  const { language } = useLanguage();
  const [isShown, toggle] = useOpened(`thought ${item.seq}`, false);
  const whole = messageText(item);
  const took = item.lastTime === undefined ? 0 : item.lastTime - item.time;
  const said = took >= 1000 ? text.thoughtFor(formatDuration(took, language)) : text.thought;
  return (
    <div className="thought soft">
      <button type="button" className="fold-head" aria-expanded={isShown} onClick={toggle}>
        <ChevronRight className="fold-mark" size={14} aria-hidden />
        <Brain size={14} aria-hidden />
        <span className="thought-label">{isOpen ? text.thinking : said}</span>
        {!isShown && <span className="thought-line">{firstLine(whole, isOpen)}</span>}
      </button>
      {isShown && (
        <div className="fold-body">
          <Blocks item={item} isOpen={isOpen} />
        </div>
      )}
    </div>
  );
}

function Blocks({ item, isOpen }: Pick<MessageProps, 'item' | 'isOpen'>): ReactElement {
  return (
    <>
      {item.blocks.map((block, index) =>
        block.type === 'text' ? (
          <Markdown
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            text={block.text}
            id={`m${item.seq}-${index}`}
            isOpen={isOpen && index === item.blocks.length - 1}
          />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <ContentView key={index} block={block} />
        ),
      )}
      <Cut item={item} />
    </>
  );
}

function Cut({ item: { cutPieces } }: { readonly item: MessageItem }): ReactElement | null {
  const { conversation: text } = useText();
  return cutPieces === undefined ? null : <p className="soft small">{text.cutMessage}</p>;
}

function MessageHead({ name, item }: { readonly name: string; readonly item: MessageItem }): ReactElement {
  return (
    <div className="message-head">
      <h2 className="small">{name}</h2>
      <MessageTime time={item.time} />
      {item.role === 'user' && <MessageTools item={item} />}
    </div>
  );
}

/** Not rendered again while the message grows: dates take long to format. */
const MessageTime = memo(function MessageTime({ time }: { readonly time: number }): ReactElement {
  const { language } = useLanguage();
  const date = new Date(time);
  return (
    <time className="soft small" dateTime={date.toISOString()} title={date.toLocaleString(language)}>
      {date.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' })}
    </time>
  );
});

function MessageTools({ item }: { readonly item: MessageItem }): ReactElement | null {
  const { conversation: text } = useText();
  if (!item.blocks.some(({ type }) => type === 'text')) return null;
  return (
    <div className="message-tools">
      <CopyButton text={() => messageText(item)} label={text.copyMessage} />
    </div>
  );
}
