import type { Route } from '../server/route.ts';
import { metricsType, type Metrics } from './create-metrics.ts';

/** The route `/metrics`. */
export function metricsRoute(metrics: Metrics): Route {
  return {
    path: '/metrics',
    isReadOnly: true,
    // They count the sessions and calls of all tokens.
    scopes: () => ['admin', 'observe'],
    answer: async () => new Response(await metrics.text(), { headers: { 'content-type': metricsType } }),
  };
}
