import type { SessionState } from '@parley/host/state';
import { Hand, LoaderCircle, OctagonX, Unplug } from 'lucide-react';
import type { ReactElement } from 'react';
import { useHub, useLiveNow } from '../../hub/use-hub.ts';
import { formatDuration } from '../../parts/format-duration.ts';
import { useLanguage, useText } from '../../text/language.tsx';
import type { OwnToolTitles } from '../../text/own-text.ts';
import { titlePieces } from '../tool-call/tool-title.ts';
import { activityOf, silenceOf, type Activity } from './activity.ts';

/** Whose turn it is. */
export interface ActivityLineProps {
  readonly view: SessionState;
  /** Whether an application answers the agent's questions. */
  readonly isApplication: boolean;
}

/** What the running turn waits for, and since when. */
export function ActivityLine(props: ActivityLineProps): ReactElement | null {
  const activity = activityOf(props.view);
  return activity === undefined ? null : <Line {...props} activity={activity} />;
}

function Line({
  view,
  activity,
  isApplication,
}: ActivityLineProps & { readonly activity: Activity }): ReactElement {
  const { conversation: text, ownToolTitles } = useText();
  const { language } = useLanguage();
  const { isObserver, connection } = useHub();
  const now = useLiveNow(1000);
  if (connection.state !== 'open') {
    return (
      <p className="activity">
        <Unplug size={14} aria-hidden />
        {text.activity.disconnected}
      </p>
    );
  }
  const isAsking = activity.kind === 'permission' || activity.kind === 'question';
  const Icon = isAsking ? Hand : activity.kind === 'stopping' ? OctagonX : LoaderCircle;
  const silence = activity.kind === 'model' || isAsking ? undefined : silenceOf(view, now);
  return (
    <p className={`activity activity-${activity.kind}`}>
      <span className="visually-hidden">{text.activity.title}: </span>
      <Icon size={14} aria-hidden className={Icon === LoaderCircle ? 'spinning' : undefined} />
      <span className="activity-what">
        {!isAsking
          ? describe(activity, text.activity, ownToolTitles)
          : isApplication
            ? text.activity.application(activity.count)
            : isObserver
              ? text.activity.unanswered(activity.count)
              : describe(activity, text.activity, ownToolTitles)}
      </span>
      <span className="activity-since soft">{formatDuration(now - activity.since, language)}</span>
      {silence !== undefined && silence < now - activity.since - 1000 && (
        <span className="soft">{text.activity.silentFor(formatDuration(silence, language))}</span>
      )}
    </p>
  );
}

function describe(
  activity: Activity,
  text: ReturnType<typeof useText>['conversation']['activity'],
  own: OwnToolTitles,
): string {
  switch (activity.kind) {
    case 'permission':
      return activity.count === 1 ? text.permission : text.permissions(activity.count);
    case 'question':
      return activity.count === 1 ? text.question : text.permissions(activity.count);
    case 'tool': {
      const pieces = titlePieces(activity.call ?? {}, own);
      return pieces.length === 0
        ? text.tools(activity.count)
        : pieces.map(({ text: piece }) => piece).join('');
    }
    case 'answering':
      return text.answering;
    case 'thinking':
      return text.thinking;
    case 'model':
      return text.model;
    case 'stopping':
      switch (activity.step) {
        case 'asked':
          return text.stopping;
        case 'request-cancelled':
          return text.stoppingHarder;
        case 'agent-ended':
          return text.stoppingHardest;
      }
  }
}
