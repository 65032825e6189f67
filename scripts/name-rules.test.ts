import { expect, test } from 'vitest';
import { findUnexported } from './name-rules.mjs';

const inner = `export interface Inner { readonly a: string }`;
const entry = 'packages/wire/src/index.ts';

/** The types that are missing when an entry exports `outer` of a file that can import `Inner`. */
function missing(outer: string, exported = `export { outer } from './outer.ts';`): readonly string[] {
  const files = [
    { path: entry, text: exported },
    { path: 'packages/wire/src/outer.ts', text: `import type { Inner } from './inner.ts';\n${outer}` },
    { path: 'packages/wire/src/inner.ts', text: inner },
  ];
  return findUnexported(files, [entry]).map(({ name }) => name);
}

test.each([
  ['a parameter', `export function outer(inner: Inner): void {}`],
  ['an option', `export function outer({ inner }: { readonly inner: Inner }): void {}`],
  ['a result', `export function outer(): Promise<readonly Inner[]> {}`],
  ['an overload', `export function outer(a: Inner): void;\nexport function outer(a: string): void;`],
  ['a constraint', `export function outer<T extends Inner>(a: T): void {}`],
  ['an arrow function', `export const outer = (inner: Inner): void => {};`],
  ['a constant', `export const outer: ReadonlyMap<string, Inner> = new Map();`],
  ['an assertion', `export const outer = [] as readonly Inner[];`],
  ['a property', `export interface outer { readonly inner: Inner }`],
  ['a method', `export interface outer { inner(a: Inner): void }`],
  ['a member of a union', `export type outer = Inner | undefined;`],
  ['an argument of a base interface', `export interface outer extends Map<string, Inner> {}`],
  ['a part of it', `export function outer(inner: Pick<Inner, 'a'>): void {}`],
  ['a field of it', `export function outer(a: Inner['a']): void {}`],
  ['a field of a class', `export class outer { readonly inner: Inner | undefined; }`],
  ['a getter', `export class outer { get inner(): Inner { return { a: '' }; } }`],
  ['a constructor', `export class outer { constructor(inner: Inner) {} }`],
  ['a static member', `export class outer { static of(inner: Inner): outer { return new outer(); } }`],
])('a type that is not exported is found in %s: %s', (_, outer) => {
  expect(missing(outer)).toEqual(['Inner']);
});

test.each([
  ['in the body of a function', `export function outer(): void { const a: Inner = { a: '' }; }`],
  ['in a value', `export const outer: () => void = () => new Map<string, Inner>();`],
  ['in a default', `export function outer(a: string = toText<Inner>()): void {}`],
  ['in a check of a value', `export const outer = { a: '' } satisfies Inner;`],
  ['in a private field', `export class outer { readonly #inner: Inner; }`],
  ['in a private constructor', `export class outer { private constructor(inner: Inner) {} }`],
  ['as what a class implements', `export class outer implements Inner { readonly a = ''; }`],
  ['as a base interface', `export interface outer extends Inner {}`],
  ['as a part of a base interface', `export interface outer extends Partial<Pick<Inner, 'a'>> {}`],
  ['by another name', `export type outer = Inner;`],
  ['in an intersection', `export type outer = { readonly b: string } & Inner;`],
  ['in an intersection of a union', `export type outer = undefined | ({ readonly b: string } & Inner);`],
  ['as what an alias picks from', `export type outer = Omit<Inner, 'a'>;`],
  ['for its keys', `export function outer(key: keyof Inner): void {}`],
  [
    'of a value, by whose type it is made',
    `const a = [''] as const;\nexport type outer = (typeof a)[number];`,
  ],
])('a type is not demanded %s: %s', (_, outer) => {
  expect(missing(outer)).toEqual([]);
});

test('the constructor and the static members of a class that is exported as a type are not looked at', () => {
  const outer = `export class outer { constructor(inner: Inner) {} static of(inner: Inner): void {} }`;

  expect(missing(outer, `export type { outer } from './outer.ts';`)).toEqual([]);
  expect(missing(outer, `export { type outer } from './outer.ts';`)).toEqual([]);
});

test('a type with parameters is looked through, and its arguments are demanded', () => {
  const of = `interface Of<T> { readonly value: T; more(): Of<T>; readonly a: Other }\ninterface Other {}\n`;

  expect(missing(`${of}export type outer = Of<Inner>;`)).toEqual(['Inner', 'Other']);
  expect(missing(`${of}export function outer(a: Of<string>): void {}`)).toEqual(['Other']);
});

test('a type parameter is not the type of the same name', () => {
  expect(missing(`export function outer<Inner>(a: Inner): Inner { return a; }`)).toEqual([]);
});

test('types that only other types name are found, with the names that lead to them', () => {
  const files = [
    { path: entry, text: `export { open as connect } from './open.ts';` },
    {
      path: 'packages/wire/src/open.ts',
      text: `import type { Base } from './base.ts';\n\ninterface Options extends Base {}\nexport function open(options: Options): void {}`,
    },
    {
      path: 'packages/wire/src/base.ts',
      text: `export interface Base { readonly limits?: Limits }\n\ninterface Limits {}`,
    },
  ];

  expect(findUnexported(files, [entry])).toEqual([
    { path: 'packages/wire/src/open.ts', line: 3, name: 'Options', chain: ['open', 'Options'] },
    {
      path: 'packages/wire/src/base.ts',
      line: 3,
      name: 'Limits',
      chain: ['open', 'Options', 'Base', 'Limits'],
    },
  ]);
});

test.each([
  ['by any entry', `export type { Inner } from './inner.ts';`],
  ['by another name', `export type { Inner as Own } from './inner.ts';`],
  ['with its whole file', `export * from './inner.ts';`],
])('a type may be exported %s', (_, text) => {
  const files = [
    { path: entry, text: `export { outer } from './outer.ts';` },
    {
      path: 'packages/wire/src/outer.ts',
      text: `import { type Inner } from './inner.ts'; export function outer(a: Inner): void {}`,
    },
    { path: 'packages/wire/src/inner.ts', text: inner },
    { path: 'packages/wire/src/more.ts', text },
  ];

  expect(findUnexported(files, [entry])).toHaveLength(1);
  expect(findUnexported(files, [entry, 'packages/wire/src/more.ts'])).toEqual([]);
});

test('types of other packages and of the platform are not looked at', () => {
  const outer = `import type { Agent } from '@parley/acp';\nexport function outer(agent: Agent, signal: AbortSignal): void {}`;

  expect(missing(outer)).toEqual([]);
});
