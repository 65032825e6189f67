import { type ReactElement } from 'react';
import { colouredCode, colouredOpenCode } from '../../limits.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { later } from '../../parts/later.tsx';
import { useText } from '../../text/language.tsx';

const HighlightedCode = later(async () => (await import('./highlighted-code.tsx')).HighlightedCode);

/** Code in a message. */
export interface CodeBlockProps {
  readonly language: string;
  readonly code: string;
  /** More of it may come. @default false */
  readonly isOpen?: boolean;
}

/** Code with the name of its language, its colours, and a button that copies it. */
export function CodeBlock({ language, code, isOpen = false }: CodeBlockProps): ReactElement {
  const { conversation: text } = useText();
  const isColoured = language !== '' && code.length <= (isOpen ? colouredOpenCode : colouredCode);
  return (
    <div className="code-block">
      <div className="code-head small">
        <span className="soft">{language === '' ? text.codeLanguage : language}</span>
        <CopyButton text={code} label={text.copyCode} />
      </div>
      {/* What scrolls can be reached with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0}>
        <code>{isColoured ? <HighlightedCode waiting={code} language={language} code={code} /> : code}</code>
      </pre>
    </div>
  );
}
