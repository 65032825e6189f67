import type { Invalid } from '@parley/wire';

/** A request: who answers it, and how what it carries is read. */
export interface RequestMethod<Side extends string, Params, Result> {
  readonly side: Side;
  readonly kind: 'request';
  readonly parseParams: (value: unknown) => Params | Invalid;
  readonly parseResult: (value: unknown) => Result | Invalid;
}

/** A notification: who takes it, and how what it carries is read. */
export interface NotificationMethod<Side extends string, Params> {
  readonly side: Side;
  readonly kind: 'notification';
  readonly parseParams: (value: unknown) => Params | Invalid;
}

/** Requests by their name on the wire. It has no prototype, so a name from a peer finds methods only. */
export type RequestTable<Side extends string, Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends {
    readonly params: infer Params;
    readonly result: infer Result;
  }
    ? RequestMethod<Side, Params, Result>
    : never;
};

/** Notifications by their name on the wire. It has no prototype, so a name from a peer finds methods only. */
export type NotificationTable<Side extends string, Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends { readonly params: infer Params }
    ? NotificationMethod<Side, Params>
    : never;
};

/** Makes a table of methods, which nothing inherits into and nothing changes. */
export function methodTable<Table extends object>(table: Table): Table {
  Object.setPrototypeOf(table, null);
  return Object.freeze(table);
}

/** Reads what may be left out as a whole: absent and `null` are an empty object. */
export function orEmpty<T>(parse: (value: unknown) => T): (value: unknown) => T {
  return (value) => parse(value ?? {});
}
