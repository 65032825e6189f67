import type { HonestText, QuestionPart, QuestionWarning } from '@parley/host/state';
import type { ReactElement, ReactNode } from 'react';
import { AddressText } from '../elicitation/address-text.tsx';
import { HonestPieces } from '../parts/honest.tsx';
import type { Texts } from '../text/en.ts';
import { useText } from '../text/language.tsx';
import { FilePart } from './file-part.tsx';
import { Warning } from './warning.tsx';
import './request-parts.css';

/** The complete content of a permission request: nothing is cut or hidden. */
export function RequestParts({
  parts,
  cwd,
}: {
  readonly parts: readonly QuestionPart[];
  readonly cwd: string | undefined;
}): ReactElement {
  return (
    <div className="call-details">
      {parts.map((part, index) => (
        // The parts of a question never change places.
        // oxlint-disable-next-line react/no-array-index-key
        <Part key={index} part={part} cwd={cwd} />
      ))}
    </div>
  );
}

function Part({
  part,
  cwd,
}: {
  readonly part: QuestionPart;
  readonly cwd: string | undefined;
}): ReactElement {
  const { inbox } = useText();
  switch (part.kind) {
    case 'warning':
      return (
        <Warning>
          <WarningText warning={part.warning} inbox={inbox} />
        </Warning>
      );
    case 'command':
      return (
        <figure aria-label={inbox.command}>
          <pre className="call-command">
            <HonestPieces pieces={part.text} />
          </pre>
        </figure>
      );
    case 'program':
      return <Fact name={part.isShell ? inbox.shell : inbox.program} text={part.text} />;
    case 'folder':
      return (
        <>
          <Fact name={inbox.folder} text={part.text} />
          {part.isOutside && <Warning>{inbox.outside}</Warning>}
        </>
      );
    case 'variables':
      return (
        <div className="call-fact">
          <span className="soft">{inbox.variables(part.variables.length)}</span>
          <ul className="call-variables">
            {part.variables.map((text, index) => (
              // A variable may be set twice.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index}>
                <code>
                  <HonestPieces pieces={text} />
                </code>
              </li>
            ))}
          </ul>
        </div>
      );
    case 'address':
      return <AddressText address={part.address} />;
    case 'plan':
      return (
        <section className="call-words" aria-label={inbox.plan}>
          <HonestPieces pieces={part.text} />
        </section>
      );
    case 'file':
      return <FilePart file={part.file} cwd={cwd} />;
    case 'tool':
      return (
        <Fact name={part.server === undefined ? inbox.tool : inbox.mcpTool} text={part.tool}>
          {part.server !== undefined && (
            <>
              {' '}
              <span className="soft">{inbox.ofServer}</span>{' '}
              <code>
                <HonestPieces pieces={part.server} />
              </code>
            </>
          )}
        </Fact>
      );
    case 'text':
      return (
        <p className="call-words">
          <HonestPieces pieces={part.text} />
        </p>
      );
    case 'input':
      return <Input part={part} />;
  }
}

function Input({ part }: { readonly part: Extract<QuestionPart, { readonly kind: 'input' }> }): ReactElement {
  const { inbox } = useText();
  const text = (
    <pre className="call-input">
      <HonestPieces pieces={part.text} />
    </pre>
  );
  if (part.isMain) return <figure aria-label={inbox.input}>{text}</figure>;
  return (
    <details className="small">
      <summary>{inbox.moreInput}</summary>
      {text}
    </details>
  );
}

function Fact({
  name,
  text,
  children,
}: {
  readonly name: string;
  readonly text: HonestText;
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <p className="call-fact">
      <span className="soft">{name}</span>{' '}
      <code>
        <HonestPieces pieces={text} />
      </code>
      {children}
    </p>
  );
}

function WarningText({
  warning,
  inbox,
}: {
  readonly warning: QuestionWarning;
  readonly inbox: Texts['inbox'];
}): ReactNode {
  switch (warning.code) {
    case 'opaque':
      return inbox.opaque;
    case 'written-out':
      return inbox.writtenOut;
    case 'right-to-left':
      return inbox.rightToLeft;
    case 'declared':
      return (
        <>
          {inbox.declared(inbox.kinds[warning.kind])}{' '}
          <code>
            <HonestPieces pieces={warning.declared} />
          </code>
        </>
      );
  }
}
