import type { StreamMode } from '../../agent-info.ts';
import { parseAapSessionRecord } from '../session/aap-session-record.ts';
import { projectionOf, type Projection } from './frame.ts';
import { eventsOf } from './stored-events.ts';

/** Which part of a turn is streamed, and how. */
export interface ProjectTurnOptions {
  /** @default as the turn was requested */
  readonly mode?: Exclude<StreamMode, 'none'>;
  /** The last event that was seen before. @default 0 */
  readonly after?: number;
}

/** The text of a stream that a record adds, and whether the turn has ended. */
export interface ProjectedRecord {
  readonly text: string;
  readonly isStopped: boolean;
}

/** Makes the stream of a turn from the stored records of its session, in order, for a server that does not run the turn. */
export function projectTurn(
  turnId: string,
  { mode, after = 0 }: ProjectTurnOptions = {},
): (record: unknown) => ProjectedRecord {
  let project: Projection | undefined;
  return (value) => {
    const record = parseAapSessionRecord(value);
    const found = record && eventsOf(record, turnId);
    if (record === undefined || found === undefined) return { text: '', isStopped: false };
    if (record.type === 'turn-start') {
      project = projectionOf(mode ?? (record.stream === 'message' ? 'message' : 'delta'), after);
    }
    const texts = found.events.map((event, index) => project?.(found.from + index, event) ?? '');
    return { text: texts.join(''), isStopped: record.type === 'turn-stop' };
  };
}
