import type { ToolKind } from '@parley/acp';
import { parseRule } from '@parley/workspace/rule';
import type { DecisionReason } from './reason.ts';

/** Whether the value is a known reason: the event log may come from a later version. */
export function isDecisionReason(value: unknown): value is DecisionReason {
  if (!isFields(value)) return false;
  switch (value['code']) {
    case 'level':
      return isText(value['level']) && isOptional(value['kind'], isKind);
    case 'rules':
      return Array.isArray(value['rules']) && value['rules'].every(isOwnedRule);
    case 'answered':
      return isOptional(value['lasting'], isRemembered) && isOptional(value['words'], isText);
    case 'protected':
      return isText(value['path']) && isText(value['protection']);
    case 'outside':
      return isText(value['path']);
    case 'sandboxed':
      return isText(value['mode']);
    case 'blocked':
      return isText(value['host']);
    case 'opaque':
    case 'only-always':
    case 'dismissed':
    case 'turn-cancelled':
    case 'turn-timeout':
      return true;
    default:
      return false;
  }
}

function isOwnedRule(value: unknown): boolean {
  if (!isFields(value) || parseRule(value) === undefined) return false;
  return isOptional(value['origin'], (owner) => isOneOf(owner, ['user', 'project', 'answer']));
}

function isRemembered(value: unknown): boolean {
  return (
    isFields(value) &&
    isOneOf(value['decision'], ['allow', 'deny']) &&
    isOneOf(value['scope'], ['turn', 'session', 'project', 'user'])
  );
}

function isKind(value: unknown): boolean {
  return isOneOf(value, kinds);
}

const kinds: readonly ToolKind[] = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
];

function isOneOf(value: unknown, words: readonly string[]): boolean {
  return isText(value) && words.includes(value);
}

function isOptional(value: unknown, check: (value: unknown) => boolean): boolean {
  return value === undefined || check(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
