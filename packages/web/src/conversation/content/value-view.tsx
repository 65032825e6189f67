import { useState, type ReactElement } from 'react';
import { shownValueText } from '../../limits.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useText } from '../../text/language.tsx';
import { plainText } from '../terminal/ansi.ts';
import { formatBytes } from './format-bytes.ts';
import './value-view.css';
import { flatFields, toJson } from './value-text.ts';

/** A value without a specific display: as a list of names and values if it is simple, else as JSON. */
export function ValueView({ value }: { readonly value: unknown }): ReactElement {
  const { conversation: text } = useText();
  const fields = flatFields(value);
  return (
    <div className="value">
      {fields === undefined ? (
        <Lines text={typeof value === 'string' ? plainText(value) : toJson(value)} />
      ) : (
        <dl className="value-fields">
          {fields.map(([name, field]) => (
            <div key={name}>
              <dt className="soft small">{name}</dt>
              <dd>
                <Lines text={field} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <span className="value-copy">
        <CopyButton text={() => toJson(value)} label={text.copyValue} />
      </span>
    </div>
  );
}

function Lines({ text }: { readonly text: string }): ReactElement {
  const { conversation } = useText();
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > shownValueText;
  return (
    <>
      {/* What scrolls can be reached with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className="value-text" tabIndex={0}>
        {isCut ? `${text.slice(0, shownValueText)}…` : text}
      </pre>
      {isCut && (
        <button
          type="button"
          className="button button-plain small"
          onClick={() => {
            setWhole(true);
          }}
        >
          {conversation.showAll(formatBytes(text.length))}
        </button>
      )}
    </>
  );
}
