import { openOfficialSessions } from './coding-pair-official.ts';
import { reportManySessions } from './many-sessions.ts';

await reportManySessions(openOfficialSessions);
