import { Square, SquareCheck } from 'lucide-react';
import { memo, useMemo, type ReactElement } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { useText } from '../../text/language.tsx';
import { CodeBlock } from './code-block.tsx';
import { OutsideLink } from './outside-link.tsx';

/** A piece of a message that can be shown for itself. */
export interface MarkdownBlockProps {
  readonly text: string;
  /** Of links and footnotes, from anywhere in the message. */
  readonly definitions: string;
  /** Prefix of the ids in the block, so that they are unique on the page. */
  readonly prefix: string;
}

/** Renders Markdown as React elements: nothing in it is loaded or run. */
export const MarkdownBlock = memo(function MarkdownBlock({
  text,
  definitions,
  prefix,
}: MarkdownBlockProps): ReactElement {
  const { conversation } = useText();
  const options = useMemo(
    () => ({
      clobberPrefix: prefix,
      footnoteLabel: conversation.footnotes,
      footnoteLabelTagName: 'h6',
      footnoteLabelProperties: {},
    }),
    [prefix, conversation],
  );
  const isReferring = definitions !== '' && text.includes('[');
  return (
    <ReactMarkdown
      remarkPlugins={plugins}
      remarkRehypeOptions={options}
      components={components}
      urlTransform={unchanged}
    >
      {isReferring ? `${text}\n\n${definitions}` : text}
    </ReactMarkdown>
  );
});

const plugins = [remarkGfm];

/** Each link is judged where it is shown. */
function unchanged(address: string): string {
  return address;
}

// The headings of a message are below those of the page.
const components: Components = {
  // Each paragraph runs, and is aligned, as its own first letter does.
  p: ({ children }) => <p dir="auto">{children}</p>,
  li: ({ className, children }) => (
    <li className={className} dir="auto">
      {children}
    </li>
  ),
  blockquote: ({ children }) => <blockquote dir="auto">{children}</blockquote>,
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  // The one of footnotes has the same name everywhere.
  h6: ({ children }) => <h6>{children}</h6>,
  a: ({ href, children }) => <OutsideLink address={href}>{children}</OutsideLink>,
  img: ({ src, alt }) => <ImageElsewhere address={src} name={alt} />,
  table: ({ children }) => (
    // What scrolls can be reached with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="markdown-table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => <TaskMark isDone={checked === true} />,
  pre: ({ node, children }) => {
    const [code] = node?.children ?? [];
    const [content] = code?.type === 'element' ? code.children : [];
    if (code?.type !== 'element' || content?.type !== 'text') return <pre>{children}</pre>;
    const { className } = code.properties;
    const [name] = Array.isArray(className) ? className : [];
    const language = (name ?? '').replace(/^language-/, '');
    return <CodeBlock language={language} code={content.value.replace(/\n$/, '')} />;
  },
};

/** Loading an image would reveal to its server that it was viewed. */
function ImageElsewhere({
  address,
  name,
}: {
  readonly address: string | Blob | undefined;
  readonly name: string | undefined;
}): ReactElement {
  const { conversation } = useText();
  const target = typeof address === 'string' ? address : undefined;
  return (
    <span className="markdown-image">
      <span className="soft">{conversation.imageElsewhere}</span>{' '}
      <OutsideLink address={target}>{name === undefined || name === '' ? target : name}</OutsideLink>
    </span>
  );
}

function TaskMark({ isDone }: { readonly isDone: boolean }): ReactElement {
  const { conversation } = useText();
  const Mark = isDone ? SquareCheck : Square;
  return (
    <>
      <Mark className="markdown-task" size={16} aria-hidden />
      <span className="visually-hidden">{isDone ? conversation.done : conversation.open}: </span>
    </>
  );
}
