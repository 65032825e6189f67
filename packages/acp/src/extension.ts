import { AcpError } from './acp-error.ts';
import type { Meta } from './meta.ts';
import { methodNotFound } from './refusal.ts';
import { isObject } from './schema/value.ts';

/** The name of an extension method: an underscore, the vendor, and what the vendor calls it, as in `_zed.dev/open`. */
export type ExtensionName = `_${string}`;

/** A method that is not part of the protocol. It is advertised in the `_meta` of the capabilities. */
export interface Extension<Context> {
  /** Carries it out. Absent: it is advertised, and a request for it is answered -32601. */
  handle?(params: unknown, context: Context): unknown;
  /** What it is for. It goes into the advertisement. */
  readonly description?: string;
  /** Whether it comes as a notification, not as a request. @default false */
  readonly notification?: boolean;
}

/** Extension methods by name. */
export type Extensions<Context> = Readonly<Record<ExtensionName, Extension<Context>>>;

/** What is told of extension methods, by name. */
export type Advertised = ReadonlyMap<string, { readonly description?: string }>;

/** Whether a method is an extension, by its name. ACP v1, Extensibility: such names begin with an underscore. */
export function isExtensionName(method: string): method is ExtensionName {
  return method.startsWith('_');
}

/**
 * The `_meta` of a capability object, with the extensions in it: `{ "zed.dev": { "open": true } }`.
 * What the author put there stays.
 */
export function advertise(meta: Meta | undefined, extensions: Advertised): Meta {
  const advertised = new Map(Object.entries(meta ?? {}));
  for (const [method, { description }] of extensions) {
    const { vendor, name } = partsOf(method);
    const others = advertised.get(vendor);
    if (others !== undefined && !isObject(others)) continue;
    advertised.set(vendor, { [name]: description === undefined ? true : { description }, ...others });
  }
  return Object.fromEntries(advertised);
}

/** Whether a capability object's `_meta` advertises an extension. */
export function isAdvertised(meta: Meta | undefined, method: string): boolean {
  const { vendor, name } = partsOf(method);
  const names = meta?.[vendor];
  if (!isObject(names)) return false;
  const mark = names[name];
  return mark === true || isObject(mark);
}

/**
 * Carries out an extension request.
 *
 * @throws {RpcError} -32601: there is no such extension, or it is a notification.
 */
export function serveExtension(
  extensions: ReadonlyMap<string, Extension<unknown>>,
  method: string,
  params: unknown,
  createContext: () => unknown,
): unknown {
  const extension = extensions.get(method);
  if (extension?.handle === undefined || extension.notification === true) throw methodNotFound(method);
  return extension.handle(params, createContext());
}

/**
 * The extensions of a side, by name.
 *
 * @throws {AcpError} `invalid-options`: a name is not `_vendor/name`.
 */
export function toExtensionMap<Context>(
  extensions: Extensions<Context>,
): ReadonlyMap<string, Extension<Context>> {
  const entries = Object.entries(extensions);
  for (const [method] of entries) {
    if (wellFormed.test(method)) continue;
    throw new AcpError('invalid-options', `extension "${method}": the name has to be _vendor/name`, {
      method,
    });
  }
  return new Map(entries);
}

const wellFormed = /^_[^/]+\/.+$/;

function partsOf(method: string): { readonly vendor: string; readonly name: string } {
  const [vendor = '', ...names] = method.slice(1).split('/');
  return { vendor, name: names.join('/') };
}
