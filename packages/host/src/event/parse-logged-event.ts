import { sandboxChoices } from '../sandbox/sandbox-settings.ts';
import type { LoggedEntry, LoggedEvent } from './logged-event.ts';

/** Parses an event of an event log. Undefined if it is invalid. */
export function parseLoggedEvent(value: unknown): LoggedEvent | undefined {
  if (!isFields(value)) return undefined;
  if (isEvent(value)) return value;
  const { seq, time } = value;
  if (!isCount(seq) || !isNumber(time) || !isText(value['type'])) return undefined;
  return { seq, time, type: 'unknown', raw: value };
}

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

function isEvent(value: Fields): value is Fields & LoggedEvent {
  const { seq, time, type } = value;
  if (!isCount(seq) || !isNumber(time)) return false;
  if (type === 'update') return isUpdate(value);
  if (!isKnown(type)) return false;
  const shape: Readonly<Record<string, Check>> = shapes[type];
  for (const name in shape) if (shape[name]?.(value[name]) === false) return false;
  return true;
}

function isKnown(type: unknown): type is keyof typeof shapes {
  return typeof type === 'string' && Object.hasOwn(shapes, type);
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isCount = (value: unknown): value is number => isNumber(value) && Number.isSafeInteger(value);
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isFields);
const isCode = (value: unknown): boolean => isText(value) || isNumber(value);

const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    isText(value) && words.includes(value);

const isClient: Check = (value) => isFields(value) && isText(value['name']);
const isSender: Check = (value) =>
  isFields(value) && orAbsent(isText)(value['person']) && orAbsent(isClient)(value['client']);
const isTurnError: Check = (value) => isFields(value) && isCode(value['code']) && isText(value['message']);
const isToolCall: Check = (value) => isFields(value) && isText(value['toolCallId']);
const isAction: Check = (value) =>
  isFields(value) && isText(value['kind']) && isList(value['files']) && Array.isArray(value['texts']);
const isModes: Check = (value) =>
  isFields(value) && isText(value['currentModeId']) && isList(value['availableModes']);
const isOptions: Check = (value) =>
  Array.isArray(value) && value.every((option) => isFields(option) && isText(option['optionId']));
const isFileState: Check = (value) =>
  isFields(value) &&
  (value['kind'] === 'none' ||
    (value['kind'] === 'text' && isText(value['text'])) ||
    (value['kind'] === 'omitted' && isText(value['reason'])));

const isOwner: Check = (value) => isFields(value) && isText(value['tokenId']);
const isWorktree: Check = (value) =>
  isFields(value) && isText(value['name']) && isText(value['path']) && isText(value['branch']);
const isHeldBy: Check = (value) =>
  isFields(value) &&
  isText(value['mode']) &&
  isText(value['engine']) &&
  orAbsent(isFlag)(value['autoApprove']);
const isLengths: Check = (value) => Array.isArray(value) && value.every(isCount);
const isAapDeltas: Check = (value) =>
  isFields(value) &&
  isText(value['turnId']) &&
  isCount(value['from']) &&
  orAbsent(isLengths)(value['lengths']);

const isPath: Check = (value) => isText(value) || (isFields(value) && isText(value['base64']));
const isPaths: Check = (value) => Array.isArray(value) && value.every(isPath);
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isChangedFile: Check = (value) =>
  isFields(value) &&
  isPath(value['path']) &&
  orAbsent(isPath)(value['oldPath']) &&
  isText(value['status']) &&
  isMoreFiles({ ...value, files: 1 }) &&
  isFlag(value['binary']);
const isMoreFiles: Check = (value) =>
  isFields(value) &&
  isCount(value['files']) &&
  isCount(value['additions']) &&
  isCount(value['deletions']) &&
  isFlag(value['reported']);
const isChangedFiles: Check = (value) => Array.isArray(value) && value.every(isChangedFile);
const isOmittedFiles: Check = (value) =>
  Array.isArray(value) &&
  value.every((file) => isFields(file) && isPath(file['path']) && isText(file['why']));
const isRestoredFiles: Check = (value) =>
  Array.isArray(value) &&
  value.every((file) => isFields(file) && isPath(file['path']) && isText(file['action']));
const isUsedHosts: Check = (value) =>
  Array.isArray(value) &&
  value.every(
    (used) =>
      isFields(used) &&
      isText(used['host']) &&
      ['port', 'connections', 'blocked', 'sentBytes', 'receivedBytes'].every((name) => isCount(used[name])),
  );
const operation = { id: isText, from: orAbsent(isSender) };
const written = {
  ...operation,
  before: isText,
  after: isText,
  files: isRestoredFiles,
  hasMore: orAbsent(isFlag),
};

/** By far the most frequent event. Fields that are read by a name in the code cost a small part of others. */
const isUpdate = ({ subagent, meta, late, replay, aap }: Fields): boolean =>
  (subagent === undefined || isText(subagent)) &&
  (meta === undefined || isFields(meta)) &&
  (late === undefined || isFlag(late)) &&
  (replay === undefined || isFlag(replay)) &&
  (aap === undefined || isAapDeltas(aap));

