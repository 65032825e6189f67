import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { enFirst } from '../text/en-first.ts';
import { en } from '../text/en.ts';
import { SpeechContext, type Speech, useText } from '../text/language.tsx';
import { later } from './later.tsx';

const spoken: Speech = { language: 'en', texts: enFirst, all: en, choose: () => {} };

function markup(element: ReactElement, speech: Speech = spoken): string {
  return renderToStaticMarkup(createElement(SpeechContext, { value: speech }, element));
}

function Loading({ name }: { readonly name: string }): ReactElement {
  return createElement('b', null, `${name}: ${useText().shell.loading}`);
}

test('what is given for the meantime is shown until a component is loaded, and then the component, at once', async () => {
  let imports = 0;
  const Part = later(() => {
    imports += 1;
    return Promise.resolve(Loading);
  });
  const element = createElement(Part, { name: 'part', waiting: 'wait' });
  expect(markup(element)).toBe('wait');
  await Part.load();
  expect(markup(element)).toBe(`<b>part: ${en.shell.loading}</b>`);
  expect(imports).toBe(1);
});

test('nothing is shown meanwhile by default', () => {
  const Part = later(() => Promise.resolve(Loading));
  expect(markup(createElement(Part, { name: 'part' }))).toBe('');
});

test('a loaded component waits for the texts of pages', async () => {
  const Part = later(() => Promise.resolve(Loading));
  await Part.load();
  const element = createElement(Part, { name: 'part', waiting: 'wait' });
  expect(markup(element, { ...spoken, all: undefined })).toBe('wait');
  expect(markup(element)).toContain('part');
});

test('a failure is thrown where the component is rendered, be it of the code or of the texts', async () => {
  const Missing = later<{ readonly name: string }>(() => Promise.reject(new Error('no such file')));
  await Missing.load();
  expect(() => markup(createElement(Missing, { name: 'part' }))).toThrow('no such file');
  const Part = later(() => Promise.resolve(Loading));
  const silent = { ...spoken, all: undefined, failure: { error: new Error('no texts') } };
  expect(() => markup(createElement(Part, { name: 'part' }), silent)).toThrow('no texts');
});
