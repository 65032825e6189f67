import { useState, type ReactElement } from 'react';
import { formattedBlock, shownBlocks } from '../../limits.ts';
import { later } from '../../parts/later.tsx';
import { useText } from '../../text/language.tsx';
import './markdown.css';
import { CodeBlock } from './code-block.tsx';
import { isProse } from './is-prose.ts';
import { fenceOf, splitMarkdown, type MarkdownSplit } from './split-markdown.ts';

const MarkdownBlock = later(async () => (await import('./markdown-block.tsx')).MarkdownBlock);

/** A text in Markdown, which may still grow. */
export interface MarkdownProps {
  readonly text: string;
  /** Names the text on the page. */
  readonly id: string;
  /** More of it may come. @default false */
  readonly isOpen?: boolean;
}

/** Formatted text. While it grows, only its last block is read again. */
export function Markdown({ text, id, isOpen = false }: MarkdownProps): ReactElement {
  const { conversation } = useText();
  const [reader] = useState(() => new MarkdownReader());
  const [isWhole, setWhole] = useState(false);
  const { blocks, definitions } = reader.read(text);
  const show = (from: number, to: number): ReactElement[] =>
    blocks.slice(from, to).map((block, place) => {
      const index = from + place;
      return (
        <Block
          key={index}
          text={block}
          definitions={definitions}
          prefix={`${id}-${index}-`}
          isOpen={isOpen && index === blocks.length - 1}
        />
      );
    });
  if (isWhole || blocks.length <= 2 * shownBlocks) {
    return <div className="markdown">{show(0, blocks.length)}</div>;
  }
  return (
    <div className="markdown">
      {show(0, shownBlocks)}
      <button
        type="button"
        className="button"
        onClick={() => {
          setWhole(true);
        }}
      >
        {conversation.hiddenParts(blocks.length - 2 * shownBlocks)}
      </button>
      {show(blocks.length - shownBlocks, blocks.length)}
    </div>
  );
}

interface BlockProps {
  readonly text: string;
  readonly definitions: string;
  readonly prefix: string;
  readonly isOpen: boolean;
}

function Block({ text, definitions, prefix, isOpen }: BlockProps): ReactElement {
  const fence = fenceOf(text);
  if (fence !== undefined) {
    return <CodeBlock language={fence.language} code={fence.code} isOpen={isOpen && !fence.isClosed} />;
  }
  const plain = <p className="markdown-plain">{text.trim()}</p>;
  if (text.length > formattedBlock) return plain;
  // Most of what an agent writes is prose: in it, there is nothing to look for with each piece.
  if (isProse(text)) return <p dir="auto">{text.trimEnd()}</p>;
  return <MarkdownBlock waiting={plain} text={text} definitions={definitions} prefix={prefix} />;
}

/** Remembers how a text was split before. */
class MarkdownReader {
  #split: MarkdownSplit | undefined;

  read(text: string): MarkdownSplit {
    if (this.#split?.text !== text) this.#split = splitMarkdown(text, this.#split);
    return this.#split;
  }
}
