import type { StoredAuditEntry } from '@parley/host';
import { commandText } from '@parley/workspace';
import { toPlainLine } from '../../output/plain.ts';
import type { Style } from '../../output/style.ts';

/** An entry of the record as a reader wants it: when, what was decided, about what, and by whom. */
export function auditLine(entry: StoredAuditEntry, style: Style): string {
  const decision = textIn(entry, 'decision').padEnd(9);
  const time = textIn(entry, 'time');
  const whose = ['agent', 'client', 'token', 'session'].map((name) => textIn(entry, name)).filter(isThere);
  const lines = [
    `#${String(entry['seq'])}  ${time}  ${style.bold(decision)}  ${actionText(recordIn(entry, 'action'))}`,
    `    ${style.dim(`by ${textIn(entry, 'by')}: ${textIn(entry, 'reason')}`)}`,
    `    ${style.dim(whose.join(' · '))}`,
  ];
  return `${lines.join('\n')}\n`;
}

function actionText(action: Fields): string {
  const command = recordIn(action, 'command');
  const argv = command['argv'];
  const parts = [
    textIn(action, 'kind'),
    argv === undefined ? textIn(action, 'tool') : commandLine(argv),
    ...(argv === undefined ? [] : [`in ${textIn(command, 'cwd')}`]),
    listText('with', command['variables']),
    ...listOf(action['files']).map(fileText),
    textIn(action, 'address'),
  ];
  return parts.filter(isThere).join(' ');
}

function commandLine(argv: unknown): string {
  if (typeof argv === 'string') return toPlainLine(argv, 500);
  return toPlainLine(commandText(listOf(argv).map(String)), 500);
}

function fileText(value: unknown): string {
  const file = fieldsOf(value);
  const hash = textIn(file, 'hash').slice(0, 12);
  const protection = textIn(file, 'protection');
  const notes = [hash === '' ? '' : `sha256 ${hash}…`, protection === '' ? '' : `protected: ${protection}`];
  const shown = notes.filter(isThere).join(', ');
  return `${textIn(file, 'path')}${shown === '' ? '' : ` (${shown})`}`;
}

function listText(word: string, value: unknown): string {
  const names = listOf(value).map((name) => toPlainLine(String(name), 100));
  return names.length === 0 ? '' : `${word} ${names.join(', ')}`;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function recordIn(fields: Fields, name: string): Fields {
  return fieldsOf(fields[name]);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? toPlainLine(value, 500) : '';
}

function isThere(text: string): boolean {
  return text !== '';
}
