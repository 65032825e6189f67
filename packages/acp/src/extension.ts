import { AcpError } from './acp-error.ts';
import type { Meta } from './meta.ts';
import { methodNotFound } from './refusal.ts';
import { isObject } from './schema/value.ts';

/**
 * The name of an extension method: an underscore, the vendor, and the vendor's name for it, such as `_zed.dev/open`.
 */
export type ExtensionName = `_${string}`;

/**
 * A method that is not part of the protocol. Methods with a vendor name are advertised in the `_meta` of the
 * capabilities.
 */
export interface Extension<Context> {
  /** Handles the method. If absent, the method is advertised, but requests are rejected with -32601. */
  handle?(params: unknown, context: Context): unknown;
  /** Describes the purpose of the method in the advertisement. */
  readonly description?: string;
  /** Whether the method is a notification rather than a request. @default false */
  readonly notification?: boolean;
}

/** Extension methods by name: of a vendor, or of another protocol revision. */
export type Extensions<Context> = Readonly<Record<string, Extension<Context>>>;

/** Handles methods that are neither part of the protocol nor listed in {@link Extensions}. */
export interface OtherExtensions<Context> {
  /** Handles a request. @throws {RpcError} -32601 if the method is unknown. */
  request(method: string, params: unknown, context: Context): unknown;
  /** Handles a notification. A promise delays later messages of its session. */
  notify(method: string, params: unknown, context: Context): void | Promise<void>;
}

/** Handlers of extension notifications, by method. */
export type Advertised = ReadonlyMap<string, { readonly description?: string }>;

/** Checks that a name is an extension name. ACP v1, Extensibility: such names begin with an underscore. */
export function isExtensionName(method: string): method is ExtensionName {
  return method.startsWith('_');
}

/**
 * Why the protocol does not leave this name to extensions; undefined where it does.
 *
 * @param methods The methods of the side that carries it out.
 */
export function findReservation(method: string, methods: ReadonlyMap<string, unknown>): string | undefined {
  if (methods.has(method)) return 'it is a method of the protocol';
  if (method.startsWith('$/')) return 'such names belong to the connection';
  return undefined;
}

/**
 * The `_meta` of a capability object, with the extensions in it: `{ "zed.dev": { "open": true } }`.
 * What the author put there stays. A name without a vendor has no place there.
 */
export function advertise(meta: Meta | undefined, extensions: Advertised): Meta {
  const advertised = new Map(Object.entries(meta ?? {}));
  for (const [method, { description }] of extensions) {
    if (!isExtensionName(method)) continue;
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
  others?: OtherExtensions<unknown>,
): unknown {
  const extension = extensions.get(method);
  if (extension === undefined && others !== undefined) return others.request(method, params, createContext());
  if (extension?.handle === undefined || extension.notification === true) throw methodNotFound(method);
  return extension.handle(params, createContext());
}

/**
 * The extensions of a side, by name.
 *
 * @param methods The methods that the side has anyway.
 * @throws {AcpError} `invalid-options`: a name is taken, or begins with an underscore and is not `_vendor/name`.
 */
export function toExtensionMap<Context>(
  extensions: Extensions<Context>,
  methods: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, Extension<Context>> {
  const entries = Object.entries(extensions);
  for (const [method] of entries) {
    const fault = findReservation(method, methods) ?? findMalformation(method);
    if (fault === undefined) continue;
    throw new AcpError('invalid-options', `extension "${method}": ${fault}`, { method });
  }
  return new Map(entries);
}

function findMalformation(method: string): string | undefined {
  return /^(?:_[^/]+\/.|[^_])/u.test(method) ? undefined : 'the name has to be _vendor/name';
}

function partsOf(method: string): { readonly vendor: string; readonly name: string } {
  const [vendor = '', ...names] = method.slice(1).split('/');
  return { vendor, name: names.join('/') };
}
