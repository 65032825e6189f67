import { isAbsolute } from 'node:path';
import { mostRunners } from '@parley/host';
import type { BeginRaceParams, MergeWorktreeParams, RemoveWorktreeParams } from '@parley/host/hub';
import { checked, flag, optional } from '@parley/workspace/schema';
import * as v from 'valibot';
import { sessionField } from './hub-params.ts';
import { boundedText, filledText, params, paramsParser, someOf, type ParamsParser } from './params.ts';

/** Reads how a worktree is merged. */
export const parseMergeParams: ParamsParser<MergeWorktreeParams> = paramsParser(
  params({ ...sessionField, message: optional(filledText), dryRun: optional(flag) }),
);

/** Reads how a worktree is removed. */
export const parseRemoveParams: ParamsParser<RemoveWorktreeParams> = paramsParser(
  params({ ...sessionField, discard: optional(flag), dryRun: optional(flag) }),
);

/** Validates the params that start a race. */
export const parseRaceParams: ParamsParser<BeginRaceParams> = paramsParser(
  params({
    cwd: checked(boundedText, (cwd) => (isAbsolute(cwd) ? undefined : 'an absolute path')),
    agents: someOf(boundedText, mostRunners, 'names of agents'),
    // Prompts are as long as requests may be.
    prompt: checked(v.string('a prompt'), (prompt) => (prompt.trim() === '' ? 'a prompt' : undefined)),
    check: optional(filledText),
    base: optional(filledText),
    withChanges: optional(flag),
  }),
);
