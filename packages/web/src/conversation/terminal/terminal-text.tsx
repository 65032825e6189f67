import { useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type ReactElement } from 'react';
import { shownOutputLines } from '../../limits.ts';
import { useText } from '../../text/language.tsx';
import './terminal.css';
import { firstLines, lastLines, parseAnsi, type AnsiColour, type AnsiStyle } from './ansi.ts';

/** What a command wrote. */
export interface TerminalTextProps {
  readonly text: string;
  /** More may come: the end is kept in sight. */
  readonly isLive?: boolean;
  /** Which lines to show first if there are many. @default 'end' */
  readonly from?: 'start' | 'end';
}

/** Text with the colours of a terminal. */
export function TerminalText({ text, isLive = false, from = 'end' }: TerminalTextProps): ReactElement {
  const { conversation } = useText();
  const [isWhole, setWhole] = useState(false);
  const [isTall, setTall] = useState(false);
  const last = !isWhole && from === 'end' ? lastLines(text, shownOutputLines) : { text, above: 0 };
  const { text: shown, below } =
    !isWhole && from === 'start' ? firstLines(text, shownOutputLines) : { text: last.text, below: 0 };
  const rest = last.above + below;
  const spans = useMemo(() => parseAnsi(shown), [shown]);
  const box = useRef<HTMLPreElement>(null);
  const [isCut, setCut] = useState(false);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || spans.length === 0) return;
    setCut(element.scrollHeight > element.clientHeight + 1);
    if (isLive && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [spans, isLive]);
  const more = (
    <button
      type="button"
      className="button button-plain small"
      onClick={() => {
        setWhole(true);
      }}
    >
      {conversation.moreOutput(rest)}
    </button>
  );
  return (
    <div className="terminal-text">
      {from === 'end' && rest > 0 && more}
      <pre
        ref={box}
        className={isTall ? 'terminal-output terminal-tall' : 'terminal-output'}
        // What scrolls can be reached with the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
        }}
      >
        {spans.map(({ text: piece, style }, index) =>
          Object.keys(style).length === 0 ? (
            piece
          ) : (
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index} className={classOf(style)} style={colourOf(style)}>
              {piece}
            </span>
          ),
        )}
      </pre>
      {from === 'start' && rest > 0 && more}
      {(isCut || isTall) && (
        <button
          type="button"
          className="button button-plain small"
          aria-expanded={isTall}
          onClick={() => {
            setTall(!isTall);
          }}
        >
          {isTall ? conversation.collapse : conversation.expand}
        </button>
      )}
    </div>
  );
}

function classOf(style: AnsiStyle): string {
  const { colour, background, isBold, isDim, isItalic, isUnderlined, isStruck, isInverse } = style;
  return [
    typeof colour === 'number' && `ansi-colour-${colour}`,
    typeof background === 'number' && `ansi-background-${background}`,
    isBold && 'ansi-bold',
    isDim && 'ansi-dim',
    isItalic && 'ansi-italic',
    isUnderlined && 'ansi-underlined',
    isStruck && 'ansi-struck',
    isInverse && 'ansi-inverse',
  ]
    .filter((name) => name !== false && name !== undefined)
    .join(' ');
}

function colourOf({ colour, background }: AnsiStyle): CSSProperties | undefined {
  const own = (value: AnsiColour | undefined): string | undefined =>
    typeof value === 'string' ? value : undefined;
  if (own(colour) === undefined && own(background) === undefined) return undefined;
  return { color: own(colour), backgroundColor: own(background) };
}
