import { openOurSessions } from './coding-pair-ours.ts';
import { reportManySessions } from './many-sessions.ts';

await reportManySessions(openOurSessions);