const settings = { modes: orAbsent(isModes), configOptions: orAbsent(isList), models: orAbsent(isList) };
const steeringText = { promptId: isText, prompt: isList, from: orAbsent(isSender) };
const ending = { exitCode: orAbsent(isNumber), signal: orAbsent(isText) };

/** The fields that readers of an event rely on. Data from the agent is validated by the protocol's own parsers. */
const shapes: Readonly<
  Record<Exclude<LoggedEntry['type'], 'unknown' | 'update'>, Readonly<Record<string, Check>>>
> = {
  'journal-start': {
    key: isText,
    agent: isText,
    commandLineHash: orAbsent(isText),
    cwd: isText,
    program: isText,
    origin: orAbsent(isText),
    owner: orAbsent(isOwner),
    parent: orAbsent(isText),
    team: orAbsent(isTexts),
    worktree: orAbsent(isWorktree),
    sandbox: orAbsent(oneOf(...sandboxChoices)),
  },
  'agent-start': {
    agent: isText,
    protocolVersion: isNumber,
    capabilities: isFields,
    info: orAbsent(isFields),
    steering: orAbsent(isFlag),
  },
  'agent-end': { expected: isFlag, ...ending },
  'agent-restart': { agent: isText, attempt: isCount, attempts: isCount, delayMs: isNumber },
  'agent-given-up': { agent: isText, attempts: isCount, message: isText },
  session: {
    sessionId: isText,
    cwd: isText,
    origin: oneOf('new', 'resumed', 'loaded'),
    worktree: orAbsent(isWorktree),
    sandbox: orAbsent(isHeldBy),
  },
  'session-ready': { sessionId: isText, ...settings },
  'session-end': { sessionId: isText, reason: oneOf('closed', 'agent-ended', 'not-opened') },
  'session-recovered': {
    sessionId: isText,
    by: oneOf('resume', 'load', 'new'),
    newSessionId: orAbsent(isText),
  },
  settings: { sessionId: isText, ...settings },
  'turn-start': {
    turnId: isText,
    prompt: isList,
    preface: orAbsent(isText),
    promptId: orAbsent(isText),
    from: orAbsent(isSender),
    traceparent: orAbsent(isText),
  },
  'steering-request': steeringText,
  steering: { ...steeringText, outcome: oneOf('steered', 'queued', 'unknown') },
  'turn-timeout': {
    turnId: isText,
    limit: oneOf('turn', 'silence'),
    limitMs: isNumber,
    waitsFor: isFields,
  },
  'turn-cancel': { turnId: isText, step: oneOf('asked', 'request-cancelled', 'agent-ended') },
  'turn-end': {
    turnId: isText,
    stopReason: orAbsent(isText),
    rawStopReason: orAbsent(isText),
    usageFrom: orAbsent(isText),
    error: orAbsent(isTurnError),
  },
  aap: { records: Array.isArray },
  changes: {
    turn: isCount,
    turnId: isText,
    before: isText,
    after: isText,
    machine: orAbsent(isText),
    files: isChangedFiles,
    more: orAbsent(isMoreFiles),
    omitted: isOmittedFiles,
    startedAt: isNumber,
    endedAt: orAbsent(isNumber),
  },
  'changes-undone': { ...written, turn: isCount, paths: orAbsent(isPaths) },
  'changes-redone': { ...written, undo: isText },
  'hunks-kept': { ...operation, hunks: isTexts },
  'hunks-reverted': { ...written, hunks: isTexts },
  'changes-committed': { ...operation, commit: isText, paths: isPaths },
  'permission-request': {
    subagent: orAbsent(isText),
    requestId: isText,
    toolCall: isToolCall,
    action: orAbsent(isAction),
    options: isOptions,
    opaque: orAbsent(isFlag),
  },
  permission: {
    subagent: orAbsent(isText),
    requestId: isText,
    toolCallId: isText,
    decision: isText,
    by: isText,
    person: orAbsent(isText),
    client: orAbsent(isClient),
    reason: isText,
    because: orAbsent(isFields),
    remembered: orAbsent(isFlag),
  },
  'elicitation-request': {
    subagent: orAbsent(isText),
    requestId: isText,
    message: isText,
    mode: isText,
    toolCallId: orAbsent(isText),
  },
  elicitation: {
    subagent: orAbsent(isText),
    requestId: isText,
    message: isText,
    mode: isText,
    action: isText,
    chosen: orAbsent(isTexts),
    by: isText,
    person: orAbsent(isText),
    client: orAbsent(isClient),
  },
  'file-write': {
    subagent: orAbsent(isText),
    toolCallId: isText,
    path: isText,
    before: isFileState,
    after: isFileState,
  },
  'terminal-start': {
    subagent: orAbsent(isText),
    terminalId: isText,
    toolCallId: isText,
    command: isText,
    cwd: isText,
  },
  'terminal-end': {
    subagent: orAbsent(isText),
    terminalId: isText,
    output: isText,
    truncated: isFlag,
    ...ending,
  },
  network: { hosts: isUsedHosts, moreHosts: isCount },
  diagnostic: { level: isText, code: isText, message: isText },
  interruption: { turnId: orAbsent(isText), lostBytes: isCount, damagedLines: isCount },
  omission: { of: isText, count: orAbsent(isCount) },
};
