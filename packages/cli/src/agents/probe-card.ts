import type { AgentCapabilities, SessionConfigOption } from '@parley/acp';
import type { AuthAccount, ProviderInfo } from '@parley/acp/unstable';
import type { AuthStatus } from '@parley/host';
import { modelsOf, modesOf } from '../chat/settings-text.ts';
import { toCard, type CardRow } from '../output/card.ts';
import { toPlainLine } from '../output/plain.ts';
import type { ProbeReport, ProbedSession } from './probe-report.ts';
import { toSandboxText } from './probe-sandbox.ts';

/** What a probe found out, for people. */
export function toProbeCard(probe: ProbeReport): string[] {
  const { name, agent, protocolVersion, capabilities, session, diagnostics } = probe;
  const title = agent?.title ?? agent?.name ?? name;
  const version = agent === undefined ? '' : ` ${agent.version}`;
  const rows: CardRow[] = [
    ['protocol', `version ${String(protocolVersion)}`],
    ['start', `${seconds(probe.startMs)} to initialize${openingTime(session)}`],
    ['sandbox', toSandboxText(probe.sandbox)],
    ['sign in', toSignIn(probe)],
    ...(probe.authStatus?.accounts ?? []).map((account): CardRow => ['account', toAccount(account)]),
    ...(probe.providers ?? []).map((provider): CardRow => ['provider', toProvider(provider)]),
    ['prompts', promptsOf(capabilities).join(', ')],
    ['sessions', sessionsOf(capabilities).join(', ')],
    ['MCP', mcpOf(capabilities).join(', ')],
    ...toSessionRows(session),
    ...Object.entries(diagnostics).map(([code, count]): CardRow => [
      'warning',
      `${code}: ${String(count)} times`,
    ]),
  ];
  return [
    toPlainLine(`${title}${version} (${name})`),
    '',
    ...toCard(rows.map(([label, text]) => [toPlainLine(label), toPlainLine(text, 1000)])),
  ];
}

function openingTime(session: ProbedSession): string {
  return session.state === 'opened' ? `, ${seconds(session.openMs)} to open a session` : '';
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function toAccount({ label, active, email, organization }: AuthAccount): string {
  const parts = [label, email, organization].filter((part) => part !== undefined).join(', ');
  return active === true ? `${parts} *` : parts;
}

function toProvider({ providerId, supported, current }: ProviderInfo): string {
  const where = current === undefined ? 'disabled' : `${current.apiType} at ${current.baseUrl}`;
  return `${providerId}: ${where}; APIs: ${supported.join(', ')}`;
}

/** The reported states in words. */
const signInStates: Readonly<Record<AuthStatus['state'], string | undefined>> = {
  authenticated: 'signed in',
  unauthenticated: 'needed',
  not_required: 'not needed',
  unknown: undefined,
};

function toSignIn({ authMethods, authStatus, session }: ProbeReport): string {
  const ways = authMethods.map(({ id, name }) => (name === id ? id : `${id} (${name})`)).join(', ');
  const reported = authStatus === undefined ? undefined : signInStates[authStatus.state];
  const isNeeded = session.state === 'auth-required' ? 'needed' : (reported ?? 'not needed now');
  return ways === '' ? isNeeded : `${isNeeded}; ways: ${ways}`;
}

function promptsOf({ promptCapabilities: prompts }: AgentCapabilities): string[] {
  return [
    'text',
    ...(prompts?.image === true ? ['images'] : []),
    ...(prompts?.audio === true ? ['audio'] : []),
    ...(prompts?.embeddedContext === true ? ['embedded resources'] : []),
  ];
}

function sessionsOf({ loadSession, sessionCapabilities = {} }: AgentCapabilities): string[] {
  const declared = Object.keys(sessionCapabilities).filter((name) => name !== '_meta');
  return ['new', ...(loadSession === true ? ['load'] : []), ...declared];
}

function mcpOf({ mcpCapabilities: mcp }: AgentCapabilities): string[] {
  return ['stdio', ...(mcp?.http === true ? ['http'] : []), ...(mcp?.sse === true ? ['sse'] : [])];
}

function toSessionRows(session: ProbedSession): CardRow[] {
  switch (session.state) {
    case 'auth-required':
      return [['session', 'none without signing in']];
    case 'failed':
      return [['session', `could not be opened: ${session.message}`]];
    case 'opened': {
      const { modes, configOptions = [], models } = session;
      const offered = { modes, models, configOptions };
      return [
        ...offerRow('modes', modesOf(offered)),
        ...offerRow('models', modelsOf(offered)),
        ...configOptions
          .filter(({ id, category }) => !shownBefore.has(category ?? id))
          .map((option): CardRow => [`--set ${option.id}`, toValues(option)]),
      ];
    }
  }
}

/** Config options that have a row of their own. */
const shownBefore: ReadonlySet<string> = new Set(['mode', 'model']);

function offerRow(label: string, { current, choices }: ReturnType<typeof modesOf>): CardRow[] {
  const ids = choices.map(({ id }) => (id === current ? `${id} *` : id));
  return ids.length === 0 ? [] : [[label, ids.join(', ')]];
}

function toValues(option: SessionConfigOption): string {
  switch (option.type) {
    case 'boolean':
      return option.currentValue ? 'true *, false' : 'true, false *';
    case 'select':
      return option.options
        .flatMap((item) => ('group' in item ? item.options : [item]))
        .map(({ value }) => (value === option.currentValue ? `${value} *` : value))
        .join(', ');
    case 'unknown':
      return option.name;
  }
}
