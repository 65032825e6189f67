import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { PermissionOption } from '@parley/acp';
import { isPublicAddress, targetText, type ConnectionTarget } from '@parley/workspace';
import type { SessionScope } from '../agent-session/session-scope.ts';
import type { Question } from '../permission/judge.ts';
import type { RequestedAction } from '../permission/request/requested-action.ts';

/** A connection, as a permission request asks for it. */
export interface AskedConnection {
  readonly target: ConnectionTarget;
  /** The name that leads to the target, which is an address that is not public. */
  readonly resolvedFrom?: string;
  /** The target is a host of the sandbox: only a rule can deny it. */
  readonly isListed: boolean;
}

/** The permission request for a connection of a program in the sandbox: one to fetch from that host. */
export function toConnectionQuestion(connection: AskedConnection, scope: SessionScope): Question {
  const { host, port } = connection.target;
  const action = toConnectionAction(connection);
  const toolCall = {
    toolCallId: `network_${randomUUID()}`,
    title: action.title,
    kind: action.kind,
    rawInput: { host, port },
  };
  const content = action.texts.map((text) => ({ type: 'content', content: { type: 'text', text } }) as const);
  return {
    sessionId: scope.id,
    toolCall,
    seen: { action, paths: [], otherKinds: [], seen: new Map() },
    cwd: scope.files.cwd,
    options,
    describe: () =>
      Promise.resolve({
        sessionId: scope.id,
        toolCall: { ...toolCall, ...(content.length > 0 && { content }) },
        options: [...options],
      }),
  };
}

/** The requested action of a network connection. */
function toConnectionAction({
  target,
  resolvedFrom,
  isListed,
}: AskedConnection): RequestedAction & { readonly title: string } {
  const name = targetText(target);
  return {
    kind: 'fetch',
    title: `Connect to ${name}`,
    address: new URL(`${target.port === 80 ? 'http' : 'https'}://${name}/`).href,
    files: [],
    texts: [
      ...(resolvedFrom === undefined ? [] : [`${resolvedFrom} leads to this address.`]),
      ...(isPublic(target)
        ? []
        : ['This address is not public: it belongs to this machine or a private network.']),
    ],
    ...(!isListed && { blockedHost: name }),
  };
}

function isPublic({ host }: ConnectionTarget): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return false;
  return isIP(host) === 0 || isPublicAddress(host);
}

/** Parley's own options: this question does not come from the agent. */
const options: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];
