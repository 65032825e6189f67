import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  HostError,
  probeAgent,
  redactError,
  Redaction,
  specSecrets,
  specVariables,
  type AgentOptions,
  type AgentProbe,
  type AgentSpec,
  type HostEvent,
  type SandboxSettings,
} from '@parley/host';
import { RpcError, type ObservedFrame } from '@parley/wire';
import { CliError } from '../cli-error.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { readConfiguration } from '../configuration/read-configuration.ts';
import { findAgent } from '../conversation/agent/agent-source.ts';
import { canHold } from '../conversation/agent/command-holder.ts';
import { sandboxFor } from '../conversation/agent/sandbox-for.ts';
import { Ending } from '../conversation/ending.ts';
import { outcomeOfError } from '../conversation/outcome.ts';
import { recordProcesses } from '../conversation/record-processes.ts';
import { recordTo } from '../conversation/record-to.ts';
import { exitStatus } from '../exit-status.ts';
import { parseSandbox, parseSeconds } from '../flag-values.ts';
import { toLastWords } from '../output/last-words.ts';
import { toPlainText } from '../output/plain.ts';
import { listenForSignals } from '../run/signals.ts';
import type { Surroundings } from '../surroundings.ts';
import { readVersion } from '../version.ts';
import { toProbeCard } from './probe-card.ts';
import type { ProbeReport, ProbedSession } from './probe-report.ts';
import { chooseProbeSandbox, type ProbeSandboxReason } from './probe-sandbox.ts';

/** Duration of a probe, unless an option or the agent's spec sets another limit. */
const probeTimeoutMs = 60_000;

/** The arguments of `parley agents probe`. */
export interface ProbeFlags {
  readonly json?: boolean;
  readonly timeout?: string;
  readonly record?: string;
  readonly sandbox?: string;
}

/** `parley agents probe NAME`: starts an agent, opens a session, and says what both offer. Nothing is prompted. */
export async function probe(name: string, flags: ProbeFlags, surroundings: Surroundings): Promise<number> {
  const { cwd, env, stdout, stderr } = surroundings;
  const typed = flags.sandbox === undefined ? undefined : parseSandbox(flags.sandbox);
  const typedMs = flags.timeout === undefined ? undefined : parseSeconds('--timeout', flags.timeout);
  const log = (message: string): void => {
    stderr.write(`parley: ${toPlainText(message)}\n`);
  };
  const warn = (_code: string, message: string): void => {
    log(`warning: ${message}`);
  };
  const ending = new Ending();
  using _signals = listenForSignals(ending);
  const configuration = await readConfiguration({
    cwd,
    env,
    warn: (message) => {
      warn('configuration', message);
    },
  });
  await recordProcesses(env, warn);
  const spec = await findAgent({ kind: 'name', name }, configuration, {
    env,
    folders: [cwd],
    signal: ending.begun,
    warn,
    ...(typed !== undefined && { sandbox: typed }),
  });
  const { choice, reason } = await chooseProbeSandbox(spec, {
    ...(typed !== undefined && { typed }),
    configuration,
    canHold: () => canHold(cwd, env),
  });
  const adviseSandboxOff = (): void => {
    if (reason === 'default') log(`${name} ran in a sandbox; probe it without one: --sandbox off`);
  };
  const redaction = new Redaction(specSecrets(spec));
  const timeoutMs = typedMs ?? totalOf(configuration) ?? spec.startTimeoutMs ?? probeTimeoutMs;
  let waitsFor = 'initialize';
  const timer = setTimeout(() => {
    const seconds = String(timeoutMs / 1000);
    ending.begin(new CliError('timeout', `${name} took longer than ${seconds} s: no answer to ${waitsFor}`));
  }, timeoutMs);
  try {
    using recording =
      flags.record === undefined
        ? undefined
        : recordTo(path.resolve(cwd, flags.record), {
            agent: spec.name,
            cwd,
            variables: { ...env, ...specVariables(spec) },
            secrets: specSecrets(spec),
            warn,
          });
    const report = await probeSpec(spec, {
      limits: {
        startTimeoutMs: configuration.startTimeoutMs ?? timeoutMs,
        openTimeoutMs: configuration.openTimeoutMs ?? timeoutMs,
        requestTimeoutMs: timeoutMs,
      },
      signal: ending.begun,
      sandboxIn: (folder) =>
        sandboxFor(configuration, env, { spec, cwd: folder, ...(choice !== undefined && { choice }) }),
      onOpening: () => {
        waitsFor = 'session/new';
      },
      reason,
      onFailed: (lastWords) => {
        for (const line of toLastWords(lastWords, exitStatus.failed)) log(line);
      },
      ...(recording !== undefined && { observe: recording.observe }),
    });
    // It may have needed something outside, such as a keychain.
    if (report.session.state !== 'opened') adviseSandboxOff();
    const text =
      flags.json === true
        ? JSON.stringify(redaction.value(report), undefined, 2)
        : redaction.text(toProbeCard(report).join('\n'));
    stdout.write(`${text}\n`);
    return exitStatus.done;
  } catch (thrown) {
    const error = redactError(thrown, redaction);
    const outcome = outcomeOfError(ending.cause ?? error);
    const lastWords = error instanceof HostError ? (error.stderr ?? '') : '';
    log(outcome.error?.message ?? String(error));
    for (const line of toLastWords(lastWords, outcome.exitStatus)) log(line);
    if (ending.cause === undefined || ending.cause.code === 'timeout') adviseSandboxOff();
    return outcome.exitStatus;
  } finally {
    clearTimeout(timer);
  }
}

