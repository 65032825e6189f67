import { changesMethods } from '@parley/host/hub';
import { changesOf } from '../../hub/changes-of.ts';
import type { OwnerRequest } from '../hub-call.ts';
import {
  parseCommitParams,
  parseContentParams,
  parseDiffParams,
  parseHunksParams,
  parseRedoParams,
  parseUndoParams,
} from '../params/changes-params.ts';
import { parseSessionParams } from '../params/hub-params.ts';
import { holdsNoSecret } from '../request-secrets.ts';

/** What a client can ask about the changes of a session, by method. Reading them takes no more than reading the session. */
export const changesRequests: ReadonlyMap<string, OwnerRequest> = new Map<string, OwnerRequest>([
  [
    changesMethods.listChanges,
    {
      use: 'look',
      by: 'owner',
      mayHoldSecret: holdsNoSecret,
      canRepeat: true,
      run: async (params, { table }) => (await changesOf(table, parseSessionParams(params).sessionId)).list(),
    },
  ],
  [
    changesMethods.diffChanges,
    {
      use: 'look',
      by: 'owner',
      mayHoldSecret: holdsNoSecret,
      canRepeat: true,
      run: async (params, { table }) => {
        const { sessionId, ...wanted } = parseDiffParams(params);
        return (await changesOf(table, sessionId)).diff(wanted);
      },
    },
  ],
  [
    changesMethods.changedContent,
    {
      use: 'look',
      by: 'owner',
      mayHoldSecret: holdsNoSecret,
      canRepeat: true,
      run: async (params, { table }) => {
        const { sessionId, ...wanted } = parseContentParams(params);
        return (await changesOf(table, sessionId)).content(wanted);
      },
    },
  ],
  [
    changesMethods.undoChanges,
    {
      use: 'change',
      by: 'owner',
      mayHoldSecret: holdsNoSecret,
      run: async (params, { table, from }) => {
        const { sessionId, ...wanted } = parseUndoParams(params);
        return (await changesOf(table, sessionId)).undo(wanted, from);
      },
    },
  ],
  [
    changesMethods.redoChanges,
    {
      use: 'change',
      by: 'owner',
      mayHoldSecret: holdsNoSecret,
      run: async (params, { table, from }) => {
        const { sessionId, ...wanted } = parseRedoParams(params);
        return (await changesOf(table, sessionId)).redo(wanted, from);
      },
    },
  ],
  [
    changesMethods.keepHunks,
    {
      use: 'change',
      by: 'owner',
      mayHoldSecret: holdsNoSecret,
      run: async (params, { table, from }) => {
        const { sessionId, ...wanted } = parseHunksParams(params);
        return (await changesOf(table, sessionId)).keep(wanted, from);
      },
    },
  ],
  [
    changesMethods.revertHunks,
    {
      use: 'change',
      by: 'owner',
      mayHoldSecret: holdsNoSecret,
      run: async (params, { table, from }) => {
        const { sessionId, ...wanted } = parseHunksParams(params);
        return (await changesOf(table, sessionId)).revert(wanted, from);
      },
    },
  ],
  [
    changesMethods.commitChanges,
    {
      use: 'change',
      by: 'owner',
      mayHoldSecret: holdsNoSecret,
      run: async (params, { table, from }) => {
        const { sessionId, ...wanted } = parseCommitParams(params);
        return (await changesOf(table, sessionId)).commit(wanted, from);
      },
    },
  ],
]);
