import { openApiDocument } from '@parley/aap/server';
import type { Route } from '../server/route.ts';
import { htmlPage, markup, type Html } from './html.ts';

/** The routes `/openapi.json` and `/openapi`, its HTML page. */
export function openApiRoutes(): readonly Route[] {
  return [
    { path: '/openapi.json', isReadOnly: true, answer: (request) => Response.json(documentFor(request)) },
    { path: '/openapi', isReadOnly: true, answer: (request) => toPage(documentFor(request)) },
  ];
}

function documentFor(request: Request): ReturnType<typeof openApiDocument> {
  return openApiDocument({ serverUrl: `${new URL(request.url).origin}/aap` });
}

function toPage({ info, servers, paths, components }: ReturnType<typeof openApiDocument>): Response {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toOperation(method, path, operation)),
  );
  const schemas = Object.entries(components['schemas'] ?? {}).map(
    ([name, schema]) => markup`<details id="${name}"><summary><code>${name}</code></summary>
<pre>${JSON.stringify(schema, undefined, 2)}</pre></details>
`,
  );
  return htmlPage(
    info.title,
    markup`<h1>${info.title} ${info.version}</h1>
<p>${info.description}</p>
<p>Base URL: <code>${servers[0]?.url ?? ''}</code>. The same <a href="/openapi.json">as a document</a>.</p>
${operations}
<section><h2>Types</h2>
${schemas}</section>`,
  );
}

function toOperation(method: string, path: string, operation: unknown): Html {
  const { summary, description, parameters, requestBody, responses } = toObject(operation);
  const rows = toList(parameters).map((parameter) => {
    const { name, in: place, description: text } = toObject(parameter);
    return markup`<tr><td><code>${toText(name)}</code></td><td>${toText(place)}</td><td>${toText(text)}</td></tr>
`;
  });
  const answers = Object.entries(toObject(responses)).map(
    ([status, answer]) =>
      markup`<tr><td><code>${status}</code></td><td>${toText(toObject(answer)['description'])} ${typesIn(answer)}</td></tr>
`,
  );
  const body = requestBody === undefined ? [] : [markup`<p>Body: ${typesIn(requestBody)}</p>`];
  const table = rows.length === 0 ? [] : [markup`<table>${rows}</table>`];
  return markup`<section>
<h3><code>${method.toUpperCase()} ${path}</code></h3>
<p>${toText(summary)} ${toText(description)}</p>
${table}${body}
<table>${answers}</table>
</section>
`;
}

/** Links to the types that a part of the document refers to. */
function typesIn(part: unknown): readonly Html[] {
  const names = new Set(
    [...JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/gu)].map(([, name = '']) => name),
  );
  return Array.from(names, (name) => markup`<a href="#${name}"><code>${name}</code></a> `);
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
