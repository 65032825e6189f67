import { openOfficialSessions } from './coding-pair-official.ts';
import { reportManyTurns } from './many-turns.ts';

await reportManyTurns(openOfficialSessions);
