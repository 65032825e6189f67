import type { ContentBlock, ToolCallContent } from '@parley/acp';
import type { ReactElement } from 'react';
import { Honest } from '../parts/honest.tsx';
import { useText } from '../text/language.tsx';
import './request-parts.css';

/** What of the content of a call is no text: the agent shows it as an explanation. */
export function ContentBlocks({
  content,
}: {
  readonly content: readonly ToolCallContent[] | undefined;
}): ReactElement {
  return (
    <>
      {content?.map((item, index) => {
        // The content of a call is only replaced as a whole.
        // oxlint-disable-next-line react/no-array-index-key
        if (item.type === 'unknown') return <Unexplained key={index} value={item.raw} />;
        if (item.type !== 'content' || item.content.type === 'text') return null;
        // oxlint-disable-next-line react/no-array-index-key
        return <Block key={index} block={item.content} />;
      })}
    </>
  );
}

function Block({ block }: { readonly block: ContentBlock }): ReactElement {
  const { inbox } = useText();
  if (block.type === 'image' && /^image\/(?:png|jpeg|gif|webp)$/u.test(block.mimeType)) {
    return (
      <img className="call-image" src={`data:${block.mimeType};base64,${block.data}`} alt={inbox.image} />
    );
  }
  return <Unexplained value={block} />;
}

function Unexplained({ value }: { readonly value: unknown }): ReactElement {
  const { inbox } = useText();
  return (
    <figure aria-label={inbox.content}>
      <pre className="call-input">
        <Honest text={JSON.stringify(value, undefined, 2)} />
      </pre>
    </figure>
  );
}
