import type { ChangedPath } from '@parley/host';
import type {
  CommitParams,
  ContentParams,
  DiffParams,
  HunksParams,
  RedoParams,
  UndoParams,
} from '@parley/host/hub';
import { either, flag, isObject, oneOf, optional, type Schema } from '@parley/workspace/schema';
import { sessionField } from './hub-params.ts';
import {
  boundedText,
  countFrom,
  filledText,
  params,
  paramsParser,
  someOf,
  type ParamsParser,
} from './params.ts';

/** Paths or hunks in one request. */
const mostNamed = 10_000;

const path: Schema<ChangedPath> = either([params({ base64: boundedText }), boundedText], isObject);
const turn = { turn: optional(countFrom(1, 'the number of a turn, from 1')) };
const paths = { paths: optional(someOf(path, mostNamed, 'paths')) };
const redo = { ...sessionField, dryRun: optional(flag), force: optional(flag) };

/** Reads which changes are meant. */
export const parseDiffParams: ParamsParser<DiffParams> = paramsParser(
  params({ ...sessionField, ...turn, ...paths, unreviewed: optional(flag) }),
);

/** Parses the requested side of a file. */
export const parseContentParams: ParamsParser<ContentParams> = paramsParser(
  params({ ...sessionField, ...turn, path, side: oneOf(['before', 'after']) }),
);

/** Reads what is undone. */
export const parseUndoParams: ParamsParser<UndoParams> = paramsParser(
  params({ ...redo, ...turn, ...paths, unreported: optional(flag) }),
);

/** Reads how an undo is taken back. */
export const parseRedoParams: ParamsParser<RedoParams> = paramsParser(params(redo));

/** Reads which hunks are kept or reverted. */
export const parseHunksParams: ParamsParser<HunksParams> = paramsParser(
  params({ ...sessionField, hunks: someOf(boundedText, mostNamed, 'ids of hunks') }),
);

/** Reads how changes are committed. */
export const parseCommitParams: ParamsParser<CommitParams> = paramsParser(
  params({ ...sessionField, message: filledText }),
);
