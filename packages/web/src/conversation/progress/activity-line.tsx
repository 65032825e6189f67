import type { SessionState } from '@parley/host/state';
import { Hand, LoaderCircle, OctagonX } from 'lucide-react';
import type { ReactElement } from 'react';
import { useHub } from '../../hub/use-hub.ts';
import { formatDuration } from '../../parts/format-duration.ts';
import { useNow } from '../../parts/use-now.ts';
import { useLanguage, useText } from '../../text/language.tsx';
import { titlePieces } from '../tool-call/tool-title.ts';
import { activityOf, silenceOf, type Activity } from './activity.ts';

/** Whose turn it is. */
export interface ActivityLineProps {
  readonly view: SessionState;
  /** An application answers what the agent asks. */
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
  const { conversation: text } = useText();
  const { language } = useLanguage();
  const { isObserver } = useHub();
  const now = useNow(1000);
  const isAsking = activity.kind === 'permission' || activity.kind === 'question';
  const Icon = isAsking ? Hand : activity.kind === 'stopping' ? OctagonX : LoaderCircle;
  const silence = activity.kind === 'model' || isAsking ? undefined : silenceOf(view, now);
  return (
    <p className={`activity activity-${activity.kind}`}>
      <span className="visually-hidden">{text.activity.title}: </span>
      <Icon size={14} aria-hidden className={Icon === LoaderCircle ? 'spinning' : undefined} />
      <span className="activity-what">
        {!isAsking
          ? describe(activity, text.activity)
          : isApplication
            ? text.activity.application(activity.count)
            : isObserver
              ? text.activity.unanswered(activity.count)
              : describe(activity, text.activity)}
      </span>
      <span className="activity-since soft">{formatDuration(now - activity.since, language)}</span>
      {silence !== undefined && silence < now - activity.since - 1000 && (
        <span className="soft">{text.activity.silentFor(formatDuration(silence, language))}</span>
      )}
    </p>
  );
}

function describe(activity: Activity, text: ReturnType<typeof useText>['conversation']['activity']): string {
  switch (activity.kind) {
    case 'permission':
      return activity.count === 1 ? text.permission : text.permissions(activity.count);
    case 'question':
      return activity.count === 1 ? text.question : text.permissions(activity.count);
    case 'tool': {
      const pieces = titlePieces(activity.title === undefined ? {} : { title: activity.title });
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
