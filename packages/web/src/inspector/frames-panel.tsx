import { Pause, Play } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { useHubSession } from '../hub/use-hub.ts';
import { useLanguage, useText } from '../text/language.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FrameDetail } from './frame-detail.tsx';
import { isEmpty, type FrameFilter } from './frame-filter.ts';
import { FrameTable, type TimeStyle } from './frame-table.tsx';
import { useFrames, type FrameFeed, type FrameSource } from './use-frames.ts';
import { useMatches } from './use-matches.ts';

const everything: FrameFilter = {};

/** What a panel of frames shows. */
export interface FramesPanelProps {
  readonly source: FrameSource;
  /** The recording is no longer needed. */
  readonly onClose: () => void;
}

/** The frames of a session or of a recording, with what is needed to find one. */
export function FramesPanel({ source, onClose }: FramesPanelProps): ReactElement {
  const { inspector: text } = useText();
  const { language } = useLanguage();
  const feed = useFrames(source);
  const [filter, setFilter] = useState(everything);
  const [heldAt, setHeldAt] = useState<number>();
  const [timeStyle, setTimeStyle] = useState<TimeStyle>('relative');
  const [selected, setSelected] = useState<number>();
  const [isFollowing, setFollowing] = useState(true);
  const { log, count } = feed;
  const { rows, isSearching } = useMatches(log, filter, heldAt ?? count);
  const row = selected === undefined ? undefined : log.find(selected);
  const newer = heldAt === undefined ? 0 : count - heldAt;
  const select = (seq: number): void => {
    setSelected(seq);
    setFollowing(false);
  };
  return (
    <>
      <div className="inspector-bar">
        <FilterBar
          filter={filter}
          names={log.names}
          turn={filter.prompt === undefined ? undefined : log.find(filter.prompt)?.turn}
          onFilter={setFilter}
        />
        <div className="inspector-state small">
          <output className="soft">
            {isSearching
              ? text.searching
              : text.shown(
                  rows.length.toLocaleString(language),
                  (log.rows.length - newer).toLocaleString(language),
                )}
          </output>
          <select
            className="field filter-choice"
            aria-label={text.time}
            value={timeStyle}
            onChange={({ target: { value } }) => {
              setTimeStyle(value === 'absolute' ? 'absolute' : 'relative');
            }}
          >
            <option value="relative">{text.relativeTime}</option>
            <option value="absolute">{text.absoluteTime}</option>
          </select>
          {source.kind === 'session' ? (
            <>
              <button
                type="button"
                className="button"
                onClick={() => {
                  setHeldAt(heldAt === undefined ? count : undefined);
                }}
              >
                {heldAt === undefined ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
                {heldAt === undefined ? text.pause : text.goOn}
              </button>
              {heldAt === undefined ? <Live /> : <output>{text.held(newer)}</output>}
            </>
          ) : (
            <RecordingState feed={feed} name={source.file.name} onClose={onClose} />
          )}
        </div>
      </div>
      {log.dropped > 0 && (
        <p className="inspector-note small">{text.dropped(log.dropped.toLocaleString(language))}</p>
      )}
      <div className={row === undefined ? 'inspector-split' : 'inspector-split inspector-split-open'}>
        {rows.length === 0 && !isSearching ? (
          <Nothing feed={feed} source={source} isFiltered={!isEmpty(filter)} />
        ) : (
          <FrameTable
            log={log}
            rows={rows}
            timeStyle={timeStyle}
            selected={selected}
            onSelect={select}
            isFollowing={isFollowing}
            onFollow={setFollowing}
          />
        )}
        {row !== undefined && (
          <FrameDetail
            row={row}
            log={log}
            onSelect={select}
            onFilter={(wanted) => {
              setFilter(wanted);
            }}
            onClose={() => {
              setSelected(undefined);
            }}
          />
        )}
      </div>
    </>
  );
}

function Live(): ReactElement {
  const { inspector: text } = useText();
  return (
    <span className="inspector-live">
      <span className="inspector-dot" aria-hidden />
      {text.live}
    </span>
  );
}

interface RecordingStateProps {
  readonly feed: FrameFeed;
  readonly name: string;
  readonly onClose: () => void;
}

function RecordingState({ feed: { reading }, name, onClose }: RecordingStateProps): ReactElement {
  const { inspector: text } = useText();
  return (
    <>
      {reading.state === 'going' && <output>{text.readingRecording(name)}</output>}
      {reading.state === 'failed' && (
        <output className="inspector-bad">
          {text.recordingFailed(name)}: {reading.message}
        </output>
      )}
      {reading.state === 'done' && (
        <output>
          {reading.recording.isRecording ? text.recordingShown(name) : text.noRecording(name)}
          {reading.recording.unreadable > 0 && ` · ${text.unreadableLines(reading.recording.unreadable)}`}
        </output>
      )}
      <button type="button" className="button" onClick={onClose}>
        {text.closeRecording}
      </button>
    </>
  );
}

interface NothingProps {
  readonly feed: FrameFeed;
  readonly source: FrameSource;
  readonly isFiltered: boolean;
}

function Nothing({ feed, source, isFiltered }: NothingProps): ReactElement {
  const { inspector: text } = useText();
  const session = useHubSession(source.kind === 'session' ? source.key : '');
  if (isFiltered && feed.count > 0) return <p className="inspector-drop soft">{text.noMatch}</p>;
  return (
    <div className="inspector-drop soft">
      <p>{text.none}</p>
      {source.kind === 'session' && (
        <p className="small">{session?.state === 'kept' ? text.noneKept : text.noneHelp}</p>
      )}
    </div>
  );
}
