import { definitions } from '../schema/definitions.ts';
import type { Schema } from '../schema/schema.ts';
import { errorAnswers, type ErrorStatus } from './error-answers.ts';
import { operations, type Operation, type Parameter } from './operations.ts';

/** Options of the OpenAPI document. */
export interface OpenApiOptions {
  /** The base URL of the protocol, such as `https://example.com/aap`. */
  readonly serverUrl: string;
  /** @default 'Agent Application Protocol' */
  readonly title?: string;
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Describes all endpoints of the server, for generators and documentation pages. */
export function openApiDocument({
  serverUrl,
  title = 'Agent Application Protocol',
}: OpenApiOptions): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title,
      version: '3',
      description:
        'Sessions with agents: an application sends messages, tools and permissions, and gets what the agent says and does, ' +
        'at once or as a stream. What is marked as an extension is not part of the protocol.',
    },
    servers: [{ url: serverUrl }],
    security: [{ key: [] }, {}],
    paths: toPaths(operations),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(
        Object.entries(definitions).map(([name, schema]) => [name, toComponent(schema)]),
      ),
      responses: Object.fromEntries(
        [...errorAnswers].map(([status, description]) => [String(status), toErrorAnswer(description)]),
      ),
    },
  };
}

function toPaths(all: readonly Operation[]): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of all) {
    const { method, path } = operation;
    paths[path] = { ...paths[path], [method]: toOperation(operation) };
  }
  return paths;
}

function toOperation(operation: Operation): object {
  const { id, summary, description, parameters = [], body, answers, errors } = operation;
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => toPathParameter(name));
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    parameters: [...inPath, ...parameters.map(toParameter)],
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: toReference(body) } } },
    }),
    responses: {
      ...Object.fromEntries(answers.map(({ status, ...answer }) => [status, toAnswer(answer)])),
      ...Object.fromEntries(errors.map((status) => [status, toErrorReference(status)])),
    },
  };
}

function toAnswer({
  description,
  schema,
  stream,
  headers = {},
}: Omit<Operation['answers'][number], 'status'>): object {
  const content = {
    ...(schema !== undefined && { 'application/json': { schema: toReference(schema) } }),
    ...(stream !== undefined && {
      'text/event-stream': {
        schema: { type: 'string', description: stream.description },
        example: stream.example,
      },
    }),
  };
  return {
    description,
    ...(Object.keys(headers).length > 0 && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [
          name,
          { description: text, schema: { type: 'string' } },
        ]),
      ),
    }),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

/** The description once more, for readers that do not follow references. */
function toErrorReference(status: ErrorStatus): object {
  return { $ref: `#/components/responses/${status}`, description: errorAnswers.get(status) };
}

function toErrorAnswer(description: string): object {
  return { description, content: { 'application/json': { schema: toReference('ErrorBody') } } };
}

function toPathParameter(name: string): object {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function toParameter({ name, place, description, schema, isRequired = false }: Parameter): object {
  return { name, in: place, description, required: isRequired, schema: toComponent(schema) };
}

function toReference(name: keyof typeof definitions): object {
  return { $ref: `#/components/schemas/${name}` };
}

/** The same schema with its references as they are in a document of OpenAPI. */
function toComponent(schema: Schema): unknown {
  return withComponentReferences(schema);
}

function withComponentReferences(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^#\/\$defs\//, '#/components/schemas/');
  if (Array.isArray(value)) return value.map(withComponentReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withComponentReferences(inner)]),
  );
}
