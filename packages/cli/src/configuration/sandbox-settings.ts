import { homedir } from 'node:os';
import path from 'node:path';
import {
  strictestChoice,
  type AgentSpec,
  type SandboxChoice,
  type SandboxHosts,
  type SandboxSettings,
  type SandboxWish,
} from '@parley/host';
import { ownAgentName, type Configuration, type SandboxLayer } from './configuration.ts';
import { stateFolder, userFile, type Variables } from './places.ts';
import type { SandboxFields } from './sandbox-schema.ts';

/** How the agent of a session is held; undefined where it is not. Relative paths start in the session's folder. */
export function sandboxSettings(
  { sandbox = {} }: Pick<Configuration, 'sandbox'>,
  env: Variables,
  { spec, cwd, choice, widest }: SettingsWish,
): SandboxSettings | undefined {
  const own = merge(fieldsFor(sandbox.user, spec.name));
  const narrowings = fieldsFor(sandbox.project, spec.name);
  const mode = strictestChoice([choice ?? choiceFor({ sandbox }, spec.name), widest]);
  // A project that wants a sandbox must not be how commands come to need no permission.
  const isWanted = strictestChoice([choice ?? own.mode, widest]) !== 'off';
  if (mode === 'off') return undefined;
  const at = (paths: readonly string[]): readonly string[] => paths.map((each) => absolute(each, cwd));
  const settings: SandboxSettings = {
    mode,
    write: at(own.write ?? []),
    stateDirs: at(own.stateDirs ?? spec.stateDirs ?? []),
    read: own.read === undefined || own.read === 'all' ? 'all' : at(own.read),
    hide: at(own.hide ?? []),
    ownState: [...new Set([stateFolder(env), path.dirname(userFile(env))])],
    network: own.network ?? spec.hosts ?? 'off',
    ...(own.autoApprove === true && isWanted && { autoApprove: true }),
    ...(spec.sandboxEnv !== undefined && { env: withHome(spec.sandboxEnv) }),
  };
  return narrowings.reduce<SandboxSettings>((wide, fields) => narrow(wide, fields, at), settings);
}

/** A wish, and what the settings need of the agent. */
interface SettingsWish extends Omit<SandboxWish, 'spec'> {
  readonly spec: Omit<AgentSpec, 'reach'>;
}

/**
 * How commands of our own agent are held in its mode `workspace-write`, where the agent itself is not; undefined where the user has switched the
 * sandbox off.
 */
export function commandSandboxSettings(
  configuration: Pick<Configuration, 'sandbox'>,
  env: Variables,
  cwd: string,
): SandboxSettings | undefined {
  const { mode } = merge(fieldsFor(configuration.sandbox?.user, ownAgentName));
  if (mode === 'off') return undefined;
  const widest = choiceFor(configuration, ownAgentName);
  return sandboxSettings(configuration, env, {
    spec: { name: ownAgentName },
    cwd,
    choice: 'workspace',
    widest,
  });
}

/** The settings as far as a project's file allows them too. */
function narrow(
  settings: SandboxSettings,
  { write, stateDirs, read, hide, network, autoApprove }: SandboxFields,
  at: (paths: readonly string[]) => readonly string[],
): SandboxSettings {
  return {
    ...settings,
    ...(write !== undefined && { write: common(settings.write, at(write)) }),
    ...(stateDirs !== undefined && { stateDirs: common(settings.stateDirs, at(stateDirs)) }),
    ...(read !== undefined && read !== 'all' && { read: narrowRead(settings.read, at(read)) }),
    ...(hide !== undefined && { hide: [...settings.hide, ...at(hide)] }),
    ...(autoApprove === false && { autoApprove }),
    ...(network !== undefined && { network: narrowNetwork(settings.network, network) }),
  };
}

/** The sandbox that the configuration names for an agent. */
export function choiceFor({ sandbox = {} }: Pick<Configuration, 'sandbox'>, agent: string): SandboxChoice {
  const own = merge(fieldsFor(sandbox.user, agent));
  return strictestChoice([own.mode, ...fieldsFor(sandbox.project, agent).map(({ mode }) => mode)]);
}

