import { openOurSessions } from './coding-pair-ours.ts';
import { reportManyTurns } from './many-turns.ts';

await reportManyTurns(openOurSessions);
