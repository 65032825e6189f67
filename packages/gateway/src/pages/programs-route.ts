import type { Route } from '../server/route.ts';
import { htmlPage, markup } from './html.ts';

/** The content of the page `/programs`. */
export interface ProgramsPage {
  readonly version: string;
  /** The available agents, by name. */
  readonly agents: () => readonly {
    readonly name: string;
    readonly title?: string;
    readonly version: string;
  }[];
}

/** The route `/programs`: the interfaces for programs. */
export function programsRoute({ version, agents }: ProgramsPage): Route {
  return {
    path: '/programs',
    isReadOnly: true,
    answer: (request) => {
      const { origin } = new URL(request.url);
      return htmlPage(
        'Parley for programs',
        markup`<h1>Parley ${version}</h1>
          <p>Coding agents over HTTP, for programs. People have the <a href="/">web interface</a>.</p>
          <table>
            <tr>
              <th>Agent</th>
              <th>Version</th>
              <th></th>
            </tr>
            ${agents().map(
              (agent) =>
                markup`<tr>
                  <td><code>${agent.name}</code></td>
                  <td>${agent.version}</td>
                  <td>${agent.title ?? ''}</td>
                </tr> `,
            )}
          </table>
          <section>
            <h2>Interfaces</h2>
            <table>
              <tr>
                <td>
                  <a href="/aap/meta"><code>/aap</code></a>
                </td>
                <td>
                  The Agent Application Protocol, version 3: sessions and turns over HTTP and server-sent
                  events.
                </td>
              </tr>
              <tr>
                <td><code>/acp</code>, <code>/acp/NAME</code></td>
                <td>The Agent Client Protocol over WebSocket and streamable HTTP.</td>
              </tr>
              <tr>
                <td>
                  <a href="/openapi"><code>/openapi</code></a>
                </td>
                <td>
                  What can be asked for under <code>/aap</code>; <a href="/openapi.json">as a document</a>.
                </td>
              </tr>
              <tr>
                <td>
                  <a href="/metrics"><code>/metrics</code></a>
                </td>
                <td>Counters, for Prometheus.</td>
              </tr>
            </table>
            <pre>curl -H "Authorization: Bearer $TOKEN" ${origin}/aap/meta</pre>
          </section>`,
      );
    },
  };
}