/** The sum of both limits, where the configuration sets them. */
function totalOf({ startTimeoutMs, openTimeoutMs }: Configuration): number | undefined {
  if (startTimeoutMs === undefined || openTimeoutMs === undefined) return undefined;
  return startTimeoutMs + openTimeoutMs;
}

interface ProbeOptions {
  readonly limits: Required<Pick<AgentOptions, 'startTimeoutMs' | 'openTimeoutMs' | 'requestTimeoutMs'>>;
  readonly signal: AbortSignal;
  /** Why it runs in this sandbox, or without one. */
  readonly reason: ProbeSandboxReason;
  readonly sandboxIn: (folder: string) => Promise<SandboxSettings | undefined>;
  /** The agent has started, and is asked to open a session. */
  readonly onOpening: () => void;
  /** No session could be opened; these are the last lines that the agent wrote. */
  readonly onFailed: (lastWords: string) => void;
  readonly observe?: (frame: ObservedFrame) => void;
}

async function probeSpec(
  spec: AgentSpec,
  { limits, signal, reason, sandboxIn, onOpening, onFailed, observe }: ProbeOptions,
): Promise<ProbeReport> {
  const diagnostics: Record<string, number> = {};
  const take = (event: HostEvent): void => {
    if (event.type !== 'diagnostic' || event.level === 'info') return;
    diagnostics[event.code] = (diagnostics[event.code] ?? 0) + 1;
  };
  // A folder of its own: a project's instructions to agents have no part in this.
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-probe-')));
  try {
    const sandbox = await sandboxIn(folder);
    const { agent, startMs, opened, ...reported } = await probeAgent(
      spec,
      { cwd: folder, ...(sandbox !== undefined && { sandbox }) },
      {
        clientInfo: { name: 'parley', title: 'Parley', version: readVersion() },
        onAgent: onOpening,
        onEvent: take,
        serves: { files: false, terminals: false },
        ...limits,
        signal,
        ...(observe !== undefined && { observe }),
      },
    );
    if ('failure' in opened) signal.throwIfAborted();
    const session = toProbedSession(opened);
    if (session.state === 'failed') onFailed(agent.stderrTail());
    const { info, protocolVersion, capabilities, authMethods, sandbox: held } = agent;
    return {
      name: spec.name,
      ...(info !== undefined && { agent: info }),
      protocolVersion,
      sandbox:
        held === undefined
          ? { mode: 'off', reason }
          : { mode: held.plan.mode, engine: held.engine.name, reason },
      startMs,
      capabilities,
      authMethods: authMethods.map(({ id, name, description, ...method }) => ({
        id,
        name,
        type: 'type' in method ? method.type : 'agent',
        ...(description !== undefined && { description }),
      })),
      ...reported,
      session,
      diagnostics,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toProbedSession(opened: AgentProbe['opened']): ProbedSession {
  if ('settings' in opened) return { state: 'opened', openMs: opened.openMs, ...opened.settings };
  const { failure } = opened;
  if (failure instanceof HostError && failure.code === 'auth-required') return { state: 'auth-required' };
  if (failure instanceof RpcError || failure instanceof HostError) {
    return { state: 'failed', code: failure.code, message: failure.message };
  }
  throw failure;
}
