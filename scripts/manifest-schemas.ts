import { Ajv2020 } from 'ajv/dist/2020.js';

/*
 * The parts of the schemas of Kubernetes (1.33) and Compose that the files in `docs/scale` use, kept by hand: a field that is not
 * here is a typing error, or has to be added after a look at the reference.
 */

type Schema = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, Schema>>;

/** An object with these fields and no others. */
function object(required: Fields, optional: Fields = {}): Schema {
  const properties = { ...required, ...optional };
  return { type: 'object', properties, required: Object.keys(required), additionalProperties: false };
}

function list(items: Schema): Schema {
  return { type: 'array', items, minItems: 1 };
}

function byName(values: Schema): Schema {
  return { type: 'object', additionalProperties: values };
}

const text: Schema = { type: 'string', minLength: 1 };
const flag: Schema = { type: 'boolean' };
const count: Schema = { type: 'integer', minimum: 0 };
const port: Schema = { type: 'integer', minimum: 1, maximum: 65_535 };
/** A DNS label, as names of objects, ports and volumes are. */
const name: Schema = { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' };
const quantity: Schema = { type: 'string', pattern: '^[0-9]+(m|Ki|Mi|Gi|Ti)?$' };
const oneOf = (...values: string[]): Schema => ({ enum: values });

const metadata = object({ name }, { annotations: byName({ type: 'string' }), labels: byName(text) });
const selector = object({ matchLabels: byName(text) });
const resources = object(
  { requests: object({ memory: quantity }, { cpu: quantity }) },
  { limits: object({ memory: quantity }, { cpu: quantity }) },
);
const probe: Schema = {
  ...object(
    {},
    {
      httpGet: object({ path: text, port: { anyOf: [name, port] } }),
      exec: object({ command: list(text) }),
      periodSeconds: count,
      failureThreshold: count,
    },
  ),
  oneOf: [{ required: ['httpGet'] }, { required: ['exec'] }],
};
const variable: Schema = {
  ...object(
    { name: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' } },
    {
      value: text,
      valueFrom: {
        ...object({}, { secretKeyRef: object({ name, key: text }), fieldRef: object({ fieldPath: text }) }),
        minProperties: 1,
        maxProperties: 1,
      },
    },
  ),
  oneOf: [{ required: ['value'] }, { required: ['valueFrom'] }],
};
const container = object(
  { name, image: text, resources, readinessProbe: probe },
  {
    command: list(text),
    args: list(text),
    env: list(variable),
    ports: list(object({ containerPort: port }, { name })),
    livenessProbe: probe,
    securityContext: object({
      allowPrivilegeEscalation: flag,
      capabilities: object({ drop: list(text) }),
    }),
    volumeMounts: list(object({ name, mountPath: { type: 'string', pattern: '^/' } })),
  },
);
const pod = object(
  { containers: list(container) },
  {
    terminationGracePeriodSeconds: count,
    automountServiceAccountToken: flag,
    securityContext: object({
      runAsNonRoot: flag,
      runAsUser: count,
      runAsGroup: count,
      fsGroup: count,
      fsGroupChangePolicy: oneOf('OnRootMismatch', 'Always'),
    }),
    volumes: list({
      ...object({ name }, { persistentVolumeClaim: object({ claimName: name }), emptyDir: object({}) }),
      minProperties: 2,
      maxProperties: 2,
    }),
    topologySpreadConstraints: list(
      object({
        maxSkew: count,
        topologyKey: text,
        whenUnsatisfiable: oneOf('ScheduleAnyway', 'DoNotSchedule'),
        labelSelector: selector,
      }),
    ),
  },
);
const workload: Fields = {
  replicas: count,
  selector,
  template: object({ metadata: object({ labels: byName(text) }), spec: pod }),
};
const claimSpec = object({
  accessModes: list(oneOf('ReadWriteOnce', 'ReadWriteMany', 'ReadWriteOncePod')),
  resources: object({ requests: object({ storage: quantity }) }),
});
const amount: Schema = { anyOf: [count, { type: 'string', pattern: '^[0-9]+%$' }] };

const specs: readonly (readonly [apiVersion: string, kind: string, spec: Schema])[] = [
  [
    'v1',
    'Service',
    object(
      {
        selector: byName(text),
        ports: list(object({ port }, { name, targetPort: { anyOf: [name, port] } })),
      },
      { clusterIP: oneOf('None') },
    ),
  ],
  ['v1', 'PersistentVolumeClaim', claimSpec],
  [
    'apps/v1',
    'StatefulSet',
    object(
      { ...workload, serviceName: name },
      { volumeClaimTemplates: list(object({ metadata, spec: claimSpec })) },
    ),
  ],
  [
    'apps/v1',
    'Deployment',
    object(workload, {
      strategy: object({ rollingUpdate: object({ maxUnavailable: amount, maxSurge: amount }) }),
    }),
  ],
  [
    'policy/v1',
    'PodDisruptionBudget',
    {
      ...object({ selector }, { maxUnavailable: amount, minAvailable: amount }),
      oneOf: [{ required: ['maxUnavailable'] }, { required: ['minAvailable'] }],
    },
  ],
  [
    'networking.k8s.io/v1',
    'Ingress',
    object(
      {
        rules: list(
          object({
            host: text,
            http: object({
              paths: list(
                object({
                  path: text,
                  pathType: oneOf('Prefix', 'Exact', 'ImplementationSpecific'),
                  backend: object({ service: object({ name, port: object({ name }) }) }),
                }),
              ),
            }),
          }),
        ),
      },
      { tls: list(object({ hosts: list(text), secretName: name })) },
    ),
  ],
];

const duration: Schema = { type: 'string', pattern: '^[0-9]+(ms|s|m|h)$' };
const service: Schema = {
  ...object(
    {},
    {
      image: text,
      build: object({ context: text }, { dockerfile: text }),
      command: list(text),
      environment: byName(text),
      secrets: list(text),
      configs: list(object({ source: text, target: text })),
      volumes: list(text),
      ports: list(text),
      depends_on: byName(
        object({ condition: oneOf('service_healthy', 'service_started', 'service_completed_successfully') }),
      ),
      healthcheck: object({ test: list(text) }, { interval: duration, retries: count }),
      stop_grace_period: duration,
      deploy: object({ replicas: count }),
    },
  ),
  oneOf: [{ required: ['image'] }, { required: ['build'] }],
};

/** A workload of Kubernetes. */
export interface Workload {
  readonly replicas: number;
  readonly selector: { readonly matchLabels: Labels };
  readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod };
  readonly serviceName?: string;
  readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
}

/** Labels of an object, or those that a selector wants. */
export type Labels = Readonly<Record<string, string>>;

interface Pod {
  readonly containers: readonly Container[];
  readonly securityContext?: { readonly runAsUser: number };
  readonly volumes?: readonly {
    readonly name: string;
    readonly persistentVolumeClaim?: { readonly claimName: string };
  }[];
  readonly topologySpreadConstraints?: readonly {
    readonly labelSelector: { readonly matchLabels: Labels };
  }[];
}

interface Container {
  readonly name: string;
  readonly args?: readonly string[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } };
  }[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly readinessProbe: Probe;
  readonly livenessProbe?: Probe;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string | number };
}

