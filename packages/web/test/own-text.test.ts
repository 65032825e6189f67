import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ownText, ownToolTitle } from '../src/text/own-text.ts';
import { own, ownToolTitles } from '../src/text/zh-cn/own.ts';

const packages = path.resolve(import.meta.dirname, '../..');

function filesIn(folder: string, end: string): readonly string[] {
  return readdirSync(path.join(packages, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end) && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(path.join(packages, folder, name), 'utf8'));
}

test('the variable parts of a text stay unchanged in the translation', () => {
  const texts = { 'Only {} of {} were started': '{} 个中的 {} 个', 'Read only': '只读' };
  expect(ownText('Read only', texts)).toBe('只读');
  expect(ownText('Only 3 of $1 were started', texts)).toBe('3 个中的 $1 个');
  expect(ownText('Only 3 of', texts)).toBe('Only 3 of');
  expect(ownText('constructor', texts)).toBe('constructor');
});

test('each translated text exists in the built-in agent or in the catalogue', () => {
  // A text that is split over several lines is joined.
  const sources = [...filesIn('agent/src', '.ts'), ...filesIn('host/src/agent/catalogue', '.json')]
    .join('\n')
    .replaceAll(/' \+\s+'/gu, '');
  const titles = Object.values(ownToolTitles).flatMap((each) => Object.keys(each));
  const unknown = [...Object.keys(own), ...titles].filter((text) =>
    text.split('{}').some((part) => !sources.includes(part)),
  );
  expect(unknown).toEqual([]);
});

test('each description of the catalogue is translated', () => {
  const descriptions = filesIn('host/src/agent/catalogue/agents', '.json').map(
    (json) => /"description": "(.*)"/u.exec(json)?.[1] ?? '',
  );
  expect(descriptions.filter((text) => ownText(text, own) === text)).toEqual([]);
});

test('tool titles of the built-in agent are translated, those of other agents are not', () => {
  const names = filesIn('agent/src/tools', '.ts').flatMap(
    (source) => /^ {2}name: '(.*)',$/mu.exec(source)?.[1] ?? [],
  );
  // It is displayed as a plan, without a title.
  expect(Object.keys(ownToolTitles).toSorted()).toEqual(names.filter((name) => name !== 'plan').toSorted());
  expect(ownToolTitle('run', 'Run in the background: ls', ownToolTitles)).toBe('在后台运行 ls');
  expect(ownToolTitle('run', 'Run ls', ownToolTitles)).toBe('运行 ls');
  expect(ownToolTitle('bash', 'Run ls', ownToolTitles)).toBe('Run ls');
  expect(ownToolTitle(undefined, 'Run ls', ownToolTitles)).toBe('Run ls');
  expect(ownToolTitle('constructor', 'Run ls', ownToolTitles)).toBe('Run ls');
});
