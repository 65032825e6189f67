import type { FileDiff } from '@parley/workspace/checkpoint';
import type { ChangesDiff, DiffFile } from '../hub/session-changes.ts';
import { pathKey, type ChangesState } from '../state/changes.ts';
import { standingIn } from './choose-undo.ts';
