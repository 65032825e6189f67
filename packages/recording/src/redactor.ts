import { isJsonObject, type JsonObject } from '@parley/wire';
import { redacted, redactText } from './redact-text.ts';
import { namesSecret, namesVariables } from './secret-name.ts';

/**
 * Redacts secrets in messages and preserves their structure: the keys of objects, the length of lists and the type of
 * values. A secret that was seen under its name is redacted wherever it appears later.
 */
export class Redactor {
  readonly #known = new Set<string>();
  /** Matches any known secret; created on demand. */
  #anyKnown: RegExp | undefined;

  /** Adds a secret that was never seen under its name. */
  learn(value: string, { isCertain = false }: { readonly isCertain?: boolean } = {}): void {
    // Even what is surely one may be a word of the protocol, if it is a short one.
    const isWord = /^[a-z_]+$/iu.test(value);
    const shortest = isCertain && !isWord ? minCertainLength : minKnownLength;
    if (value.length < shortest || value.length > maxKnownLength) return;
    if (value === redacted || this.#known.size >= maxKnown) return;
    this.#known.add(value);
    this.#anyKnown = undefined;
  }

  /** Returns the value without secrets, or the same value if it contains none. */
  redact(value: unknown): unknown {
    return this.#walk(value, 0);
  }

  /** Returns the text without secrets. */
  redactText(text: string): string {
    return redactText(this.#hideKnown(text));
  }

  #hideKnown(text: string): string {
    if (this.#known.size === 0) return text;
    this.#anyKnown ??= new RegExp(
      [...this.#known]
        .toSorted((a, b) => b.length - a.length)
        .map((known) => known.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`))
        .join('|'),
      'gu',
    );
    return text.replaceAll(this.#anyKnown, redacted);
  }

  #walk(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.redactText(value);
    if (Array.isArray(value)) return depth > maxDepth ? [] : this.#walkList(value, depth);
    if (!isJsonObject(value)) return value;
    return depth > maxDepth ? {} : this.#walkObject(value, depth);
  }

  #walkList(list: readonly unknown[], depth: number): readonly unknown[] {
    let before: unknown;
    return mapList(list, (item) => {
      const isSecret = typeof item === 'string' && typeof before === 'string' && isSecretFlag(before);
      before = item;
      return isSecret ? this.#hide(item, true, depth) : this.#walk(item, depth + 1);
    });
  }

  #walkObject(object: JsonObject, depth: number): JsonObject {
    const named = namesValue(object);
    const isSchema = object['type'] === 'object';
    return mapObject(this.#hideKeys(object), (key, value) => {
      if (key === 'value' && named) return this.#hide(value, true, depth);
      if (isSchema && key === 'properties') return this.#walkProperties(value, depth);
      if (namesVariables(key) && typeof value === 'object') return this.#hideVariables(value, depth);
      return namesSecret(key) ? this.#hide(value, !isAboutTokens(key), depth) : this.#walk(value, depth + 1);
    });
  }

  /** Redacts keys that are known secrets. */
  #hideKeys(object: JsonObject): JsonObject {
    if (this.#known.size === 0) return object;
    const keys = Object.keys(object);
    const shown = keys.map((key) => this.#hideKnown(key));
    if (keys.every((key, index) => key === shown[index])) return object;
    return Object.fromEntries(keys.map((key, index) => [shown[index] ?? key, object[key]]));
  }

  /**
   * Redacts the properties of a JSON Schema: their names may look like those of secrets, but their values are not
   * secret.
   */
  #walkProperties(properties: unknown, depth: number): unknown {
    if (!isJsonObject(properties)) return this.#walk(properties, depth + 1);
    return mapObject(properties, (name, schema) => {
      const walked = this.#walk(schema, depth + 2);
      if (!isJsonObject(walked) || !namesSecret(name)) return walked;
      return mapObject(walked, (key, value) => (key === 'default' ? this.#hide(value, true, depth) : value));
    });
  }

  /** Redacts variables or headers in any format: `[{name, value}]`, `{name: value}`, `["name=value"]`. */
  #hideVariables(variables: unknown, depth: number): unknown {
    if (Array.isArray(variables)) {
      return mapList(variables, (item) => {
        if (typeof item === 'string') return this.#hideAssignment(item);
        if (!isJsonObject(item)) return this.#hide(item, true, depth);
        const isSecret = namesValue(item);
        return mapObject(item, (key, value) =>
          key === 'name' ? value : this.#hide(value, isSecret, depth + 1),
        );
      });
    }
    if (!isJsonObject(variables)) return variables;
    return mapObject(variables, (name, value) => this.#hide(value, namesSecret(name), depth));
  }

  #hideAssignment(text: string): string {
    const [, name, value] = /^([^=]*)=(.*)$/su.exec(text) ?? [];
    if (name === undefined || value === undefined) return redacted;
    this.#hide(value, namesSecret(name), 0);
    return `${name}=${redacted}`;
  }

  /** Redacts every text and, if it is certainly a secret, every number; certain secrets are known from then on. */
  #hide(value: unknown, isCertain: boolean, depth: number): unknown {
    if (typeof value === 'string') {
      if (isCertain) this.learn(value);
      return value === '' ? value : redacted;
    }
    if (typeof value === 'number') return isCertain ? 0 : value;
    if (Array.isArray(value)) {
      return depth > maxDepth ? [] : mapList(value, (item) => this.#hide(item, isCertain, depth + 1));
    }
    if (!isJsonObject(value)) return value;
    return depth > maxDepth ? {} : mapObject(value, (_key, inner) => this.#hide(inner, isCertain, depth + 1));
  }
}

/** Shorter values are not treated as secrets elsewhere, because they may be ordinary words. */
const minKnownLength = 8;
/** The same for values that are certainly secrets. */
const minCertainLength = 4;
/** Longer values are not remembered. */
const maxKnownLength = 4096;
/** Remembered secrets. */
const maxKnown = 256;

/** Nesting depth of values; deeper ones are omitted. */
const maxDepth = 200;

/** Whether an object is a name and its value, and the name says that the value is a secret. */
function namesValue(object: JsonObject): boolean {
  return ['name', 'key', 'id', 'configId'].some((key) => {
    const name = object[key];
    return typeof name === 'string' && namesSecret(name);
  });
}

/** Tokens that are counted are numbers; those that open something are texts. */
function isAboutTokens(name: string): boolean {
  return /tokens?$/iu.test(name);
}

function isSecretFlag(word: string): boolean {
  return /^--?[A-Za-z][\w-]*$/u.test(word) && namesSecret(word);
}

/** The object itself where nothing changes. */
function mapObject(object: JsonObject, map: (key: string, value: unknown) => unknown): JsonObject {
  let changed: Record<string, unknown> | undefined;
  for (const key of Object.keys(object)) {
    const mapped = map(key, object[key]);
    if (mapped === object[key]) continue;
    changed ??= { ...object };
    // An own key `__proto__`, as JSON can have it, is one like any other.
    Object.defineProperty(changed, key, { value: mapped, enumerable: true });
  }
  return changed ?? object;
}

/** The list itself where nothing changes. */
function mapList(list: readonly unknown[], map: (item: unknown) => unknown): readonly unknown[] {
  const mapped = list.map((item) => map(item));
  return mapped.every((item, index) => item === list[index]) ? list : mapped;
}