/** Whether the configuration decides the mode for an agent: the user's file names one, or a project's asks for a sandbox. */
export function namesMode({ sandbox = {} }: Pick<Configuration, 'sandbox'>, agent: string): boolean {
  return merge(fieldsFor(sandbox.user, agent)).mode !== undefined || choiceFor({ sandbox }, agent) !== 'off';
}

/** Whether the user's file says what an agent needs in a sandbox: its state folders, or its network. */
export function namesNeeds({ sandbox = {} }: Pick<Configuration, 'sandbox'>, agent: string): boolean {
  const { stateDirs, network } = sandbox.user?.agents.get(agent) ?? {};
  return stateDirs !== undefined || network !== undefined;
}

/** The sandboxes that the configuration names: for all agents, and for each that it names. */
export function configuredChoices(configuration: Pick<Configuration, 'sandbox'>): readonly SandboxChoice[] {
  const { user, project } = configuration.sandbox ?? {};
  const names = new Set([...(user?.agents.keys() ?? []), ...(project?.agents.keys() ?? [])]);
  return ['', ...names].map((name) => choiceFor(configuration, name));
}

/** The agents whose commands need no permission in a sandbox; an empty name for all agents. */
export function agentsWithAutoApprove({ sandbox = {} }: Pick<Configuration, 'sandbox'>): readonly string[] {
  const { user, project } = sandbox;
  return ['', ...(user?.agents.keys() ?? [])].filter(
    (name) =>
      merge(fieldsFor(user, name)).autoApprove === true &&
      fieldsFor(project, name).every(({ autoApprove }) => autoApprove !== false),
  );
}

/** What a file says about an agent: for all agents, then for this one. */
function fieldsFor(layer: SandboxLayer | undefined, agent: string): readonly SandboxFields[] {
  return layer === undefined ? [] : [layer.all, layer.agents.get(agent) ?? {}];
}

/** The fields of an agent replace those for all agents; what is hidden for all is hidden for each. */
function merge([all = {}, own = {}]: readonly SandboxFields[]): SandboxFields {
  return { ...all, ...own, hide: [...(all.hide ?? []), ...(own.hide ?? [])] };
}

function withHome(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.replace(/^~(?=\/)/u, homedir())]),
  );
}

function absolute(typed: string, cwd: string): string {
  const inHome = /^~(?:[\\/]|$)(.*)$/su.exec(typed)?.[1];
  return inHome === undefined ? path.resolve(cwd, typed) : path.join(homedir(), inHome);
}

/** The folders that two lists have in common: of a folder and one in it, the inner one. */
function common(left: readonly string[], right: readonly string[]): readonly string[] {
  return [
    ...right.filter((inner) => left.some((outer) => isWithin(inner, outer))),
    ...left.filter((inner) => right.some((outer) => inner !== outer && isWithin(inner, outer))),
  ];
}

function isWithin(inner: string, outer: string): boolean {
  const relative = path.relative(outer, inner);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

function narrowRead(own: SandboxSettings['read'], project: readonly string[]): SandboxSettings['read'] {
  return own === 'all' ? project : common(own, project);
}

function narrowNetwork(own: SandboxHosts, project: SandboxHosts): SandboxHosts {
  if (own === 'off' || project === 'off') return 'off';
  if (own === 'on') return project;
  if (project === 'on') return own;
  return [
    ...project.filter((host) => own.some((pattern) => covers(pattern, host))),
    ...own.filter((host) => project.some((pattern) => pattern !== host && covers(pattern, host))),
  ];
}

/** Whether an entry allows all that another one allows. Without a port, an entry is for 80 and 443. */
function covers(pattern: string, entry: string): boolean {
  const [outer, inner] = [parseEntry(pattern), parseEntry(entry)];
  const hasPort = outer.port === undefined ? isUsualPort(inner.port) : outer.port === inner.port;
  if (!hasPort) return false;
  // "*.a" is for "b.a" and for "*.b.a", and not for "a".
  return outer.name.startsWith('*.')
    ? inner.name === outer.name || inner.name.endsWith(outer.name.slice(1))
    : inner.name === outer.name;
}

function parseEntry(entry: string): { readonly name: string; readonly port: string | undefined } {
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/u.exec(entry.toLowerCase()) ?? [];
  return { name, port };
}

function isUsualPort(port: string | undefined): boolean {
  return port === undefined || port === '80' || port === '443';
}
