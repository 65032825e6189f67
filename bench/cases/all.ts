import type { Case } from '../case.ts';
import { aapFanout, aapPaced, aapProcesses } from './aap.ts';
import { checkpoint, checkpointLarge } from './checkpoint.ts';
import { codingAgent, manySessions, manyTurns } from './coding-agent.ts';
import { agentSending, agentStart, runChunks, runToolUpdates, shortTurn } from './commands.ts';
import { eventLog, openEventLog, search } from './event-log.ts';
import { heap, importTime, validation } from './library.ts';
import { longLine } from './long-line.ts';
import { roundTripLatency, roundTrips } from './round-trips.ts';
import { start } from './start.ts';
import { chunks, officialSender, toolUpdates } from './streaming.ts';
import { webLive, webSession } from './web.ts';

/** Every case of the bench, in the order of the report. */
export const cases: readonly Case[] = [
  chunks,
  toolUpdates,
  officialSender,
  eventLog,
  openEventLog,
  search,
  checkpoint,
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
  codingAgent,
  manyTurns,
  manySessions,
  aapFanout,
  aapPaced,
  aapProcesses,
  webSession,
  webLive,
];
