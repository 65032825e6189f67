import type { ToolCallItem } from '@parley/host/state';
import { use, type ReactElement, type ReactNode } from 'react';
import { shownPlaces } from '../../limits.ts';
import { useText } from '../../text/language.tsx';
import { ValueView } from '../content/value-view.tsx';
import { PlaceContext } from '../conversation-context.ts';
import { PathName } from '../path-name.tsx';
import { TerminalText } from '../terminal/terminal-text.tsx';
import { PermissionLine } from './permission-line.tsx';
import { ToolContent } from './tool-content.tsx';
import type { ToolState } from './tool-state.ts';

/** The details of a call: who allowed it, its files and folder, content, input and output. */
export function ToolDetails({
  item: { call, permission },
  state,
}: {
  readonly item: ToolCallItem;
  readonly state: ToolState;
}): ReactElement {
  const { conversation: text } = useText();
  const { cwd } = use(PlaceContext);
  const { content = [], locations = [], rawInput, rawOutput, kind } = call;
  const hasMore = content.length > 0 || rawInput !== undefined || rawOutput !== undefined;
  return (
    <div className="fold-body tool-details">
      {permission !== undefined && <PermissionLine permission={permission} />}
      {state === 'unknown' && <p className="tool-warning small">{text.unknownOutcome}</p>}
      {locations.length > 0 && (
        <ul className="tool-locations small" aria-label={text.files}>
          {locations.slice(0, shownPlaces).map(({ path, line }, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <PathName
                path={path}
                {...(line !== undefined && { line })}
                {...(cwd !== undefined && { cwd })}
              />
            </li>
          ))}
          {locations.length > shownPlaces && <li>{text.moreFiles(locations.length - shownPlaces)}</li>}
        </ul>
      )}
      {content.map((each, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="tool-section">
          <ToolContent content={each} isDeletion={kind === 'delete'} />
        </div>
      ))}
      {rawInput !== undefined && (
        <Part name={text.input} isOpen={content.length === 0}>
          <ValueView value={rawInput} />
        </Part>
      )}
      {rawOutput !== undefined && (
        <Part name={text.output} isOpen={content.length === 0}>
          {typeof rawOutput === 'string' ? (
            <TerminalText text={rawOutput} from="start" />
          ) : (
            <ValueView value={rawOutput} />
          )}
        </Part>
      )}
      {!hasMore && state !== 'running' && <p className="soft small">{text.noDetails}</p>}
    </div>
  );
}

function Part({
  name,
  isOpen,
  children,
}: {
  readonly name: string;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <details className="tool-section tool-part" open={isOpen}>
      <summary className="soft small">{name}</summary>
      {children}
    </details>
  );
}
