import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { createOfficialCodingAgent } from './official-coding-agent.ts';

createOfficialCodingAgent().connect(
  acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)),
);
