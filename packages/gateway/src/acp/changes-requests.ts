import { hubMethods } from '@parley/host/hub';
import { changesOf } from '../hub/changes-of.ts';
import {
  parseCommitParams,
  parseContentParams,
  parseDiffParams,
  parseHunksParams,
  parseRedoParams,
  parseUndoParams,
} from './changes-params.ts';
import type { HubRequest } from './hub-call.ts';
import { parseSessionParams } from './hub-params.ts';

/** What a client can ask about the changes of a session, by method. Reading them takes no more than reading the session. */
export const changesRequests: ReadonlyMap<string, HubRequest> = new Map<string, HubRequest>([
  [
    hubMethods.listChanges,
    {
      use: 'look',
      run: async (params, { table }) => (await changesOf(table, parseSessionParams(params).sessionId)).list(),
    },
  ],
  [
    hubMethods.diffChanges,
    {
      use: 'look',
      run: async (params, { table }) => {
        const { sessionId, ...wanted } = parseDiffParams(params);
        return (await changesOf(table, sessionId)).diff(wanted);
      },
    },
  ],
  [
    hubMethods.changedContent,
    {
      use: 'look',
      run: async (params, { table }) => {
        const { sessionId, ...wanted } = parseContentParams(params);
        return (await changesOf(table, sessionId)).content(wanted);
      },
    },
  ],
  [
    hubMethods.undoChanges,
    {
      use: 'change',
      run: async (params, { table, from }) => {
        const { sessionId, ...wanted } = parseUndoParams(params);
        return (await changesOf(table, sessionId)).undo(wanted, from);
      },
    },
  ],
  [
    hubMethods.redoChanges,
    {
      use: 'change',
      run: async (params, { table, from }) => {
        const { sessionId, ...wanted } = parseRedoParams(params);
        return (await changesOf(table, sessionId)).redo(wanted, from);
      },
    },
  ],
  [
    hubMethods.keepHunks,
    {
      use: 'change',
      run: async (params, { table, from }) => {
        const { sessionId, ...wanted } = parseHunksParams(params);
        return (await changesOf(table, sessionId)).keep(wanted, from);
      },
    },
  ],
  [
    hubMethods.revertHunks,
    {
      use: 'change',
      run: async (params, { table, from }) => {
        const { sessionId, ...wanted } = parseHunksParams(params);
        return (await changesOf(table, sessionId)).revert(wanted, from);
      },
    },
  ],
  [
    hubMethods.commitChanges,
    {
      use: 'change',
      run: async (params, { table, from }) => {
        const { sessionId, ...wanted } = parseCommitParams(params);
        return (await changesOf(table, sessionId)).commit(wanted, from);
      },
    },
  ],
]);