interface Manifest<Kind extends string, Spec> {
  readonly kind: Kind;
  readonly metadata: { readonly name: string };
  readonly spec: Spec;
}

/** An object of Kubernetes, with what the test looks at. */
export type KubernetesObject =
  | Manifest<'Deployment', Workload>
  | Manifest<'StatefulSet', Workload>
  | Manifest<
      'Service',
      {
        readonly selector: Labels;
        readonly ports: readonly { readonly name?: string; readonly targetPort?: string | number }[];
      }
    >
  | Manifest<
      'PodDisruptionBudget',
      { readonly selector: { readonly matchLabels: Labels }; readonly maxUnavailable?: number }
    >
  | Manifest<
      'Ingress',
      {
        readonly rules: readonly {
          readonly http: {
            readonly paths: readonly {
              readonly backend: {
                readonly service: { readonly name: string; readonly port: { readonly name: string } };
              };
            }[];
          };
        }[];
      }
    >
  | Manifest<'PersistentVolumeClaim', object>;

/** A file of Compose, with what the test looks at. */
export interface Composition {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly build?: { readonly context: string; readonly dockerfile: string };
        readonly command?: readonly string[];
        readonly environment?: Readonly<Record<string, string>>;
        readonly secrets?: readonly string[];
        readonly configs?: readonly { readonly source: string }[];
        readonly volumes?: readonly string[];
        readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
        readonly healthcheck?: { readonly test: readonly string[] };
        readonly deploy?: { readonly replicas: number };
      }
    >
  >;
  readonly secrets: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
}

const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false });

const isKubernetesObject = ajv.compile<KubernetesObject>({
  type: 'object',
  required: ['apiVersion', 'kind'],
  oneOf: specs.map(([apiVersion, kind, spec]) =>
    object({ apiVersion: { const: apiVersion }, kind: { const: kind }, metadata, spec }),
  ),
});

const isComposition = ajv.compile<Composition>(
  object(
    { services: byName(service) },
    {
      name: text,
      configs: byName(object({ content: text })),
      secrets: byName(object({ file: text })),
      volumes: byName({ type: 'null' }),
    },
  ),
);

/** @throws {Error} It has a field that is not known here, or lacks one. */
export function parseKubernetesObject(value: unknown): KubernetesObject {
  if (isKubernetesObject(value)) return value;
  throw new Error(ajv.errorsText(isKubernetesObject.errors));
}

/** @throws {Error} It has a field that is not known here, or lacks one. */
export function parseComposition(value: unknown): Composition {
  if (isComposition(value)) return value;
  throw new Error(ajv.errorsText(isComposition.errors));
}
