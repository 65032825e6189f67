import type { Case } from '../case.ts';
import { aapFanout, aapPaced, aapProcesses, aapShortTurns } from './aap.ts';
import { checkpoint, checkpointFolders, checkpointLarge } from './checkpoint.ts';
import { codingAgent, manySessions, manyTurns } from './coding-agent.ts';
import { agentSending, agentStart, runChunks, runToolUpdates, sandboxedTurn, shortTurn } from './commands.ts';
import { eventLog, openEventLog, search } from './event-log.ts';
import { heap, importTime, validation } from './library.ts';
import { longLine } from './long-line.ts';
import {
  idleSessions,
  replicaEvents,
  replicaFanout,
  replicaLatency,
  replicasEvents,
  takeOver,
} from './replicas.ts';
import { roundTripLatency, roundTrips } from './round-trips.ts';
import { scaleLogs, scaleSessions, scaleWorkspaces } from './scale.ts';
import { start } from './start.ts';
import { chunks, officialSender, toolUpdates } from './streaming.ts';
import { webChanges, webLive, webSession, webSubagents } from './web.ts';

/** Every case of the bench, in the order of the report. */
export const cases: readonly Case[] = [
  chunks,
  toolUpdates,
  officialSender,
  eventLog,
  openEventLog,
  search,
  checkpoint,
  checkpointFolders,
  checkpointLarge,
  roundTrips,
  roundTripLatency,
  validation,
  longLine,
  heap,
  start,
  importTime,
  runChunks,
  runToolUpdates,
  agentSending,
  agentStart,
  shortTurn,
  sandboxedTurn,
  codingAgent,
  manyTurns,
  manySessions,
  aapFanout,
  aapShortTurns,
  aapPaced,
  aapProcesses,
  replicaEvents,
  replicasEvents,
  replicaFanout,
  replicaLatency,
  idleSessions,
  takeOver,
  webSession,
  webLive,
  webChanges,
  webSubagents,
  scaleSessions,
  scaleLogs,
  scaleWorkspaces,
];
