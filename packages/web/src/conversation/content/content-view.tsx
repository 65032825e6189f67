import type { ContentBlock } from '@parley/acp';
import { FileText, Link2 } from 'lucide-react';
import { use, type ReactElement } from 'react';
import { attachedName } from '../../draft/draft.ts';
import { useText } from '../../text/language.tsx';
import { PlaceContext } from '../conversation-context.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { OutsideLink } from '../markdown/outside-link.tsx';
import { relativePath } from '../relative-path.ts';
import { TerminalText } from '../terminal/terminal-text.tsx';
import { formatBytes, pathOf } from './format-bytes.ts';
import { ImageView } from './image-view.tsx';
import { ValueView } from './value-view.tsx';
import './content-view.css';

/** One piece of content of any type. Text is shown as it is, unless it is formatted for sure. */
export function ContentView({ block }: { readonly block: ContentBlock }): ReactElement {
  const { conversation: text } = useText();
  switch (block.type) {
    case 'text':
      return <PlainOrMarkdown text={block.text} />;
    case 'image':
      return <ImageView image={block} />;
    case 'audio':
      return playable.test(block.mimeType) ? (
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio
          className="content-audio"
          controls
          src={`data:${block.mimeType};base64,${block.data}`}
          aria-label={text.audio}
        />
      ) : (
        <p className="soft small">{text.cannotPlay}</p>
      );
    case 'resource_link':
      return (
        <p className="content-resource">
          <Link2 size={16} aria-hidden />
          <ResourceName uri={block.uri} name={block.title ?? block.name} />
          {block.size !== undefined && <span className="soft small">{formatBytes(block.size)}</span>}
          {block.description !== undefined && <span className="soft small">{block.description}</span>}
        </p>
      );
    case 'resource': {
      const { resource } = block;
      return (
        <details className="content-embedded">
          <summary>
            <FileText size={16} aria-hidden />
            <ResourceName uri={resource.uri} name={attachedName(resource.uri) ?? resource.uri} />
          </summary>
          {'text' in resource ? (
            <PlainOrMarkdown text={resource.text} />
          ) : (
            <p className="soft small">{text.binary(formatBytes((resource.blob.length * 3) / 4))}</p>
          )}
        </details>
      );
    }
    case 'unknown':
      return (
        <details>
          <summary>{text.unknownContent}</summary>
          <ValueView value={block.raw} />
        </details>
      );
  }
}

const playable = /^audio\/[\w.+-]+$/;

/**
 * Shows text as Markdown only if it contains fences, which agents use for formatting; other text is the plain output
 * of a tool.
 */
function PlainOrMarkdown({ text }: { readonly text: string }): ReactElement {
  return /^\s*(?:```|~~~)/.test(text) ? (
    <Markdown text={text} id="content" />
  ) : (
    <TerminalText text={text} from="start" />
  );
}

function ResourceName({ uri, name }: { readonly uri: string; readonly name: string }): ReactElement {
  const { cwd } = use(PlaceContext);
  const path = pathOf(uri);
  if (path === undefined) return <OutsideLink address={uri}>{name}</OutsideLink>;
  return (
    <code className="path-name" title={path}>
      {relativePath(path, cwd)}
    </code>
  );
}
